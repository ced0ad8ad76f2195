/// Cuts the texts out of a Swift source: its string literals, with `…` for each interpolated value.
/// Literals that are joined with `+` are one text. Comments, and the lists in which commands declare
/// their help, are left out.
struct SourceLiterals {
  struct Literal {
    let line: Int
    /// The argument label or switch pattern before it, such as `help` or `.notFound`.
    let label: String
    var text: String
  }

  private let source: [Character]
  private var index = 0
  private var line = 1
  private(set) var all: [Literal] = []

  /// Lists whose texts are help and examples, not messages.
  private static let helpLists: Set<String> = [
    "discussion", "examples", "environment", "files", "exitStatuses",
  ]

  init(of source: String) {
    self.source = Array(source)
    var end: Int?
    while index < self.source.count {
      if starts("//") {
        while index < self.source.count, self.source[index] != "\n" { index += 1 }
      } else if let hashes = literalStart() {
        let label = label(before: index)
        let joins = end.map { isJoin($0..<index) } ?? false
        let start = line
        let text = text(hashes)
        if joins, let last = all.indices.last {
          all[last].text += text
        } else {
          all.append(Literal(line: start, label: label, text: text))
        }
        end = index
      } else if self.source[index] == "[", Self.helpLists.contains(label(before: index)) {
        skipBrackets("[", "]")
      } else {
        advance()
      }
    }
  }

  private mutating func advance() {
    if source[index] == "\n" { line += 1 }
    index += 1
  }

  private func starts(_ text: String, at place: Int? = nil) -> Bool {
    source[(place ?? index)...].starts(with: text)
  }

  /// How many `#` begin a literal here; `nil` if no literal begins here.
  private func literalStart() -> Int? {
    let hashes = source[index...].prefix { $0 == "#" }.count
    return starts("\"", at: min(index + hashes, source.count)) ? hashes : nil
  }

  /// Reads a literal from its first quote to its last.
  private mutating func text(_ hashes: Int) -> String {
    index += hashes
    let marks = String(repeating: "#", count: hashes)
    let quote = starts("\"\"\"") ? "\"\"\"" : "\""
    index += quote.count
    var text = ""
    while index < source.count, !starts(quote + marks) {
      if starts("\\" + marks + "(") {
        index += 1 + hashes
        skipBrackets("(", ")")
        text += "…"
      } else if hashes == 0, source[index] == "\\" {
        index += 1
        text.append(source[index] == "n" ? "\n" : source[index])
        advance()
      } else {
        text.append(source[index])
        advance()
      }
    }
    index += quote.count + hashes
    return text
  }

  /// Skips from an opening bracket to its partner; literals between them may contain brackets.
  private mutating func skipBrackets(_ open: Character, _ close: Character) {
    var depth = 0
    while index < source.count {
      if let hashes = literalStart() {
        _ = text(hashes)
        continue
      }
      if source[index] == open { depth += 1 }
      if source[index] == close { depth -= 1 }
      advance()
      if depth == 0 { return }
    }
  }

  private func isJoin(_ range: Range<Int>) -> Bool {
    let between = source[range].filter { !$0.isWhitespace }
    return between == ["+"]
  }

  private func label(before place: Int) -> String {
    var end = place
    while end > 0, source[end - 1].isWhitespace { end -= 1 }
    guard end > 0, source[end - 1] == ":" else { return "" }
    end -= 1
    var start = end
    while start > 0, source[start - 1].isLetter || source[start - 1].isNumber { start -= 1 }
    return String(source[start..<end])
  }
}
