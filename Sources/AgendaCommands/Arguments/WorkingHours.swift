internal import CivilTime

/// The working hours of a day: `09:00-17:00`.
struct WorkingHours: Equatable {
  let begin: TimeOfDay
  /// `nil` for the end of the day, `24:00`.
  let finish: TimeOfDay?

  /// `nil` if the text is malformed, or if the end is before the start.
  init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let begin = Self.time(&scanner), scanner.skip("-"), let finish = Self.time(&scanner),
      scanner.isAtEnd, let first = TimeOfDay(hour: begin.hour, minute: begin.minute)
    else { return nil }
    self.begin = first
    if finish.hour == 24, finish.minute == 0 {
      self.finish = nil
    } else {
      guard let last = TimeOfDay(hour: finish.hour, minute: finish.minute), last > first else {
        return nil
      }
      self.finish = last
    }
  }

  private static func time(_ scanner: inout DigitScanner) -> (hour: Int, minute: Int)? {
    guard let hour = scanner.number(of: 2), scanner.skip(":"), let minute = scanner.number(of: 2)
    else { return nil }
    return (hour, minute)
  }
}
