package import AgendaCore
internal import AgendaReader
internal import AgendaSources
package import CivilTime

// A person names standard input and addresses next to files, wants the rest if one of them fails, and
// reads the lines that problems are about.

extension Calendars {
  /// Reads files, folders, addresses and standard input. `readings` has the error of each source that
  /// can't be read.
  package init(
    reading sources: [Source], zones: ZoneDatabase = .system(TZDIR: nil),
    encoding: TextEncoding? = nil, fetching: FetchSettings = FetchSettings()
  ) {
    var options = CalendarReader.Options()
    options.encoding = encoding
    var loader = SourceLoader(zones: zones, options: options, fetching: fetching)
    loader.load(sources)
    self.init(loader.sources)
  }

  /// The details of an event by its reference, as renderers ask for them.
  package func details(of reference: EventReference) -> EventDetails {
    source.details(of: reference)
  }
}

/// `checkSources` for sources that were named by a person, with the lines that the problems are about.
package func checks(
  of sources: [Source], _ options: StoreWriter.ImportOptions = StoreWriter.ImportOptions(),
  zones: ZoneDatabase = .system(TZDIR: nil)
) -> [SourceCheck] {
  var readerOptions = CalendarReader.Options()
  readerOptions.calendar = options.calendar
  readerOptions.encoding = options.encoding
  var loader = SourceLoader(zones: zones, options: readerOptions, fetching: options.fetching)
  loader.separatesNames = true
  loader.load(sources)
  return SourceCheck.all(of: loader.sources, isStrict: options.isStrict)
}
