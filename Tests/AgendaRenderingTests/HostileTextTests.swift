import AgendaCore
import CivilTime
import Foundation
import Recurrence
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Hostile text changes nothing but the text")
struct HostileTextTests {
  /// An agenda with the same times each time, and texts from `text`.
  private static func sample(_ text: (String) -> String) throws -> RenderingSample {
    var sample = try RenderingSample()
    func add(_ start: String, to end: String, kind: Event.Kind = .event) throws {
      var details = EventDetails()
      details.url = text("url")
      details.conference = text("conference")
      details.description = text("description")
      details.organizer = Person(name: text("name"), email: text("email"))
      details.attachments = [
        Attachment(
          number: 1, mediaType: text("type"), byteCount: nil, uri: text("uri"), name: nil,
          isImage: false)
      ]
      try sample.add(
        text("title"), start, to: end, kind: kind, location: text("location"),
        categories: [text("category")], calendar: text("calendar"), uid: text("uid"),
        details: details)
    }
    try add("2026-11-21", to: "2026-11-23")
    try add("2026-11-21T09:00", to: "2026-11-21T10:00")
    try add("2026-11-22T09:00", to: "2026-11-22T09:00")
    try add("2026-11-23", to: "2026-11-24", kind: .task)
    return sample
  }

  private static func documents(
    _ count: Int, seed: UInt64, _ render: (RenderingSample, inout ByteSink) throws -> Void
  ) throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    return try (0..<count).map { _ in
      let sample = try sample { _ in HostileText.random(using: &generator) }
      var failure: (any Error)?
      let rendered = text { sink in
        do { try render(sample, &sink) } catch { failure = error }
      }
      if let failure { throw failure }
      return rendered
    }
  }

  // Checks Decisions: Importing/21
  @Test("text and TSV hold nothing that a terminal would act on")
  func terminal() throws {
    let wording = DateWording(.plain)
    let documents =
      try Self.documents(150, seed: 1) { sample, sink in
        TextFormat(wording).render(try sample.agenda(), to: &sink)
      }
      + Self.documents(150, seed: 2) { sample, sink in
        TextFormat(wording, style: TextStyle(width: 40, showsZones: true, showsIdentifiers: true))
          .render(try sample.agenda(options: .init(groupedBy: .location)), to: &sink)
      }
      + Self.documents(150, seed: 3) { sample, sink in
        TSVFormat().render(try sample.agenda(), to: &sink)
      }
      + Self.documents(150, seed: 4) { sample, sink in
        MarkdownFormat(wording, contents: true, details: sample.detailsSource())
          .render(try sample.agenda(options: .init(groupedBy: .calendar)), to: &sink)
      }
    for document in documents {
      #expect(!document.unicodeScalars.contains(where: HostileText.isDangerous))
    }
  }

  @Test("in a pipe an entry is one line of text")
  func lines() throws {
    let documents = try Self.documents(200, seed: 5) { sample, sink in
      TextFormat(DateWording(.plain)).render(try sample.agenda(), to: &sink)
    }
    for document in documents {
      // Three days with a heading each, a blank line between them, five entries.
      #expect(
        document.split(separator: "\n", omittingEmptySubsequences: false).count == 3 + 2 + 5 + 1)
    }
  }

  @Test("no line on a terminal is wider than the terminal", arguments: [20, 40, 59, 60, 80])
  func width(columns: Int) throws {
    let documents = try Self.documents(60, seed: 6) { sample, sink in
      TextFormat(DateWording(.plain), style: TextStyle(width: columns))
        .render(try sample.agenda(), to: &sink)
    }
    for line in documents.flatMap({ $0.split(separator: "\n") }) {
      #expect(DisplayWidth.of(String(line)) <= columns, "\(line)")
    }
  }

  /// The rows of a table by RFC 4180.
  private static func rows(ofCSV text: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    func append(_ scalar: Unicode.Scalar) {
      rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(scalar)
    }
    while let scalar = scalars.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where scalars.first == "\"":
        scalars.removeFirst()
        append(scalar)
      case ("\"", _): isQuoted.toggle()
      case (",", false): rows[rows.count - 1].append("")
      case ("\r", false) where scalars.first == "\n":
        scalars.removeFirst()
        rows.append([""])
      default: append(scalar)
      }
    }
    return rows.dropLast()
  }

  @Test("CSV keeps its rows and columns, and a safe cell does not begin like a formula")
  func commaSeparated() throws {
    var generator = SeededGenerator(seed: 8)
    for round in 0..<200 {
      let isSafe = round.isMultiple(of: 2)
      let starts = ["", "=", "+", "-", "@", "\"", ",", "'"]
      let titles = (0..<4).map { _ in
        (starts.randomElement(using: &generator) ?? "") + HostileText.random(using: &generator)
      }
      var remaining = titles[...]
      let sample = try Self.sample {
        $0 == "title" ? remaining.popFirst() ?? "" : HostileText.samples[0]
      }
      let agenda = try sample.agenda(options: .init(once: true))
      let table = text {
        TSVFormat(TableStyle(kind: .csv, isSafe: isSafe)).render(agenda, to: &$0)
      }
      let rows = Self.rows(ofCSV: table)
      #expect(rows.count == 5)
      #expect(rows.allSatisfy { $0.count == TSVFormat.columns.count })
      #expect(rows.first == TSVFormat.columns)
      let kept = titles.map { title in
        let shown = String(
          String.UnicodeScalarView(
            title.unicodeScalars.filter {
              "\n\t\r".unicodeScalars.contains($0) || !SafeText.isUnsafe($0)
            }))
        let isFormula = shown.unicodeScalars.first.map { "=+-@".unicodeScalars.contains($0) }
        return isSafe && isFormula == true ? "'" + shown : shown
      }
      let found = rows.dropFirst().map { $0.count > 2 ? $0[2] : "" }
      #expect(found.map { Array($0.utf8) } == kept.map { Array($0.utf8) })
      if isSafe {
        #expect(rows.joined().allSatisfy { cell in !"=+-@".contains { cell.hasPrefix("\($0)") } })
      }
    }
  }

  @Test("TSV keeps its rows and columns, and every cell can be read back")
  func table() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let titles = (0..<4).map { _ in HostileText.random(using: &generator) }
      var remaining = titles[...]
      let sample = try Self.sample {
        $0 == "title" ? remaining.popFirst() ?? "" : HostileText.samples[0]
      }
      let agenda = try sample.agenda(options: .init(once: true))
      let rows = text { TSVFormat().render(agenda, to: &$0) }
        .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(rows.count == 5)
      var read: [String] = []
      for row in rows.dropFirst() {
        let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
        #expect(cells.count == TSVFormat.columns.count)
        guard cells.count > 2 else { continue }
        read.append(Self.unescaped(cells[2]))
      }
      let kept = { (text: String) in
        String(
          String.UnicodeScalarView(
            text.unicodeScalars.filter {
              "\n\t\r".unicodeScalars.contains($0) || !SafeText.isUnsafe($0)
            }))
      }
      #expect(read.sorted() == titles.map(kept).sorted())
    }
  }

  private static func unescaped(_ cell: Substring) -> String {
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in cell.unicodeScalars {
      if isEscaped {
        text.append(scalar == "t" ? "\t" : scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  // Checks Decisions: Importing/21
  @Test("JSON gives the data back as it was, and holds nothing that a terminal would act on")
  func json() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<100 {
      var given: [String: [String]] = [:]
      let sample = try Self.sample { field in
        let text = HostileText.random(using: &generator)
        given[field, default: []].append(text)
        return text
      }
      let agenda = try sample.agenda(options: .init(once: true))
      let document = text { JSONFormat(details: sample.detailsSource()).render(agenda, to: &$0) }
      #expect(
        !document.unicodeScalars.contains {
          HostileText.isDangerous($0) || SafeText.isUnsafe($0) && $0 != "\n"
        })
      let parsed = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
      let sections = try #require(parsed?["sections"] as? [[String: Any]])
      let entries = sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }
      for key in ["title", "location", "calendar", "uid", "description", "url", "conference"] {
        #expect(
          // A title without a letter is one that the event lacks.
          entries.compactMap { $0[key] as? String ?? (key == "title" ? "" : nil) }
            .map { Array($0.unicodeScalars) }.sorted { "\($0)" < "\($1)" }
            == (given[key] ?? []).map { Array($0.unicodeScalars) }.sorted { "\($0)" < "\($1)" })
      }
    }
  }

  @Test(
    "hostile texts do not change the structure of Markdown, by markdown-it-py",
    .requiresPythonPackages)
  func markdown() throws {
    let wording = DateWording(.plain)
    let render = { (sample: RenderingSample, sink: inout ByteSink) in
      let agenda = try sample.agenda()
      MarkdownFormat(wording, details: sample.detailsSource()).render(agenda, to: &sink)
    }
    let harmless = try Self.sample { $0 }.agenda()
    let plain = text { MarkdownFormat(wording).render(harmless, to: &$0) }
    let documents = [plain] + (try Self.documents(300, seed: 9, render))
    let script = """
      import json, sys
      from markdown_it import MarkdownIt
      allowed = {"text", "strong_open", "strong_close", "em_open", "em_close", "softbreak", "link_open", "link_close"}
      for document in json.load(sys.stdin):
          for parser in (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable(["table", "strikethrough"])):
              shape, bad, shown = [], [], []
              for token in parser.parse(document):
                  if token.type != "inline":
                      shape.append(token.type)
                      continue
                  shown.append("".join(child.content for child in token.children))
                  for child in token.children:
                      if child.type not in allowed: bad.append(child.type)
                      if child.type == "link_open":
                          target = child.attrs["href"]
                          if target.split(":")[0] not in ("http", "https", "mailto"): bad.append(target)
              print(json.dumps({"shape": shape, "bad": bad, "shown": shown}))
      """
    let input = String(decoding: try JSONEncoder().encode(documents), as: UTF8.self)
    let output = try Python.output(of: ["-c", script], input: input)
    struct Reading: Decodable {
      let shape: [String]
      let bad: [String]
      let shown: [String]
    }
    let readings = try output.split(separator: "\n").map {
      try JSONDecoder().decode(Reading.self, from: Data($0.utf8))
    }
    #expect(readings.count == 2 * documents.count)
    let shape = try #require(readings.first).shape
    #expect(shape.count { $0 == "heading_open" } == 3)
    #expect(shape.count { $0 == "list_item_open" } == 5)
    for (reading, document) in zip(readings, documents.flatMap { [$0, $0] }) {
      #expect(reading.shape == shape, "\(document)")
      #expect(reading.bad == [], "\(document)")
    }
  }

  @Test("a file on a terminal keeps its lines and its letters, and nothing that a terminal acts on")
  func files() {
    let text = "SUMMARY:a\u{1B}[31m\tß \u{85}\u{9B}2J é\u{7F}\r\n à\u{0}"
    let shown = String(decoding: SafeText.file(Array(text.utf8)), as: UTF8.self)
    #expect(shown == "SUMMARY:a�[31m\tß ��2J é�\r\n à�")
    let marks = "a\u{202E}b\rc\u{200D}d\r\ne\r"
    let shownMarks = String(decoding: SafeText.file(Array(marks.utf8)), as: UTF8.self)
    #expect(shownMarks == "a�b�c\u{200D}d\r\ne�")
    // A lone byte is an escape sequence on some terminals.
    #expect(SafeText.file([0x61, 0x9B, 0x62]) == Array("a�b".utf8))
  }

  @Test(
    "Markdown shows each text as it is, by markdown-it-py", .requiresPythonPackages,
    arguments: [HostileText.samples])
  func markdownTexts(samples: [String]) throws {
    let titles = samples.filter { !SafeText.line($0).isEmpty }
    let documents = titles.map {
      "## \(MarkdownText.inline($0))\n\n- **x** \(MarkdownText.inline($0))\n"
    }
    let script = """
      import json, sys
      from markdown_it import MarkdownIt
      parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
      print(json.dumps([["".join(c.content for c in t.children) for t in parser.parse(d) if t.type == "inline"]
                        for d in json.load(sys.stdin)]))
      """
    let input = String(decoding: try JSONEncoder().encode(documents), as: UTF8.self)
    let output = try Python.output(of: ["-c", script], input: input)
    let shown = try JSONDecoder().decode([[String]].self, from: Data(output.utf8))
    for (title, texts) in zip(titles, shown) {
      let line = SafeText.line(title)
      #expect(texts == [line, "x \(line)"])
    }
  }

  @Test("a delete character never reaches a terminal")
  func deleteCharacter() {
    #expect(SafeText.line("a\u{7f}b") == "a\u{fffd}b")
    #expect(SafeText.line("a~b") == "a~b")
  }
}
