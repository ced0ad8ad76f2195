/// A component as its source wrote it: its own content lines, unfolded, without those of the
/// components within it.
struct ComponentText {
  struct Line: Equatable {
    /// In capitals: `DTSTART`.
    let name: String
    /// The parameters with the semicolon before each: `;TZID=Europe/Berlin`.
    let parameters: String
    let value: String

    /// The whole line: `DTSTART;TZID=Europe/Berlin:20261124T093000`.
    var text: String { "\(name)\(parameters):\(value)" }

    /// The value of a parameter, without quotes.
    func parameter(_ wanted: String) -> String? {
      var rest = parameters[...]
      while rest.popFirst() != nil {
        var end = rest.startIndex
        var isQuoted = false
        while end < rest.endIndex, isQuoted || rest[end] != ";" {
          if rest[end] == "\"" { isQuoted.toggle() }
          end = rest.index(after: end)
        }
        let pair = rest[..<end].split(separator: "=", maxSplits: 1)
        if pair.count == 2, pair[0].uppercased() == wanted {
          return String(pair[1].filter { $0 != "\"" })
        }
        rest = rest[end...]
      }
      return nil
    }
  }

  let lines: [Line]

  init(_ text: String) {
    var lines: [Line] = []
    var depth = 0
    for line in Self.unfolded(text) {
      guard let parsed = Self.line(line) else { continue }
      switch parsed.name {
      case "BEGIN": depth += 1
      case "END": depth -= 1
      default: if depth == 1 { lines.append(parsed) }
      }
    }
    self.lines = lines
  }

  func lines(named name: String) -> [Line] { lines.filter { $0.name == name } }

  private static func unfolded(_ text: String) -> [String] {
    var lines: [String] = []
    for raw in text.split(whereSeparator: \.isNewline) {
      if raw.first == " " || raw.first == "\t", !lines.isEmpty {
        lines[lines.count - 1] += raw.dropFirst()
      } else {
        lines.append(String(raw))
      }
    }
    return lines
  }

  private static func line(_ text: String) -> Line? {
    var isQuoted = false
    var nameEnd: String.Index?
    for index in text.indices {
      switch text[index] {
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted: nameEnd = nameEnd ?? index
      case ":" where !isQuoted:
        let end = nameEnd ?? index
        return Line(
          name: text[..<end].uppercased(), parameters: String(text[end..<index]),
          value: String(text[text.index(after: index)...]))
      default: break
      }
    }
    return nil
  }
}
