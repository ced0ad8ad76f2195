package import AgendaCore
package import CivilTime

/// The cache of days. `agenda today` needs the same day again and again, so it is computed once.
///
/// The table `day_cache` contains a few days for which many series had to be read. Its key is the
/// day, the viewer's zone and the versions of agenda and of the zone rules. Every change of the
/// store empties the table in the same transaction. A reader without write permission caches
/// nothing.
extension Store {
  /// The content of a listing of one day.
  package struct Day: Sendable {
    /// Includes tasks and cancelled occurrences. Their events have the properties that a listing
    /// shows; if the day was cached, without recurrence.
    package var occurrences: [Occurrence]
    /// Series of which some occurrences were left out, each with its event.
    package var findings: [(master: EventReference, finding: Finding)] = []
  }

  /// A day with fewer series to read is not worth caching.
  private static let fewestSeries = 128
  private static let mostDays = 8
  /// A day with more entries is cached when it is listed, but not in advance: an import can add
  /// events that take longer to list than to import.
  private static let mostEntriesInAdvance = 20_000
  private static let everything: Selection = {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    return selection
  }()

  /// `interpretation` identifies everything else that affects the occurrences: the versions of
  /// agenda and of the zone rules.
  package func day(
    _ window: DateWindow, interpretation: Int
  ) throws(StoreError) -> Day {
    let hasName = Self.hasName(window.zone)
    let day = Int(window.firstDay.dayNumber)
    let (result, newBytes, state) = try connection.reading { () throws(StoreError) in
      if hasName, let cached = try cachedDay(day, window.zone.name, interpretation) {
        return (Day(occurrences: cached), [UInt8]?.none, Int?.none)
      }
      let state = try connection.integer("PRAGMA data_version")
      let span = window.start..<window.end
      let series = try listedSeries(touching: span, viewer: window.zone)
      var result = Day(occurrences: [])
      result.occurrences = Self.everything.occurrences(
        of: series, in: window, details: { _ in EventDetails() }
      ) { result.findings.append(($0.master.reference, $1)) }
      let isWorthCaching =
        hasName && result.findings.isEmpty && series.count >= Self.fewestSeries
      return (result, isWorthCaching ? Self.bytes(ofDay: result.occurrences) : nil, state)
    }
    if let newBytes {
      cache(newBytes, day: day, window.zone.name, interpretation, workedOutIn: state)
    }
    return result
  }

  /// Caches a day that no command has asked for yet, if that takes little time.
  package func cacheDay(_ window: DateWindow, interpretation: Int) throws(StoreError) {
    guard Self.hasName(window.zone) else { return }
    let (bytes, state) = try connection.reading { () throws(StoreError) in
      let state = try connection.integer("PRAGMA data_version")
      let series = try listedSeries(touching: window.start..<window.end, viewer: window.zone)
      guard series.count >= Self.fewestSeries else { return ([UInt8]?.none, state) }
      let occurrences = Self.everything.allOccurrences(
        of: series, in: window, atMost: Self.mostEntriesInAdvance, details: { _ in EventDetails() })
      return (occurrences.map(Self.bytes(ofDay:)), state)
    }
    guard let bytes else { return }
    cache(
      bytes, day: Int(window.firstDay.dayNumber), window.zone.name, interpretation,
      workedOutIn: state)
  }

  private static func bytes(ofDay occurrences: [Occurrence]) -> [UInt8] {
    StoredListing.bytes(occurrences, withRecurrence: false)
  }

  /// The rules of a zone without a name can change although the key stays the same.
  private static func hasName(_ zone: Zone) -> Bool {
    zone.origin == .database || zone.origin == .utc
  }

  private func cachedDay(
    _ day: Int, _ zone: String, _ interpretation: Int
  ) throws(StoreError) -> [Occurrence]? {
    let row = try connection.statement(
      "SELECT bytes FROM day_cache WHERE day = ?1 AND zone = ?2 AND interpretation = ?3",
      day, zone, interpretation)
    guard try row.step() else { return nil }
    let bytes = row.bytes("bytes")
    row.reset()
    return StoredListing.occurrences(bytes, context)
  }

  private func cache(
    _ bytes: [UInt8], day: Int, _ zone: String, _ interpretation: Int, workedOutIn state: Int?
  ) {
    connection.writingIfPossible { () throws(StoreError) in
      // Another connection has changed the store in the meantime.
      guard try connection.integer("PRAGMA data_version") == state else { return }
      let id = try connection.nextID(in: Schema.dayCache)
      try connection.run(
        """
        DELETE FROM day_cache
        WHERE id <= ?1 OR day = ?2 AND zone = ?3 AND interpretation = ?4
        """, id - Self.mostDays, day, zone, interpretation)
      var row = Row(columns: 4, bytes: bytes.count + zone.utf8.count, key: key)
      row.add("day", day)
      row.add("zone", zone)
      row.add("interpretation", interpretation)
      row.add("bytes", blob: bytes)
      try connection.insert(row, id: id, into: Schema.dayCache)
    }
  }
}
