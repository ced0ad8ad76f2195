/// The components of one or more sources, put together to series by source, kind and UID.
public struct SeriesAssembly: Sendable {
  /// In the order in which they first appear.
  public let series: [Series]
  public let findings: [Finding]
  /// Which of the given events a later version or an equal one replaces, by index, in order.
  public let superseded: [Int]

  public init(_ events: [Event]) {
    series = events.map { Series($0) }
    findings = []
    superseded = []
  }
}
