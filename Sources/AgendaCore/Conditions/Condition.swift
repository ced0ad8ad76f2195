public import CivilTime

/// What `--where` asks of an entry: comparisons of its fields, joined by `and`, `or` and `not`.
///
/// It is parsed once. The part that concerns only the event is checked once per event, the rest for
/// each occurrence. Details are read only if a comparison of details is reached.
public struct Condition: Sendable {
  indirect enum Node: Sendable {
    case test(ConditionTest)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  private let eventPart: [Node]
  private let occurrencePart: [Node]
  private let zone: Zone

  /// The names of all fields.
  public static let fieldNames = ConditionField.allCases.map(\.rawValue)

  /// Parses a condition. Dates are days in `zone`, and times without an offset are on its clocks.
  public init(_ text: String, zone: Zone) throws(ConditionError) {
    let node = try ConditionParser.parse(text, zone: zone)
    let parts = if case .all(let nodes) = node { nodes } else { [node] }
    eventPart = parts.filter(\.belongsToEvent)
    occurrencePart = parts.filter { !$0.belongsToEvent }
    self.zone = zone
  }

  public func matches(
    _ occurrence: Occurrence, details: @escaping (EventReference) -> EventDetails
  ) -> Bool {
    matches(event: occurrence.event, details: details)
      && matches(timesOf: occurrence, details: details)
  }

  /// Whether the event can have matching occurrences.
  func matches(event: Event, details: @escaping (EventReference) -> EventDetails) -> Bool {
    if eventPart.isEmpty { return true }
    var subject = ConditionSubject(event, nil, zone: zone, details: details)
    return eventPart.allSatisfy { $0.matches(&subject) }
  }

  /// Whether an occurrence of a matching event matches.
  func matches(
    timesOf occurrence: Occurrence, details: @escaping (EventReference) -> EventDetails
  ) -> Bool {
    if occurrencePart.isEmpty { return true }
    var subject = ConditionSubject(occurrence.event, occurrence, zone: zone, details: details)
    return occurrencePart.allSatisfy { $0.matches(&subject) }
  }
}

extension Condition.Node {
  fileprivate var belongsToEvent: Bool {
    switch self {
    case .test(let test): test.field.belongsToEvent
    case .not(let node): node.belongsToEvent
    case .all(let nodes), .any(let nodes): nodes.allSatisfy(\.belongsToEvent)
    }
  }

  fileprivate func matches(_ subject: inout ConditionSubject) -> Bool {
    switch self {
    case .test(let test): test.matches(&subject)
    case .not(let node): !node.matches(&subject)
    case .all(let nodes): nodes.allSatisfy { $0.matches(&subject) }
    case .any(let nodes): nodes.contains { $0.matches(&subject) }
    }
  }
}
