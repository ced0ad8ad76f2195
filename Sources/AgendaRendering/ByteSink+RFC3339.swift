package import CivilTime

extension ByteSink {
  /// `2026-11-21`
  package mutating func write(_ date: CivilDate) {
    writePiece { date.write(to: $0) }
  }

  /// RFC 3339 with the zone's offset: `2026-11-21T09:00:00+01:00`. A time has a `Z` in UTC, and if
  /// the offset has seconds, because RFC 3339 cannot write them: `1890-01-01T00:00:00Z`.
  package mutating func write(_ instant: Instant, in zone: Zone) {
    let offset = zone.utcOffset(at: instant)
    let isUTC = zone.origin == .utc || offset % 60 != 0
    let civil = (isUTC ? instant : instant.adding(seconds: offset)).utc
    writePiece { piece in
      var length = civil.date.write(to: piece)
      piece[length] = UInt8(ascii: "T")
      let second = Int(civil.time.secondOfDay)
      (piece + length + 1).writeTwoDigits(second / 3600)
      piece[length + 3] = UInt8(ascii: ":")
      (piece + length + 4).writeTwoDigits(second / 60 % 60)
      piece[length + 6] = UInt8(ascii: ":")
      (piece + length + 7).writeTwoDigits(second % 60)
      length += 9
      guard !isUTC else {
        piece[length] = UInt8(ascii: "Z")
        return length + 1
      }
      piece[length] = offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
      let minutes = abs(offset) / 60
      (piece + length + 1).writeTwoDigits(minutes / 60)
      piece[length + 3] = UInt8(ascii: ":")
      (piece + length + 4).writeTwoDigits(minutes % 60)
      return length + 6
    }
  }
}

extension CivilDate {
  /// Ten bytes; returns their number.
  @inline(__always)
  fileprivate func write(to piece: UnsafeMutablePointer<UInt8>) -> Int {
    let (year, month, day) = components
    piece.writeTwoDigits(year / 100)
    (piece + 2).writeTwoDigits(year % 100)
    piece[4] = UInt8(ascii: "-")
    (piece + 5).writeTwoDigits(month)
    piece[7] = UInt8(ascii: "-")
    (piece + 8).writeTwoDigits(day)
    return 10
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// A number from 0 to 99.
  @inline(__always)
  fileprivate func writeTwoDigits(_ number: Int) {
    self[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
    self[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
  }
}
