package import CivilTime

/// One comparison of a condition.
package struct ConditionTest: Sendable {
  package enum Expected: Sendable {
    case null
    case text(String)
    /// In lower case.
    case part(String)
    case flag(Bool)
    case number(Int, Order)
    case decimal(Double, Order)
    case day(CivilDate, Order)
    case moment(Instant, Order)
  }

  package enum Order: String, Sendable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .equal: left == right
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      }
    }
  }

  let field: EntryField
  private let expected: Expected

  package init(field: EntryField, expected: Expected) {
    self.field = field
    self.expected = expected
  }

  func matches(_ subject: inout ConditionSubject) -> Bool {
    let value = subject.value(of: field)
    return switch expected {
    case .null: value.isNull
    case .text(let text): value.comparedTexts.contains(text)
    case .part(let part):
      value.comparedTexts.contains { $0.lowercased().utf8.contains(part.utf8) }
    case .flag(let flag): value.flag == flag
    case .number(let number, let order):
      value.comparedNumbers.contains { order.holds($0, number) }
    case .decimal(let number, let order): value.decimal.map { order.holds($0, number) } ?? false
    case .day(let day, let order):
      value.time.map { order.holds($0.day(in: subject.zone), day) } ?? false
    case .moment(let moment, let order):
      value.time.map { order.holds($0.instant(for: subject.zone), moment) } ?? false
    }
  }
}

/// The entry that a condition is checked against. Details are read when the first test needs them.
struct ConditionSubject: ~Copyable {
  private let occurrence: Occurrence
  private let context: FieldContext
  private let readDetails: (EventReference) -> EventDetails
  private var details = EventDetails()
  private var hasDetails = false

  init(
    _ occurrence: Occurrence, day: Int = 1, at path: EntryPath? = nil, zone: Zone,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.occurrence = occurrence
    var context = FieldContext(zone: zone)
    context.day = day
    context.path = path
    self.context = context
    readDetails = details
  }

  var zone: Zone { context.zone }

  mutating func value(of field: EntryField) -> FieldValue {
    if field.owner == .details, !hasDetails {
      details = occurrence.event.details(readDetails)
      hasDetails = true
    }
    return field.read(occurrence, details, context)
  }
}

/// What a condition compares.
extension FieldValue {
  fileprivate var isNull: Bool {
    switch self {
    case .none: true
    case .texts(let texts), .choice(let texts): texts.isEmpty
    case .numbers(let numbers): numbers.isEmpty
    case .attendees(let attendees): attendees.isEmpty
    case .attachments(let attachments, _): attachments.isEmpty
    case .text, .flag, .number, .decimal, .length, .time, .id, .path, .coordinates, .person: false
    }
  }

  fileprivate var comparedTexts: [String] {
    switch self {
    case .text(let text): [text]
    case .texts(let texts), .choice(let texts): texts
    case .id(let id): [id.description]
    case .path(let path): [path.description]
    case .person(let person): [person.name, person.email].compactMap(\.self)
    case .attendees(let attendees):
      attendees.flatMap { [$0.person.name, $0.person.email] }.compactMap(\.self)
    case .attachments(let attachments, _):
      attachments.flatMap { [$0.mediaType, $0.uri] }.compactMap(\.self)
    case .none, .flag, .number, .numbers, .decimal, .length, .time, .coordinates: []
    }
  }

  fileprivate var comparedNumbers: [Int] {
    switch self {
    case .number(let number), .length(let number): [number]
    case .numbers(let numbers): numbers
    default: []
    }
  }

  fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  fileprivate var decimal: Double? { if case .decimal(let number) = self { number } else { nil } }
  fileprivate var time: EntryTime? { if case .time(let time, _) = self { time } else { nil } }
}
