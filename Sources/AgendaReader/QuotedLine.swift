public import AgendaCore

/// The line of a source that a finding speaks of, for people: cut to what is around the place, and
/// where in it the place is.
public struct QuotedLine: Hashable, Sendable {
  /// As it stands in the source, without its end; `…` where it was cut. It is data: what shows it
  /// has to make it safe.
  public let text: String
  /// The place as characters of `text`; `nil` where the finding speaks of the whole line.
  public let place: Range<Int>?

  /// Bytes shown before and after a place.
  private static let reach = 60
  private static let ellipsis = "…"

  init(_ line: Bytes, place: Range<Int>?) {
    let wanted = (place ?? 0..<0).clamped(to: 0..<line.count)
    var start = max(0, wanted.lowerBound - Self.reach)
    var end = min(line.count, max(wanted.lowerBound, wanted.upperBound) + Self.reach)
    end = min(end, wanted.lowerBound + 4 * Self.reach)
    // Not within a character.
    while start > 0, start < line.count, line[start] & 0xC0 == 0x80 { start -= 1 }
    while end < line.count, line[end] & 0xC0 == 0x80 { end += 1 }
    let before = (start > 0 ? Self.ellipsis : "") + line.part(start, wanted.lowerBound).text
    let middle = line.part(wanted.lowerBound, min(wanted.upperBound, end)).text
    let after = line.part(min(wanted.upperBound, end), end).text
    text = before + middle + after + (end < line.count ? Self.ellipsis : "")
    self.place =
      place == nil ? nil : before.count..<before.count + max(1, middle.count)
  }
}

extension CalendarFile {
  /// The line of each finding; `nil` for one that speaks of the source as a whole. Asked for many
  /// findings at once, because finding lines in a large source means going through it.
  public func quotedLines(of findings: [Finding]) -> [QuotedLine?] {
    guard findings.contains(where: { $0.line != nil }) else { return findings.map { _ in nil } }
    let bytes = text.bytes.bytes
    let index = LineIndex(bytes, from: text.start)
    return findings.map { finding in
      guard let line = finding.line, let range = index.range(ofLine: line, in: bytes) else {
        return nil
      }
      return QuotedLine(bytes.part(range.lowerBound, range.upperBound), place: finding.place)
    }
  }
}
