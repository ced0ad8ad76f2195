/// The place of an entry in an agenda: its section, and its place within the section.
///
/// Both count from 0 in code and from 1 in writing: the first entry of the third section is
/// `IndexPath(section: 2, entry: 0)`, written `3.1`.
public struct IndexPath: Hashable, Comparable, Sendable {
  public let section: Int
  public let entry: Int

  public init(section: Int, entry: Int) {
    self.section = section
    self.entry = entry
  }

  /// Reads `3.1`; `nil` for anything else, and for numbers below 1.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let section = Self.number(parts[0]), let entry = Self.number(parts[1])
    else { return nil }
    self.init(section: section - 1, entry: entry - 1)
  }

  /// Digits alone: `Int` would take a sign too.
  private static func number(_ digits: some StringProtocol) -> Int? {
    guard !digits.isEmpty,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }),
      let number = Int(digits), number >= 1
    else { return nil }
    return number
  }

  public static func < (left: IndexPath, right: IndexPath) -> Bool {
    (left.section, left.entry) < (right.section, right.entry)
  }
}

extension IndexPath: CustomStringConvertible {
  /// `3.1`
  public var description: String { "\(section + 1).\(entry + 1)" }
}
