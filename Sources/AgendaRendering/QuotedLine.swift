/// A line of a source under the message that speaks of it, with a mark under the part that is meant:
///
///      120 | DTSTART:20260230T090000
///          |         ^^^^^^^^^^^^^^^
public struct QuotedLine {
  private let number: Int
  private let line: String
  private let place: Range<Int>?

  /// More columns of a line than this are not quoted; what is meant stays in sight.
  private static let longest = 100

  /// - Parameters:
  ///   - number: the line's number, from 1.
  ///   - bytes: the line as its source has it, without its end.
  ///   - place: the part that is meant, in bytes of the line.
  public init(number: Int, bytes: some Sequence<UInt8>, place: Range<Int>?) {
    self.number = number
    line = String(decoding: Array(bytes), as: UTF8.self)
    self.place = place
  }

  /// One or two lines, each with its end.
  public func render(to sink: inout ByteSink) {
    let label = String(repeating: " ", count: max(0, 6 - String(number).utf8.count)) + "\(number)"
    let bytes = Array(line.utf8)
    let meant = place.map { $0.clamped(to: 0..<bytes.count) } ?? 0..<0
    // Each part is made harmless by itself, so that the mark stands under what is seen.
    let before = part(bytes[..<meant.lowerBound])
    let middle = part(bytes[meant])
    let after = part(bytes[meant.upperBound...])
    let shownBefore = tail(of: before, columns: Self.longest / 2)
    let shownMiddle = head(of: middle, columns: Self.longest / 2)
    let shownAfter = head(of: after, columns: Self.longest / 4)
    sink.write("\(label) | \(shownBefore)\(shownMiddle)\(shownAfter)\n")
    guard place != nil else { return }
    let gap = String(repeating: " ", count: DisplayWidth.of(shownBefore))
    let mark = String(repeating: "^", count: max(1, DisplayWidth.of(shownMiddle)))
    sink.write("\(String(repeating: " ", count: label.utf8.count)) | \(gap)\(mark)\n")
  }

  /// Spaces at the ends count here: they are part of the line.
  private func part(_ bytes: ArraySlice<UInt8>) -> String {
    String(
      String.UnicodeScalarView(
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
          scalar == "\t" ? " " : SafeText.isUnsafe(scalar) ? "\u{fffd}" : scalar
        }))
  }

  private func head(of text: String, columns: Int) -> String {
    guard DisplayWidth.of(text) > columns else { return text }
    var shown = ""
    var width = 0
    for character in text {
      width += DisplayWidth.of(character)
      if width >= columns { break }
      shown.append(character)
    }
    return shown + "…"
  }

  private func tail(of text: String, columns: Int) -> String {
    guard DisplayWidth.of(text) > columns else { return text }
    return "…" + String(head(of: String(text.reversed()), columns: columns).dropLast().reversed())
  }
}
