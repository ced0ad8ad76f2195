package import CivilTime

extension PreparedSeries {
  /// The last occurrence before a moment, found without going through all those before it.
  ///
  /// It is `nil` if there is none, or if the exceptions of the series exclude so many that finding it
  /// would take too long.
  package func lastOccurrence(
    before moment: Instant, includingCancelled: Bool,
    where isWanted: (Occurrence) -> Bool = { _ in true }
  ) -> Occurrence? {
    let search = Search(series: self, includesCancelled: includingCancelled)
    var expansions = 0
    // Nothing is left after the last moment.
    var end = series.lastMoment.map { min(moment, $0.adding(seconds: 1)) } ?? moment
    let latest = end
    let today = viewer.civil(at: end).date
    for span in NearbySpan.spans(of: series) {
      let begin = min(span.moment(before: latest, today, in: viewer), end)
      if let last = search.last(in: begin..<end, expansions: &expansions, isWanted) { return last }
      end = begin
    }
    return nil
  }
}

private struct Search {
  let series: PreparedSeries
  let includesCancelled: Bool

  /// If a span has more occurrences, its second half is searched before its first.
  private static let mostOccurrences = 100
  /// Halving the longest span until it is a second takes fewer than 40.
  private static let mostExpansions = 200

  func last(
    in span: Range<Instant>, expansions: inout Int, _ isWanted: (Occurrence) -> Bool
  ) -> Occurrence? {
    guard expansions < Self.mostExpansions else { return nil }
    expansions += 1
    var found: Occurrence?
    var occurrences = series.occurrences(
      touching: span, includingCancelled: includesCancelled, atMost: Self.mostOccurrences)
    while let occurrence = occurrences.next() {
      if isWanted(occurrence) { found = occurrence }
    }
    let seconds = span.upperBound.secondsSinceEpoch - span.lowerBound.secondsSinceEpoch
    guard occurrences.wasCutByLimit, seconds > 1 else { return found }
    let middle = span.lowerBound.adding(seconds: seconds / 2)
    return last(in: middle..<span.upperBound, expansions: &expansions, isWanted)
      ?? last(in: span.lowerBound..<middle, expansions: &expansions, isWanted) ?? found
  }
}

/// How far to look for occurrences before and after a moment.
///
/// A year can have more occurrences than are looked at, so a series is searched in short spans first.
/// Each of them has few occurrences of every frequency.
package enum NearbySpan {
  case seconds(Int)
  case years(Int)

  package static func spans(of series: Series) -> [NearbySpan] {
    let years = [1, 10, 100, 10_000].map(NearbySpan.years)
    guard series.master.recurrence != nil else { return years }
    let minute = 60
    let week = 7 * 24 * 60 * minute
    return [minute, 60 * minute, week].map(NearbySpan.seconds) + years
  }

  /// `today` is the date of the moment.
  package func moment(before moment: Instant, _ today: CivilDate, in zone: Zone) -> Instant {
    switch self {
    case .seconds(let seconds): moment.adding(seconds: -seconds)
    case .years(let years): zone.startOfDay(today.adding(years: -years) ?? .first)
    }
  }

  package func moment(after moment: Instant, _ today: CivilDate, in zone: Zone) -> Instant {
    switch self {
    case .seconds(let seconds): moment.adding(seconds: seconds)
    case .years(let years): zone.startOfDay(today.adding(years: years) ?? .afterLast)
    }
  }
}
