package import CivilTime
internal import Recurrence

/// A series for several windows. Its rules, dates and overrides are prepared once for all of them.
package struct PreparedSeries {
  package let series: Series
  package let viewer: Zone
  private let recurrence: PreparedRecurrence?

  package init(_ series: Series, viewer: Zone) {
    self.series = series
    self.viewer = viewer
    recurrence = series.isSingle ? nil : series.prepared(viewer: viewer)
  }

  /// As `Series.occurrences(touching:)`.
  package func occurrences(
    touching window: Range<Instant>, includingCancelled: Bool, atMost limit: Int = .max
  ) -> Occurrences {
    Occurrences(
      series, recurrence, window: window, viewer: viewer,
      includingCancelled: includingCancelled, atMost: limit, mostExcluded: .max)
  }
}
