/// The value of an option or operand: its name in help, what is allowed, and how shells complete it.
package struct Value: Sendable {
  /// `DATE`, in capitals.
  package let name: String
  package let kind: Kind
  /// What is wrong with a text, where the text alone decides that.
  private let check: (@Sendable (String) -> String?)?

  package init(
    _ name: String, _ kind: Kind = .text, check: (@Sendable (String) -> String?)? = nil
  ) {
    self.name = name
    self.kind = kind
    self.check = check
  }

  package enum Kind: Sendable {
    /// Anything; the command checks it.
    case text
    /// A whole number in decimal digits.
    case number(ClosedRange<Int>)
    /// One of these words.
    case choice([Choice])
    /// A path; shells offer files with these endings (all files without any) and folders.
    case file(endings: [String])
    case folder
    /// A name out of a list that only the program knows when asked: shells run
    /// `PROGRAM completions --words NAME` for it.
    case listed(String)
  }

  package struct Choice: Sendable {
    package let word: String
    package let help: String

    package init(_ word: String, _ help: String = "") {
      self.word = word
      self.help = help
    }
  }

  /// What is wrong with a typed value; `nil` if it is valid. Numbers are checked against their
  /// range and choices against their words. Commands check what depends on more than the text.
  package func objection(to text: String) -> String? {
    switch kind {
    case .text, .file, .folder, .listed: return check?(text)
    case .number(let range):
      if let number = Self.number(text), range.contains(number) { return nil }
      let typed = Self.number(text) == nil ? "\"\(text)\"" : text
      return "expected a number from \(range.lowerBound) to \(range.upperBound), got \(typed)"
    case .choice(let choices):
      let words = choices.map(\.word)
      if words.contains(text) { return nil }
      var message = "expected one of \(words.joined(separator: ", ")), got \"\(text)\""
      if let nearest = nearestName(to: text, among: words) {
        message += "; did you mean \(nearest)?"
      }
      return message
    }
  }

  /// A size from 1 byte to 1 GiB: `1000`, `10k`, `64M`.
  package static func byteCount(_ text: String) -> Int? {
    let shift: [Character: Int] = ["k": 10, "m": 20, "g": 30]
    let unit = text.lowercased().last.flatMap { shift[$0] }
    let digits = unit == nil ? text : String(text.dropLast())
    let largest = 1 << 30
    guard let number = number(digits), (1...largest >> (unit ?? 0)).contains(number) else {
      return nil
    }
    return number << (unit ?? 0)
  }

  /// Decimal digits with an optional sign, and nothing else; `nil` if they overflow.
  package static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 20 else { return nil }
    return Int(text)
  }
}
