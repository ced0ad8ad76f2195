internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions

extension Invocation {
  /// The events of the sources, or of the store where none is named.
  func events(
    of sources: [String], viewer: Viewer, window: DateWindow?
  ) throws -> any EventProvider {
    if sources.isEmpty { return try storeEvents(viewer) }
    var options = CalendarReader.Options()
    options.window = window.map { $0.start..<$0.end }
    options.encoding = line.value(of: Options.encoding).flatMap(TextEncoding.init(named:))
    var loader = SourceLoader(zones: viewer.database, options: options, messages: messages)
    for source in sources { loader.load(SourceAddress(source)) }
    return FileEvents(loader.outcomes)
  }

  private func storeEvents(_ viewer: Viewer) throws -> StoreEvents {
    let path = try storePath()
    guard let store = try Store.open(reading: path, zones: viewer.database) else {
      throw CommandError.failed(
        "the store \(path) is empty: agenda import SOURCE fills it, agenda show SOURCE does without"
      )
    }
    return StoreEvents(store, viewer: viewer.zone, messages: messages)
  }

  /// `--store`, `AGENDA_STORE`, or the place that the XDG base directory specification gives.
  func storePath() throws(CommandError) -> String {
    if let path = line.value(of: Options.store) {
      guard !path.isEmpty else { throw .wrongUsage("--store: a path is missing") }
      return path
    }
    guard let path = environment.storePath else {
      throw .failed("no place for the store: set --store, AGENDA_STORE, XDG_DATA_HOME or HOME")
    }
    return path
  }
}
