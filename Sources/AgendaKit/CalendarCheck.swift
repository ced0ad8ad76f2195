public import AgendaCore
internal import AgendaSources
public import CivilTime

/// Every problem of files, folders or addresses, as one import of all of them with these options would
/// report it. Nothing is written.
public func checkSources(
  _ sources: [String], _ options: StoreWriter.ImportOptions = StoreWriter.ImportOptions(),
  zones: ZoneDatabase = .system(TZDIR: nil)
) -> [SourceReport] {
  checks(of: sources.map { Source($0) }, options, zones: zones).map(\.report)
}
