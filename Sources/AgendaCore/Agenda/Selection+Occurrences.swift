package import CivilTime

extension Selection {
  /// The occurrences of some series in a window that match, in no particular order. `cut` is called
  /// for a series with more occurrences than can be shown. Series with rules below DAILY have no
  /// more occurrences together than one of them may have.
  package func occurrences(
    of series: [Series], in window: DateWindow,
    details: @escaping (EventReference) -> EventDetails,
    cut: (_ series: Series, _ finding: Finding) -> Void = { _, _ in }
  ) -> [Occurrence] {
    var found: [Occurrence] = []
    var frequent = 0
    for series in series {
      let isFrequent = series.master.recurrence?.rules.contains(where: \.isFrequent) ?? false
      var admitted = SeriesSelection(self, details: details)
      var occurrences = series.occurrences(
        touching: window.start..<window.end, viewer: window.zone,
        includingCancelled: includesCancelled)
      while let occurrence = occurrences.next() {
        if admitted.admits(occurrence) { found.append(occurrence) }
        guard isFrequent else { continue }
        frequent += 1
        if frequent > Series.ceiling {
          occurrences.cutOff()
          break
        }
      }
      if let finding = occurrences.finding { cut(series, finding) }
    }
    return found
  }
}
