internal import enum Platform.Memory

/// A title, name or UID as a key and in order, however long it is.
///
/// Of a long text the first bytes are compared as characters, and the rest as bytes: Swift converts text
/// that is not ASCII to its normal form each time that it compares or hashes it.
package struct ComparedText: Hashable, Comparable {
  package let text: String

  /// Nearly all titles are shorter.
  private static let longest = 128

  package init(_ text: String) { self.text = text }

  /// The characters at its beginning that are compared as such.
  var start: Substring { Self.start(of: text) }

  /// Whether a text comes before another one (-1), after it (1) or is the same (0).
  static func order(_ text: String, _ other: String) -> Int {
    guard isLong(text) || isLong(other) else {
      return text == other ? 0 : text < other ? -1 : 1
    }
    let (start, otherStart) = (start(of: text), start(of: other))
    guard start == otherStart else { return start < otherStart ? -1 : 1 }
    var (rest, otherRest) = (text[start.endIndex...], other[otherStart.endIndex...])
    return rest.withUTF8 { rest in otherRest.withUTF8 { Memory.order(rest, $0) } }
  }

  package static func == (left: Self, right: Self) -> Bool {
    isLong(left.text) || isLong(right.text)
      ? order(left.text, right.text) == 0 : left.text == right.text
  }

  package static func < (left: Self, right: Self) -> Bool { order(left.text, right.text) < 0 }

  package func hash(into hasher: inout Hasher) {
    guard Self.isLong(text) else {
      hasher.combine(text)
      return
    }
    let start = start
    hasher.combine(start)
    var rest = text[start.endIndex...]
    rest.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  private static func isLong(_ text: String) -> Bool { text.utf8.count > longest }

  private static func start(of text: String) -> Substring {
    let end = text.utf8.index(
      text.utf8.startIndex, offsetBy: longest, limitedBy: text.utf8.endIndex)
    return Substring(text.unicodeScalars[..<(end ?? text.utf8.endIndex)])
  }
}
