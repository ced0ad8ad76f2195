internal import CivilTime
package import ICalendar
package import Recurrence

/// A DURATION value (RFC 5545 3.3.6).
package struct DurationText {
  package var duration: EventDuration
  /// Whether the order of the parts, or the `T`, breaks the rules of the RFC: `-PT0DT0H10M0S`.
  var isMalformed: Bool

  /// How it is read, in a valid form.
  var readAs: String {
    let isNegative = duration.days < 0 || duration.seconds < 0
    let (days, seconds) = (abs(duration.days), abs(duration.seconds))
    let parts = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
      .filter { $0.0 > 0 || days == 0 && seconds == 0 && $0.1 == "S" }
    return (isNegative ? "-P" : "P") + (days > 0 ? "\(days)D" : "")
      + (parts.isEmpty ? "" : "T") + parts.map { "\($0.0)\($0.1)" }.joined()
  }

  /// The number of days of the whole calendar.
  private static let mostDays = 3_652_059

  package init?(_ text: Bytes) {
    var index = 0
    var sign = 1
    if index < text.count, text[index] == 0x2B || text[index] == 0x2D {
      sign = text[index] == 0x2D ? -1 : 1
      index += 1
    }
    guard index < text.count, text[index] | 0x20 == 0x70 else { return nil }
    index += 1
    var days = 0
    var seconds = 0
    var isTime = false
    var isMalformed = false
    var partCount = 0
    while index < text.count {
      if text[index] | 0x20 == 0x74 {
        isMalformed = isMalformed || isTime
        isTime = true
        index += 1
        continue
      }
      var number = 0
      let first = index
      while index < text.count, text[index].isDigit {
        number = min(number * 10 + Int(text[index] &- 0x30), 1_000_000_000_000)
        index += 1
      }
      guard index > first, index < text.count else { return nil }
      switch text[index] | 0x20 {
      case 0x77:
        days += number * 7
        isMalformed = isMalformed || isTime
      case 0x64:
        days += number
        isMalformed = isMalformed || isTime
      case 0x68: seconds += number * 3600
      case 0x6D: seconds += number * 60
      case 0x73: seconds += number
      default: return nil
      }
      if text[index] | 0x20 != 0x77, text[index] | 0x20 != 0x64, !isTime { isMalformed = true }
      guard days <= Self.mostDays, seconds / TimeOfDay.secondsPerCivilDay <= Self.mostDays else {
        return nil
      }
      partCount += 1
      index += 1
    }
    guard partCount > 0 else { return nil }
    duration = EventDuration(days: sign * days, seconds: sign * seconds)
    self.isMalformed = isMalformed
  }
}
