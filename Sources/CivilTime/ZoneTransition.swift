/// A moment at which the offset or the abbreviation of a zone changes.
public struct ZoneTransition: Hashable, Sendable {
  public let instant: Instant
  public let before: LocalTimeType
  public let after: LocalTimeType

  package init(instant: Instant, before: LocalTimeType, after: LocalTimeType) {
    self.instant = instant
    self.before = before
    self.after = after
  }
}
