internal import AgendaCore
internal import AgendaReader
internal import CivilTime
internal import CommandLineOptions

extension Invocation {
  /// The events of the sources, or of the store where none is named.
  func events(
    of sources: [String], viewer: Viewer, window: DateWindow?
  ) throws -> any EventProvider {
    if sources.isEmpty { return try storeEvents() }
    var options = CalendarReader.Options()
    options.window = window.map { $0.start..<$0.end }
    options.encoding = line.value(of: Options.encoding).flatMap(TextEncoding.init(named:))
    var loader = SourceLoader(zones: viewer.database, options: options, messages: messages)
    for source in sources { loader.load(SourceAddress(source)) }
    return FileEvents(loader.calendars)
  }

  private func storeEvents() throws -> any EventProvider {
    throw CommandError.failed("the store cannot be read yet: name a source")
  }
}
