internal import AgendaCore
internal import AgendaRendering

/// What came of reading or importing sources, for people or for programs.
struct ReportFormat {
  /// How the counts are to be called: an import has done it, a check would.
  enum Manner {
    case done, wouldBe
  }

  let manner: Manner

  // MARK: JSON

  /// One object for all sources.
  func writeJSON(_ reports: [SourceReport], to sink: inout ByteSink) {
    sink.write("{\"version\":1,\"sources\":")
    sink.write(jsonArray: reports) { sink, report in
      sink.write("\n{\"source\":")
      sink.write(json: report.source)
      sink.write(",\"calendar\":")
      sink.write(json: report.calendar)
      for (name, count) in [
        ("components", report.components), ("added", report.added), ("updated", report.updated),
        ("removed", report.removed), ("unchanged", report.unchanged),
        ("superseded", report.superseded), ("rejected", report.rejected),
      ] {
        sink.write(",\"\(name)\":")
        sink.write(json: count)
      }
      sink.write(",\"error\":")
      sink.write(json: report.error)
      sink.write(",\"problems\":")
      sink.write(jsonArray: report.problems) { sink, problem in
        sink.write("\n{")
        sink.write(jsonFieldsOf: problem)
        sink.write("}")
      }
      sink.write("}")
    }
    sink.write("}\n")
  }

  // MARK: Text

  /// `work.ics: 120 components into work: 117 added, 1 superseded, 2 rejected`
  func summary(_ report: SourceReport) -> String {
    if let error = report.error { return "\(report.source): refused: \(error)" }
    var counts: [String] = []
    for (count, word) in [
      (report.added, "added"), (report.updated, "updated"), (report.removed, "removed"),
      (report.unchanged, "unchanged"), (report.superseded, "superseded"),
      (report.rejected, "rejected"),
    ] where count > 0 {
      counts.append("\(count) \(manner == .wouldBe && word == "added" ? "to add" : word)")
    }
    let components = report.components == 1 ? "1 component" : "\(report.components) components"
    let calendar = report.calendar.map { ", calendar \($0)" } ?? ""
    return
      "\(report.source): \(components)\(calendar): "
      + (counts.isEmpty ? "nothing to do" : counts.joined(separator: ", "))
  }
}

/// A line of a source with a caret under the place that a problem speaks of.
struct QuotedLine {
  private let line: String
  private let caret: String?

  /// More columns than these are cut off on both sides of the place.
  private static let mostColumns = 100
  private static let columnsBefore = 30

  /// `place` is in bytes from the start of the line.
  init(_ bytes: [UInt8], number: Int, place: Range<Int>?) {
    let place = place.map { $0.clamped(to: 0..<bytes.count) }
    var start = 0
    if let place, bytes.count > Self.mostColumns {
      start = max(0, place.lowerBound - Self.columnsBefore)
    }
    // Not in the middle of a character.
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let end = min(bytes.count, start + Self.mostColumns)
    let gutter = "\(number)"
    let prefix = start > 0 ? "…" : ""
    let suffix = end < bytes.count ? "…" : ""
    line =
      "    \(gutter) | \(prefix)\(Self.shown(bytes[start..<end]))\(suffix)"
    guard let place, !place.isEmpty, place.lowerBound < end else {
      caret = nil
      return
    }
    let before = DisplayWidth.of(prefix + Self.shown(bytes[start..<place.lowerBound]))
    let length = DisplayWidth.of(
      Self.shown(bytes[place.lowerBound..<min(place.upperBound, end)]))
    let blank = String(repeating: " ", count: gutter.utf8.count)
    caret =
      "    \(blank) | " + String(repeating: " ", count: before)
      + String(repeating: "^", count: max(1, length))
  }

  func write(to sink: inout ByteSink) {
    sink.write(line + "\n")
    if let caret { sink.write(caret + "\n") }
  }

  /// Each control character and each run of blanks keeps its place, so that the caret stands right.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar == "\t" {
        shown += " "
      } else {
        shown += SafeText.line(String(scalar))
      }
    }
    return shown
  }
}
