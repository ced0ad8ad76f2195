import Foundation
import TestSupport
import Testing

/// What `agenda show` prints, in every format, for the cases of `Fixtures/goldens/cases.txt`.
///
/// A person has compared every file there with its source. `AGENDA_RECORD=1` writes the files again and
/// fails; read what changed.
@Suite("Goldens")
struct GoldenTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let arguments: [String]

    var testDescription: String { name }
  }

  private static let folder = AgendaRun.fixtures.appendingPathComponent("goldens")

  static let cases: [Case] = {
    let file = folder.appendingPathComponent("cases.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let name = words.first, !name.hasPrefix("#") else { return nil }
      return Case(name: name, arguments: Array(words.dropFirst()))
    }
  }()

  private static let endings = [
    "text": "txt", "markdown": "md", "json": "json", "jsonl": "jsonl", "tsv": "tsv",
  ]

  @Test("there are enough of them")
  func count() {
    #expect(Self.cases.count >= 25)
  }

  @Test("output equals the recorded goldens", arguments: cases)
  func printed(golden: Case) throws {
    for (format, ending) in Self.endings.sorted(by: { $0.key < $1.key }) {
      let run = try AgendaRun(
        ["show"] + golden.arguments + ["--format", format] + Self.pinned(for: golden),
        in: AgendaRun.fixtures)
      let file = Self.folder.appendingPathComponent("\(golden.name).\(ending)")
      if TestSettings.isRecording {
        try Data(run.output.utf8).write(to: file)
        Issue.record("recorded \(file.lastPathComponent)")
        continue
      }
      let kept = try String(contentsOf: file, encoding: .utf8)
      #expect(run.output == kept, "\(golden.name), \(format)")
      #expect(run.status == 0)
    }
  }

  /// The pinned zone, unless the case names its own.
  private static func pinned(for golden: Case) -> [String] {
    golden.arguments.contains("--timezone")
      ? Array(AgendaRun.pinned.prefix(2)) : AgendaRun.pinned
  }

  @Test("a line of JSON lines is an entry of the document, with its section", arguments: cases)
  func lines(golden: Case) throws {
    func read(_ ending: String) throws -> String {
      try String(
        contentsOf: Self.folder.appendingPathComponent("\(golden.name).\(ending)"), encoding: .utf8)
    }
    let document = try read("json").split(separator: "\n").filter { $0.hasPrefix("{\"indexPath\"") }
      .map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
    let lines = try read("jsonl").split(separator: "\n").map { line in
      // Without the section, which comes first and holds no comma that is not in quotes.
      line.range(of: ",\"indexPath\"").map { "{\"indexPath\"" + line[$0.upperBound...] } ?? ""
    }
    #expect(document.map(String.init) == lines)
  }
}
