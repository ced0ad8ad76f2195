package import CivilTime

/// The condition of `--where`: comparisons of an entry's fields, joined by `and`, `or` and `not`.
///
/// Its text is parsed once. The part about the event is checked once per event. The part about its times
/// is checked for each occurrence, and the part with `day` for each entry of an agenda. Details are
/// read only when a comparison of details is reached.
///
/// `indexPath` is an entry's position in the agenda without the condition. A condition with it is
/// checked as a whole for each entry.
public struct Condition: Sendable {
  /// The tree of a condition.
  package indirect enum Node: Sendable {
    case test(ConditionTest)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  /// The text of the condition.
  public let text: String
  private let eventPart: [Node]
  private let occurrencePart: [Node]
  private let entryPart: [Node]
  private let zone: Zone
  /// The moment from which dates in words were read.
  private let now: Instant?

  /// The names of all fields that a condition can use.
  package static let fieldNames = EntryField.ofConditions.map(\.name)

  /// The condition that `text` was parsed to.
  package init(_ node: Node, text: String, zone: Zone, now: Instant?) {
    let parts = if case .all(let nodes) = node { nodes } else { [node] }
    let hasPosition = parts.contains { $0.owner == .place }
    func nodes(of owners: ClosedRange<EntryField.Owner>) -> [Node] {
      parts.filter { owners.contains(hasPosition ? .place : $0.owner) }
    }
    eventPart = nodes(of: .event ... .details)
    occurrencePart = nodes(of: .occurrence ... .occurrence)
    entryPart = nodes(of: .entry ... .place)
    self.text = text
    self.zone = zone
    self.now = now
  }

  /// A text that decides which entries match.
  var signature: String {
    "\(text) \(zone.name)" + (now.map { " \($0.secondsSinceEpoch)" } ?? "")
  }

  /// Whether an occurrence matches by itself: on its first day, and without an index path.
  package func matches(
    _ occurrence: Occurrence, details: @escaping (EventReference) -> EventDetails
  ) -> Bool {
    matches(event: occurrence.event, details: details)
      && matches(timesOf: occurrence, details: details)
      && matches(entryOf: occurrence, day: 1, at: nil, details: details)
  }

  /// Whether a part of it can only be checked for the entries of an agenda.
  package var concernsEntries: Bool { !entryPart.isEmpty }

  /// Whether it names `indexPath`.
  package var concernsPositions: Bool { entryPart.contains { $0.owner == .place } }

  /// Whether the event can have matching occurrences.
  func matches(event: Event, details: @escaping (EventReference) -> EventDetails) -> Bool {
    if eventPart.isEmpty { return true }
    var subject = ConditionSubject(Occurrence(undated: event), zone: zone, details: details)
    return eventPart.allSatisfy { $0.matches(&subject) }
  }

  /// Whether an occurrence of a matching event matches.
  func matches(
    timesOf occurrence: Occurrence, details: @escaping (EventReference) -> EventDetails
  ) -> Bool {
    if occurrencePart.isEmpty { return true }
    var subject = ConditionSubject(occurrence, zone: zone, details: details)
    return occurrencePart.allSatisfy { $0.matches(&subject) }
  }

  /// Whether an entry of a matching occurrence matches.
  func matches(
    entryOf occurrence: Occurrence, day: Int, at path: EntryPath?,
    details: @escaping (EventReference) -> EventDetails
  ) -> Bool {
    if entryPart.isEmpty { return true }
    var subject = ConditionSubject(
      occurrence, day: day, at: path, zone: zone, details: details)
    return entryPart.allSatisfy { $0.matches(&subject) }
  }
}

extension Condition.Node {
  /// The owner of the last of its fields.
  fileprivate var owner: EntryField.Owner {
    switch self {
    case .test(let test): test.field.owner
    case .not(let node): node.owner
    case .all(let nodes), .any(let nodes): nodes.map(\.owner).max() ?? .event
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
