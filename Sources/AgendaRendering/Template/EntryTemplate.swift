/// The text that `--template` prints for each entry, with fields in braces: `{start:%H:%M}
/// {title}`.
///
/// `{{` is a brace. A closing brace outside of a field is text.
package struct EntryTemplate: Sendable {
  enum Part: Sendable {
    case text(String)
    case field(Field)
    case time(Field, TimePattern)
  }

  /// The fields of an entry in JSON and JSON lines, and three more.
  enum Field: String, CaseIterable, Sendable {
    case title, start, end, location, calendar, id, `in`, duration, category, categories
    case status, kind, allDay, day, days, timeZone, description, url, conference, geo
    case organizer, attendees, attachments, section, indexPath, uid, recurrenceId
    case alsoStart, alsoEnd

    var isTime: Bool { [.start, .end, .recurrenceId].contains(self) || needsSecondZone }
    /// Whether it comes from the details of an event, which are decoded on demand.
    var isDetail: Bool {
      switch self {
      case .geo, .url, .description, .conference, .organizer, .attendees, .attachments: true
      default: false
      }
    }
    /// Whether it has a value only with `--also`.
    var needsSecondZone: Bool { self == .alsoStart || self == .alsoEnd }
  }

  let parts: [Part]

  /// The names of all fields.
  package static let fieldNames = Field.allCases.map(\.rawValue)

  /// The first field that has a value only with `--also`.
  package var fieldOfSecondZone: String? {
    for part in parts {
      switch part {
      case .field(let field) where field.needsSecondZone: return field.rawValue
      case .time(let field, _) where field.needsSecondZone: return field.rawValue
      default: break
      }
    }
    return nil
  }

  /// Whether it has a field of the details of an event.
  package var listsDetails: Bool { !detailFields.isEmpty }

  /// Its fields of the details of an event, in their order.
  var detailFields: [Field] {
    parts.compactMap { part in
      if case .field(let field) = part, field.isDetail { field } else { nil }
    }
  }

  package init(_ text: String) throws(EntryTemplateError) {
    let characters = Array(text)
    var parts: [Part] = []
    var literal = ""
    var place = 0
    while place < characters.count {
      let character = characters[place]
      guard character == "{" else {
        literal.append(character)
        place += 1
        continue
      }
      if characters[(place + 1)...].first == "{" {
        literal.append("{")
        place += 2
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
    guard let field = Field(rawValue: name) else {
      throw EntryTemplateError(column: text.startIndex + 1, problem: .unknownField(name))
    }
    guard let colon = text.firstIndex(of: ":") else { return .field(field) }
    guard field.isTime else {
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
