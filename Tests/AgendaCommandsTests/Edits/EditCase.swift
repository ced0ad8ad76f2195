import Foundation
import TestSupport
import Testing

/// A case of `Fixtures/edits/*.txt`: why it is there, a command line, a calendar, and what becomes of
/// it.
///
/// ```
/// # One line that states the fact
/// $ edit lesson@2026-12-02 --only --title "Songs"
/// before:
/// BEGIN:VCALENDAR
/// …
/// after:
/// BEGIN:VCALENDAR
/// …
/// ```
///
/// The entry is named by its UID and, in a series, by the date on which it is shown. All lines end with
/// CRLF, unless a line `line ends: LF` says otherwise. `new file:` is a second calendar that the edit
/// makes. Instead of `after:` there can be `unchanged`, `removed` (the file goes) or `refused: REASON`.
struct EditCase: CustomTestStringConvertible, Sendable {
  enum Outcome: Equatable, Sendable, CustomStringConvertible {
    case changed(String, newFile: String?)
    case unchanged
    case removed
    case refused(String)

    /// As in the table.
    var description: String {
      switch self {
      case .changed(let text, let newFile):
        "after:\n\(text)" + (newFile.map { "new file:\n\($0)" } ?? "")
      case .unchanged: "unchanged"
      case .removed: "removed"
      case .refused(let reason): "refused: \(reason)"
      }
    }
  }

  let name: String
  let command: [String]
  let before: String
  let outcome: Outcome

  var testDescription: String { name }

  static let all: [EditCase] = {
    let folder = Repository.fixtures.appendingPathComponent("edits")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
      let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return cases(of: text ?? "", in: String(name.dropLast(4)))
    }
  }()

  private static func cases(of text: String, in file: String) -> [EditCase] {
    var cases: [EditCase] = []
    var block: [Substring] = []
    let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines + ["# "] {
      if line.hasPrefix("# ") {
        if let found = EditCase(block, in: file) { cases.append(found) }
        block = []
      }
      block.append(line)
    }
    return cases
  }

  /// `nil` for a remark that has no command.
  private init?(_ lines: [Substring], in file: String) {
    guard let why = lines.first, lines.count > 1, lines[1].hasPrefix("$ ") else { return nil }
    name = "\(file): \(why.dropFirst(2))"
    command = Self.words(lines[1].dropFirst(2))
    var lineEnd = "\r\n"
    var parts: [String: String] = [:]
    var part = ""
    var refusal: String?
    for line in lines.dropFirst(2) {
      if line.hasPrefix("line ends: ") {
        lineEnd = line.hasSuffix(" LF") ? "\n" : "\r"
      } else if line.hasPrefix("refused: ") {
        refusal = String(line.dropFirst("refused: ".count))
      } else if ["before:", "after:", "new file:", "unchanged", "removed"].contains(line) {
        part = line.hasSuffix(":") ? String(line.dropLast()) : String(line)
        parts[part] = ""
      } else if !line.isEmpty {
        parts[part, default: ""] += line + lineEnd
      }
    }
    before = parts["before"] ?? ""
    outcome =
      if let refusal {
        .refused(refusal)
      } else if parts["removed"] != nil {
        .removed
      } else if let after = parts["after"] {
        .changed(after, newFile: parts["new file"])
      } else {
        .unchanged
      }
  }

  /// The words of a command line; double quotes hold blanks, and `\n` in them is a line break.
  private static func words(_ line: Substring) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .reduce(into: [""]) { words, part in
        if part.offset % 2 == 1 {
          words[words.count - 1] += part.element.replacing("\\n", with: "\n")
          return
        }
        let parts = part.element.split(separator: " ", omittingEmptySubsequences: false)
        for (number, word) in parts.enumerated() {
          if number > 0 { words.append("") }
          words[words.count - 1] += word
        }
      }
  }
}
