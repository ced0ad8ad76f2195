/// The first letters of a title as a number, which decides most comparisons of titles without reading
/// them: entries of the same time are far apart in memory.
struct TitleStart {
  private static let count = 7

  /// 0 if the letters cannot be compared as numbers.
  private let letters: UInt64

  /// Only ASCII is in the order of its bytes: the accent that follows a letter would change it. So the
  /// byte after the letters must be ASCII too.
  init(_ title: String) {
    var title = title
    letters = title.withUTF8 { utf8 in
      var letters: UInt64 = 0
      for (index, byte) in utf8.prefix(Self.count + 1).enumerated() {
        guard byte != 0, byte < 0x80 else { return 0 }
        if index < Self.count { letters |= UInt64(byte) << (56 - 8 * index) }
      }
      return letters
    }
  }

  /// Whether it comes first; `nil` if more of the titles decides.
  func precedes(_ other: TitleStart) -> Bool? {
    guard letters != 0, other.letters != 0, letters != other.letters else { return nil }
    return letters < other.letters
  }
}
