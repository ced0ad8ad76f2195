internal import AgendaCore

/// The text that `--template` prints for each entry, with fields in braces: `{start:%H:%M}
/// {title}`.
///
/// `{{` and `}}` are a brace. One closing brace outside of a field is text, too.
package struct EntryTemplate: Sendable {
  enum Part: Sendable {
    case text(String)
    case field(EntryField)
    case time(EntryField, TimePattern)
  }

  let parts: [Part]

  /// The names of all fields.
  package static let fieldNames = EntryField.ofTemplates.map(\.name)

  private var fields: [EntryField] {
    parts.compactMap { part in
      switch part {
      case .text: nil
      case .field(let field), .time(let field, _): field
      }
    }
  }

  /// The first field that has a value only with `--also`.
  package var fieldOfSecondZone: String? { fields.first { $0.owner == .secondZone }?.name }

  /// Whether it has a field of the details of an event.
  package var listsDetails: Bool { fields.contains { $0.owner == .details } }

  /// The bytes besides those of its fields, and of fields without a text.
  package var frame: Int {
    /// Of a time or a number.
    let field = 32
    return parts.reduce(0) { length, part in
      if case .text(let text) = part { length + text.utf8.count } else { length + field }
    }
  }

  /// How many times it has the field that it has most often.
  package var copies: Int {
    max(1, Dictionary(grouping: fields, by: \.name).values.map(\.count).max() ?? 1)
  }

  package init(_ text: String) throws(EntryTemplateError) {
    let characters = Array(text)
    var parts: [Part] = []
    var literal = ""
    var place = 0
    while place < characters.count {
      let character = characters[place]
      let isDoubled = "{}".contains(character) && characters[(place + 1)...].first == character
      guard character == "{", !isDoubled else {
        literal.append(character)
        place += isDoubled ? 2 : 1
        continue
      }
      guard let end = characters[place...].firstIndex(of: "}") else {
        throw EntryTemplateError(column: place + 1, problem: .other("missing \"}\""))
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(try Self.field(characters[(place + 1)..<end]))
      place = end + 1
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  /// Reads the text between two braces. Its indices are those of the whole template.
  private static func field(_ text: ArraySlice<Character>) throws(EntryTemplateError) -> Part {
    let name = String(text.prefix { $0 != ":" })
    guard let field = EntryField.ofTemplates.named(name) else {
      throw EntryTemplateError(column: text.startIndex + 1, problem: .unknownField(name))
    }
    guard let colon = text.firstIndex(of: ":") else { return .field(field) }
    guard field.type == .time else {
      let message = "\(name) cannot have a format; only times such as start and end can"
      throw EntryTemplateError(column: colon + 1, problem: .other(message))
    }
    return .time(field, try TimePattern(text[(colon + 1)...]))
  }
}

/// The reason why a text is not a template.
package struct EntryTemplateError: Error, Hashable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    case unknownField(String)
    /// Any other problem, in words.
    case other(String)
  }

  /// The position of the problem, in characters from 1.
  package let column: Int
  package let problem: Problem

  package var description: String {
    switch problem {
    case .unknownField(let name): "column \(column): unknown field \"\(name)\""
    case .other(let message): "column \(column): \(message)"
    }
  }
}
