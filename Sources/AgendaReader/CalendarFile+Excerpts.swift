package import AgendaCore
internal import ICalendar

extension CalendarFile {
  /// The line of each finding; `nil` for one about the whole source. It takes many findings at
  /// once, because finding lines in a large source means going through all of it.
  package func excerpts(of findings: [Finding]) -> [SourceExcerpt?] {
    guard findings.contains(where: { $0.line != nil }) else { return findings.map { _ in nil } }
    let bytes = text.bytes.bytes
    let index = LineIndex(bytes, from: text.start)
    return findings.map { finding in
      guard let line = finding.line, let range = index.range(ofLine: line, in: bytes) else {
        return nil
      }
      return SourceExcerpt(
        line: line, bytes.part(range.lowerBound, range.upperBound), place: finding.place)
    }
  }
}

extension SourceExcerpt {
  /// The most bytes before and after a problem, and of the problem itself.
  private static let reach = 120
  private static let ellipsis = "…"

  init(line: Int, _ bytes: Bytes, place: Range<Int>?) {
    let wanted = (place ?? 0..<0).clamped(to: 0..<bytes.count)
    var start = max(0, wanted.lowerBound - Self.reach)
    var end = min(bytes.count, min(wanted.upperBound, wanted.lowerBound + Self.reach) + Self.reach)
    // A character is never split.
    while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let placeEnd = min(wanted.upperBound, end)
    // Each part is decoded separately, because decoding changes the length of a line that is not
    // UTF-8.
    let before = (start > 0 ? Self.ellipsis : "") + bytes.part(start, wanted.lowerBound).text
    let middle = bytes.part(wanted.lowerBound, placeEnd).text
    let after = bytes.part(placeEnd, end).text
    let length = before.utf8.count
    self.init(
      line: line, text: before + middle + after + (end < bytes.count ? Self.ellipsis : ""),
      place: place == nil ? nil : length..<length + middle.utf8.count)
  }
}
