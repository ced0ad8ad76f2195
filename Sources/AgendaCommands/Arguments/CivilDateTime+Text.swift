internal import CivilTime

extension CivilDateTime {
  /// Reads `2026-11-24T12:30` or `2026-11-24 12:30`, with or without seconds.
  init?(local text: String) {
    let seconds = text.utf8.count == 16 ? ":00" : ""
    guard text.utf8.count == 16 || text.utf8.count == 19,
      let instant = Instant(rfc3339: text + seconds + "Z")
    else { return nil }
    self = instant.utc
  }
}
