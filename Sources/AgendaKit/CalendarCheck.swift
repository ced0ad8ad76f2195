public import AgendaCore
internal import AgendaReader
internal import AgendaSources
public import CivilTime

/// How sources are checked.
package struct CheckOptions: Sendable {
  /// The name of the calendar for all sources; `nil` for the name in each source.
  package var calendar: String?
  /// The encoding of the sources; `nil` to detect it.
  package var encoding: TextEncoding?
  /// Whether a source is refused if any of its components is rejected.
  package var isStrict = false
  /// The rules of the time zones that sources name.
  package var zones: ZoneDatabase
  /// How addresses are fetched.
  package var fetching = FetchSettings()

  /// The default options.
  package init(zones: ZoneDatabase = .system(TZDIR: nil)) { self.zones = zones }
}

/// Every problem of files, folders or addresses, as one import of all of them
/// would report it. Nothing is written.
public func checkSources(
  _ sources: [String], zones: ZoneDatabase = .system(TZDIR: nil)
) -> [SourceReport] {
  checks(of: sources.map { Source($0) }, CheckOptions(zones: zones)).map(\.report)
}

/// The same for sources that were named by a person, with the lines that the problems are about.
package func checks(
  of sources: [Source], _ options: CheckOptions = CheckOptions()
) -> [SourceCheck] {
  var readerOptions = CalendarReader.Options()
  readerOptions.calendar = options.calendar
  readerOptions.encoding = options.encoding
  var loader = SourceLoader(
    zones: options.zones, options: readerOptions, fetching: options.fetching)
  loader.separatesNames = true
  loader.load(sources)
  return SourceCheck.all(of: loader.sources, isStrict: options.isStrict)
}
