/// How many months, or steps between times, may be looked at to find the occurrences of a rule. It is
/// endless by default, because a rule ends by itself.
struct WorkLimit: Sendable {
  private(set) var left: Int

  init(_ amount: Int = .max) { left = amount }

  /// A month of another calendar takes about so many times as long as a Gregorian one.
  static let ofOtherMonth = 3

  var isExhausted: Bool { left < 0 }

  /// Whether there was so much left.
  mutating func spend(_ amount: Int) -> Bool {
    if left >= 0 { left -= amount }
    return left >= 0
  }
}
