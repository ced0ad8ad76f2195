package import CivilTime

extension Selection {
  /// What it takes up of some series in a window, in no particular order. `cut` is told of what a
  /// series has more of than can be shown.
  package func occurrences(
    of series: [Series], in window: DateWindow,
    details: @escaping (EventReference) -> EventDetails,
    cut: (_ series: Series, _ finding: Finding) -> Void = { _, _ in }
  ) -> [Occurrence] {
    var found: [Occurrence] = []
    for series in series {
      var admitted = SeriesSelection(self, details: details)
      var occurrences = series.occurrences(
        touching: window.start..<window.end, viewer: window.zone,
        includingCancelled: includesCancelled)
      while let occurrence = occurrences.next() {
        if admitted.admits(occurrence) { found.append(occurrence) }
      }
      if let finding = occurrences.finding { cut(series, finding) }
    }
    return found
  }
}
