internal import AgendaCore
internal import AgendaKit
internal import CommandLineOptions

/// Where the events of a command come from.
struct SourceArguments {
  /// The named sources and those of `--url-from`.
  let sources: [Source]
  /// Whether no source was named, so that the store answers.
  let usesStore: Bool
  /// How addresses are fetched.
  let fetching: FetchSettings
  let store: StoreArgument
  /// `--encoding`.
  let encoding: TextEncoding?
  /// The calendars that `--calendar` and `--not-calendar` name.
  var calendars: [String]

  init(_ invocation: Invocation, sources: [String]) throws(CommandError) {
    self.sources = try invocation.sources(sources)
    usesStore = sources.isEmpty && !invocation.line.has(Options.addressesFrom)
    fetching = try invocation.fetchSettings()
    store = try StoreArgument(invocation)
    encoding = try TextEncoding(invocation)
    calendars =
      invocation.line.values(of: Options.calendar)
      + invocation.line.values(of: Options.notCalendar)
  }
}

/// The path of the store: `--store`, `AGENDA_STORE`, or where the XDG base directory specification
/// puts it.
struct StoreArgument {
  /// `nil` if neither an option nor the environment sets the path. Only commands that use the store
  /// report that.
  private let location: String?

  init(_ invocation: Invocation) throws(CommandError) {
    let typed = invocation.line.value(of: Options.store)
    if let typed, typed.isEmpty {
      throw .wrongValue(Options.store, "expected a path, got an empty one")
    }
    location = typed ?? invocation.environment.storePath
  }

  var path: String {
    get throws(CommandError) {
      guard let location else {
        throw .failed(
          "cannot choose a path for the store; set --store, AGENDA_STORE, XDG_DATA_HOME or HOME")
      }
      return location
    }
  }
}

extension TextEncoding {
  /// `--encoding`; `nil` to detect it.
  init?(_ invocation: Invocation) throws(CommandError) {
    guard let name = invocation.line.value(of: Options.encoding) else { return nil }
    guard let encoding = TextEncoding(named: name) else {
      let common = TextEncoding.common.map(\.name).joined(separator: ", ")
      throw .wrongValue(
        Options.encoding,
        "expected one of \(common), or another that iconv converts, got \"\(name)\"")
    }
    self = encoding
  }
}
