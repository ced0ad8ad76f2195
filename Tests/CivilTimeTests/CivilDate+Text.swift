import CivilTime
import Testing

extension CivilDate {
  /// `2026-11-21`
  static func parsed(_ text: String) throws -> CivilDate {
    try #require(Instant(rfc3339: text + "T00:00:00Z")).utc.date
  }
}
