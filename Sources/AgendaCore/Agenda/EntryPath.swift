/// The position of an entry: the number of its section, and its number within the section.
///
/// Both count from 0 in code and from 1 in writing: the first entry of the third section is
/// `EntryPath(section: 2, entry: 0)`, written `3.1`.
public struct EntryPath: Hashable, Comparable, Sendable {
  /// The number of the section, from 0.
  public let section: Int
  /// The number of the entry within its section, from 0.
  public let entry: Int

  /// Makes an index path of two numbers that count from 0.
  public init(section: Int, entry: Int) {
    self.section = section
    self.entry = entry
  }

  /// Reads a text such as `3.1`, which counts from 1; `nil` if the text has another form.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let section = Self.number(parts[0]), let entry = Self.number(parts[1])
    else { return nil }
    self.init(section: section - 1, entry: entry - 1)
  }

  /// `Int` would also accept a sign, so only digits are allowed.
  private static func number(_ digits: some StringProtocol) -> Int? {
    guard !digits.isEmpty,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }),
      let number = Int(digits), number >= 1
    else { return nil }
    return number
  }

  public static func < (left: EntryPath, right: EntryPath) -> Bool {
    (left.section, left.entry) < (right.section, right.entry)
  }
}

extension EntryPath: CustomStringConvertible {
  /// `3.1`
  public var description: String { "\(section + 1).\(entry + 1)" }
}
