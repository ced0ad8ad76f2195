package import AgendaCore

/// A line of a source under the message that speaks of it, with a mark under the part that is meant:
///
///      120 | DTSTART:20260230T090000
///          |         ^^^^^^^^^^^^^^^
///
/// It is never wider than its terminal, since a mark is of no use under a line that wraps.
public struct QuotedLine {
  private let excerpt: SourceExcerpt
  private let columns: Int

  /// The default width of a quote, for outputs that are not a terminal.
  private static let usualWidth = 100
  private static let fewestColumns = 16
  private static let numberColumns = 6
  private static let separator = " | "

  /// `width` is the width of the terminal; `nil` if the output is not a terminal.
  package init(_ excerpt: SourceExcerpt, width: Int? = nil) {
    self.excerpt = excerpt
    let margin = max(Self.numberColumns, "\(excerpt.line)".utf8.count) + Self.separator.utf8.count
    columns = max(Self.fewestColumns, (width ?? Self.usualWidth) - margin)
  }

  /// One or two lines, each with its end.
  public func render(to sink: inout ByteSink) {
    let number = "\(excerpt.line)"
    let gap = String(repeating: " ", count: max(0, Self.numberColumns - number.utf8.count))
    let bytes = Array(excerpt.text.utf8)
    let place = (excerpt.place ?? 0..<0).clamped(to: 0..<bytes.count)
    // Each part is made safe separately, so that the mark is under the visible characters.
    let parts = Parts(
      before: Self.harmless(bytes[..<place.lowerBound]), middle: Self.harmless(bytes[place]),
      after: Self.harmless(bytes[place.upperBound...])
    ).cut(to: columns)
    sink.write("\(gap)\(number)\(Self.separator)\(parts.before)\(parts.middle)\(parts.after)\n")
    guard excerpt.place != nil, !bytes.isEmpty else { return }
    let label = String(repeating: " ", count: gap.utf8.count + number.utf8.count)
    let indent = String(repeating: " ", count: DisplayWidth.of(parts.before))
    let mark = String(repeating: "^", count: max(1, DisplayWidth.of(parts.middle)))
    sink.write("\(label)\(Self.separator)\(indent)\(mark)\n")
  }

  /// Spaces at the ends are kept, because they are part of the line.
  private static func harmless(_ bytes: ArraySlice<UInt8>) -> String {
    String(
      String.UnicodeScalarView(
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
          scalar == "\t" ? " " : SafeText.isUnsafe(scalar) ? "\u{fffd}" : scalar
        }))
  }
}

/// The parts of the line before, at and after the problem.
private struct Parts {
  var before: String
  var middle: String
  var after: String

  /// The parts that fit into this many columns: the problem first, then the text before it.
  func cut(to columns: Int) -> Parts {
    var rest = columns
    let middle = Self.head(of: middle, columns: max(columns * 3 / 4, 1))
    rest -= max(1, DisplayWidth.of(middle))
    let wanted = min(DisplayWidth.of(after), rest / 4)
    let before = Self.tail(of: before, columns: rest - wanted)
    rest -= DisplayWidth.of(before)
    return Parts(before: before, middle: middle, after: Self.head(of: after, columns: rest))
  }

  private static func head(of text: String, columns: Int) -> String {
    guard DisplayWidth.of(text) > columns else { return text }
    var shown = ""
    var width = 0
    for character in text {
      width += DisplayWidth.of(character)
      if width >= columns { break }
      shown.append(character)
    }
    return columns > 0 ? shown + "…" : ""
  }

  private static func tail(of text: String, columns: Int) -> String {
    guard DisplayWidth.of(text) > columns else { return text }
    return String(head(of: String(text.reversed()), columns: columns).reversed())
  }
}
