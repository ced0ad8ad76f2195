/// Where a component is in time and among the versions of its UID: the columns by which a query finds
/// it. They are derived from its text and can be made again at any time.
package struct IndexColumns: Hashable, Sendable {
  /// `nil` for a component without a time, and for a message.
  package var span: TimeSpan?
  /// The weekdays, days of the month and months that a series touches, as bits; `nil` for all days.
  package var touchedDays: Int?
  /// The time in which its alarms can go off; `nil` without alarms.
  package var alarms: TimeSpan?
  /// Tells which UIDs can have a problem, so that no report has to read all others.
  package var rank: VersionRank

  package init(
    span: TimeSpan? = nil, touchedDays: Int? = nil, alarms: TimeSpan? = nil,
    rank: VersionRank = VersionRank(sequence: 0, isOverride: false)
  ) {
    self.rank = rank
    self.span = span
    self.touchedDays = touchedDays
    self.alarms = alarms
  }
}

/// Whether a component is an override, and its SEQUENCE, as one number.
package struct VersionRank: Hashable, Sendable {
  let number: Int

  package init(sequence: Int, isOverride: Bool) {
    number = min(max(0, sequence), Int.max / 4) * 2 + (isOverride ? 1 : 0)
  }

  /// The rank of an override at midnight, because Exchange writes midnight for any time of that day.
  package static let doubtful = VersionRank(number: -1)

  init(number: Int) { self.number = number }
}

/// A span of time in seconds since 1970, with dates and floating times read as UTC. A query extends its
/// window by `margin` to allow for that.
package struct TimeSpan: Hashable, Sendable {
  package var begin: Int
  package var end: Int

  package init(begin: Int, end: Int) {
    self.begin = begin
    self.end = end
  }

  /// This is for spans that are exact to a day. Nothing that is shown is computed with it.
  package static let secondsOfDay = 24 * 60 * 60

  /// The most by which dates and floating times can differ for a viewer (UTC−12 to UTC+14), or a
  /// zone's rules can change after the import.
  static let margin = secondsOfDay

  /// Spans are sorted into classes by the power of two of days that they fit into. So an index on
  /// (class, begin) finds the spans that touch a window without looking at those that ended long
  /// ago.
  static let longestClass = 20

  /// The greatest length of a span of that class; `nil` for the last class, which has all longer
  /// ones.
  static func length(ofClass number: Int) -> Int? {
    number >= longestClass ? nil : secondsOfDay << number
  }

  /// 0 for spans of up to a day, 1 up to two, 2 up to four, …
  var spanClass: Int {
    let (length, overflow) = end.subtractingReportingOverflow(begin)
    guard !overflow, length > Self.secondsOfDay else { return overflow ? Self.longestClass : 0 }
    let days = (length - 1) / Self.secondsOfDay
    return min(Self.longestClass, Int.bitWidth - days.leadingZeroBitCount)
  }
}

extension Int {
  package func subtractingOrLeast(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }

  package func addingOrMost(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
