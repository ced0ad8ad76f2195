internal import AgendaCore
internal import AgendaKit
internal import CommandLineOptions
internal import Platform

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
  var calendars: [ChosenCalendar]

  init(_ invocation: Invocation, sources: [String]) throws(CommandError) {
    self.sources = try invocation.sources(sources)
    usesStore = sources.isEmpty && !invocation.line.has(Options.addressesFrom)
    fetching = try invocation.fetchSettings()
    store = try StoreArgument(invocation)
    encoding = try TextEncoding(invocation)
    calendars = invocation.line.chosenCalendars
  }
}

/// A calendar that `--calendar` or `--not-calendar` names.
struct ChosenCalendar {
  let option: Option
  let name: String
  /// Where the configuration has it; `nil` if it was typed.
  let origin: String?
}

extension ParsedCommandLine {
  var chosenCalendars: [ChosenCalendar] {
    [Options.calendar, Options.notCalendar].flatMap { option in
      values(of: option).map {
        ChosenCalendar(option: option, name: $0, origin: origin(of: option, $0))
      }
    }
  }
}

/// The path of the store: `--store`, `AGENDA_STORE`, or where the XDG base directory specification
/// puts it.
struct StoreArgument {
  /// `nil` if neither an option nor the environment sets the path. Only commands that use the store
  /// report that.
  private let location: String?
  /// What chose the path, if that is the option or a line of the configuration.
  private let chooser: String?

  init(_ invocation: Invocation) throws(CommandError) {
    let (line, environment) = (invocation.line, invocation.environment)
    let chosen = line.value(of: Options.store)
    if let chosen, chosen.isEmpty {
      throw .wrongValue(Options.store, "expected a path, got an empty one")
    }
    location = chosen ?? environment.storePath
    chooser = chosen.map { _ in line.origin(of: Options.store) ?? Options.store.spelling }
  }

  /// Why a command that begins no store cannot use a path that somebody chose; `nil` if it can.
  var missingReason: String? {
    guard let location, let chooser, !FileAccess.exists(location) else { return nil }
    let option = chooser == Options.store.spelling ? " --store \(location.asArgument)" : ""
    return
      "\(chooser): \(location) does not exist; agenda import FILE\(option) begins a store there"
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

extension String {
  /// Whether it names a file or an address. What looks like the path of a calendar does too, so that a
  /// message names the file that is missing.
  var namesSource: Bool {
    self == "-" || contains("/") || [".ics", ".eml"].contains { hasSuffix($0) }
      || Source.unsupportedScheme(of: self) != nil || FileAccess.exists(self)
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
