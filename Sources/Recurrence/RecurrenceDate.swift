/// An RDATE: an explicit start, with an explicit length if it is a period (RFC 5545
/// 3.8.5.2).
public struct RecurrenceDate: Hashable, Sendable {
  public var start: EventTime
  /// `nil` unless it was written as a period.
  public var extent: Extent?

  public init(start: EventTime, extent: Extent? = nil) {
    self.start = start
    self.extent = extent
  }
}
