package import AgendaCore
package import CivilTime

/// Days kept beside the store, so that what is asked for again and again, today, is read in one
/// piece instead of being worked out. A day is kept when it is first asked for, used only for the
/// very state of the store that it was made of, and taken away when the store changes.
extension Store {
  /// What happens in a span of one day, to list it.
  package struct Day: Sendable {
    /// Cancelled ones and tasks too. Their events say what a listing shows, not what makes them
    /// recur.
    package var occurrences: [Occurrence]
    /// What was cut off, with the event that it was.
    package var findings: [(master: EventReference, finding: Finding)] = []
  }

  /// A day that costs no more than this many series is not worth keeping.
  private static let fewestSeries = 128
  private static let everything = Selection(includesCancelled: true, includesTasks: true)

  /// `interpretation` stands for what makes other occurrences of the same store: the versions of
  /// agenda and of the zone rules.
  package func day(
    _ window: DateWindow, interpretation: Int
  ) throws(StoreError) -> Day {
    let span = window.start..<window.end
    let number = Int(window.firstDay.dayNumber)
    return try connection.reading { () throws(StoreError) in
      // The first look makes it this transaction's state.
      _ = try connection.integer("SELECT count(*) FROM calendar")
      // A clock that its owner has set up otherwise than by a name can change without a trace.
      let hasName = window.zone.origin == .database || window.zone.origin == .utc
      let subject =
        hasName
        ? StoreState(of: connection).map {
          KeptDay.Subject(
            state: $0, window: span, viewer: window.zone, interpretation: interpretation)
        } : nil
      let folder = DayFolder(ofStore: path)
      if let subject, let bytes = folder.bytes(of: .day(number)),
        let kept = KeptDay.occurrences(bytes, subject, key: key, zones: context.zone)
      {
        return Day(occurrences: kept)
      }
      let series = try connection.usingSmallCache { () throws(StoreError) in
        try listedSeries(touching: span, viewer: window.zone)
      }
      var day = Day(occurrences: [])
      day.occurrences = Self.everything.occurrences(
        of: series, in: window, details: { _ in EventDetails() }
      ) { day.findings.append(($0.master.reference, $1)) }
      if let subject, day.findings.isEmpty, series.count >= Self.fewestSeries {
        folder.keep(KeptDay.bytes(day.occurrences, subject, key: key), as: .day(number))
      }
      return day
    }
  }

  /// Part of every change of the store.
  func dropDays() {
    DayFolder(ofStore: path).clear()
  }
}
