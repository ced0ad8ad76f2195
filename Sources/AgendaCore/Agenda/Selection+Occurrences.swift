package import CivilTime
internal import Recurrence

extension Selection {
  /// An agenda shows at most so many entries. An entry of several days counts on each of them: a daily
  /// event that lasts for years is on as many lines as the square of its days.
  package static let mostEntries = 1_000_000

  /// The occurrences of some series in a window that match, in no particular order. `cut` is called
  /// for a series with more occurrences than can be shown. Series with rules below DAILY have no
  /// more occurrences together than one of them may have. After `mostEntries` the series that follow
  /// are left out.
  package func occurrences(
    of series: [Series], in window: DateWindow,
    details: @escaping (EventReference) -> EventDetails,
    cut: (_ series: Series, _ finding: Finding) -> Void = { _, _ in }
  ) -> [Occurrence] {
    var found: [Occurrence] = []
    var frequent = 0
    var entries = 0
    var excluded = 0
    for series in series {
      let isFrequent = series.master.recurrence?.rules.contains(where: \.isFrequent) ?? false
      if excluded > RecurrenceSet.excludedCeiling {
        cut(
          series,
          Self.tooMany(
            "\(RecurrenceSet.excludedCeiling) occurrences are excluded or duplicates", from: series)
        )
        return found
      }
      var admitted = SeriesSelection(self, details: details)
      var occurrences = series.occurrences(
        touching: window.start..<window.end, viewer: window.zone,
        includingCancelled: includesCancelled)
      var given = 0
      while let occurrence = occurrences.next() {
        given += 1
        if admitted.admits(occurrence) {
          entries += occurrence.dayCount(in: window)
          if entries > Self.mostEntries {
            cut(series, Self.tooMany("\(Self.mostEntries) entries in the window", from: series))
            return found
          }
          found.append(occurrence)
        }
        guard isFrequent else { continue }
        frequent += 1
        if frequent > Series.ceiling {
          excluded += max(0, occurrences.steps - given)
          occurrences.cutOff()
          break
        }
      }
      excluded += max(0, occurrences.steps - given)
      if let finding = occurrences.finding { cut(series, finding) }
    }
    return found
  }

  private static func tooMany(_ what: String, from series: Series) -> Finding {
    Finding(
      severity: .warning, component: series.master.kind.component,
      uid: series.master.identity.uid,
      message: "more than \(what)",
      action: "the rest of this event and all later events are not shown")
  }
}

extension Occurrence {
  /// About how many days of the window it touches, at least one.
  fileprivate func dayCount(in window: DateWindow) -> Int {
    let first = max(begin, window.start).secondsSinceEpoch
    let last = min(finish, window.end).secondsSinceEpoch
    return 1 + max(0, last - first) / TimeOfDay.secondsPerCivilDay
  }
}
