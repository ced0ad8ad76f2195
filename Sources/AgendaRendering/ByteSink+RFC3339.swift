package import CivilTime

extension ByteSink {
  /// `2026-11-21`
  package mutating func write(_ date: CivilDate) {
    let (year, month, day) = date.components
    write(twoDigits: year / 100)
    write(twoDigits: year % 100)
    write(UInt8(ascii: "-"))
    write(twoDigits: month)
    write(UInt8(ascii: "-"))
    write(twoDigits: day)
  }

  /// RFC 3339 with the zone's offset: `2026-11-21T09:00:00+01:00`. In UTC, with a `Z`, for UTC itself
  /// and where the offset has seconds, which RFC 3339 cannot say: `1890-01-01T00:00:00Z`.
  package mutating func write(_ instant: Instant, in zone: Zone) {
    let offset = zone.utcOffset(at: instant)
    let isUTC = zone.origin == .utc || offset % 60 != 0
    let civil = (isUTC ? instant : instant.adding(seconds: offset)).utc
    write(civil.date)
    write(UInt8(ascii: "T"))
    write(twoDigits: civil.time.hour)
    write(UInt8(ascii: ":"))
    write(twoDigits: civil.time.minute)
    write(UInt8(ascii: ":"))
    write(twoDigits: civil.time.second)
    guard !isUTC else { return write(UInt8(ascii: "Z")) }
    write(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    let minutes = abs(offset) / 60
    write(twoDigits: minutes / 60)
    write(UInt8(ascii: ":"))
    write(twoDigits: minutes % 60)
  }
}
