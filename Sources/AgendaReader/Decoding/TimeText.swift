internal import CivilTime
internal import ICalendar

/// A DATE or DATE-TIME value (RFC 5545 3.3.4 and 3.3.5) with every part in range.
struct TimeText {
  var civil: CivilDateTime
  var hasTime: Bool
  var isUTC: Bool
  var repair: Repair?

  /// The deviation from the RFC in a time that could be read nevertheless.
  enum Repair {
    case extendedForm
    case noSeconds
    case hour24
    case dateInUTC

    var words: String {
      switch self {
      case .extendedForm: "is written with separators"
      case .noSeconds: "has no seconds"
      case .hour24: "has hour 24"
      case .dateInUTC: "is a date with a Z"
      }
    }
  }

  /// `nil` if the text is neither a date nor a time: 30 February, month 13, `tomorrow`.
  @inline(__always)
  init?(_ text: Bytes) {
    switch text.count {
    case 8:
      guard let date = Self.date(text) else { return nil }
      self.init(CivilDateTime(date, .midnight), hasTime: false, isUTC: false)
    case 15, 16:
      guard text[8] | 0x20 == 0x74 else {
        self.init(unusual: text)
        return
      }
      let isUTC = text.count == 16
      guard !isUTC || text[15] | 0x20 == 0x7A, let date = Self.date(text),
        let hour = Self.number(text, 9), let minute = Self.number(text, 11),
        let second = Self.number(text, 13)
      else { return nil }
      guard let time = TimeOfDay(hour: hour, minute: minute, second: second) else {
        guard hour == 24, minute == 0, second == 0, let next = date.adding(days: 1) else {
          return nil
        }
        self.init(
          CivilDateTime(next, .midnight), hasTime: true, isUTC: isUTC, repair: .hour24)
        return
      }
      self.init(CivilDateTime(date, time), hasTime: true, isUTC: isUTC)
    default:
      self.init(unusual: text)
    }
  }

  private init(
    _ civil: CivilDateTime, hasTime: Bool, isUTC: Bool, repair: Repair? = nil
  ) {
    self.civil = civil
    self.hasTime = hasTime
    self.isUTC = isUTC
    self.repair = repair
  }

  /// `20260101T0900`, `2026-01-01T09:00:00Z` and `20260101Z`, which some producers write.
  private init?(unusual text: Bytes) {
    // A date is the same everywhere, so that a Z after it has no meaning.
    if text.count == 9, text[8] | 0x20 == 0x7A {
      guard let date = Self.date(text) else { return nil }
      self.init(
        CivilDateTime(date, .midnight), hasTime: false, isUTC: false, repair: .dateInUTC)
      return
    }
    guard text.count >= 10, text.count <= 24 else { return nil }
    var plain: [UInt8] = []
    for (index, byte) in text.enumerated() {
      switch byte {
      case 0x2D where index == 4 || index == 7: continue
      case 0x3A where index > 10: continue
      case 0x20 where index == 10: plain.append(0x54)
      default: plain.append(byte)
      }
    }
    var repair = plain.count < text.count ? Repair.extendedForm : nil
    let withoutZone = plain.last.map { $0 | 0x20 == 0x7A } ?? false ? plain.count - 1 : plain.count
    if withoutZone == 13 {
      plain.insert(contentsOf: [0x30, 0x30], at: 13)
      repair = repair ?? .noSeconds
    }
    guard repair != nil, plain.count == 8 || plain.count == 15 || plain.count == 16 else {
      return nil
    }
    let parsed = plain.withUnsafeBufferPointer { bytes in
      bytes.count == 8 || bytes[8] | 0x20 == 0x74 ? TimeText(bytes) : nil
    }
    guard let parsed else { return nil }
    self = parsed
    self.repair = repair
  }

  @inline(__always)
  private static func number(_ text: Bytes, _ index: Int) -> Int? {
    let tens = text[index] &- 0x30
    let ones = text[index &+ 1] &- 0x30
    guard tens <= 9, ones <= 9 else { return nil }
    return Int(tens) &* 10 &+ Int(ones)
  }

  @inline(__always)
  private static func date(_ text: Bytes) -> CivilDate? {
    guard let century = number(text, 0), let year = number(text, 2), let month = number(text, 4),
      let day = number(text, 6)
    else { return nil }
    return CivilDate(year: century &* 100 &+ year, month: month, day: day)
  }
}
