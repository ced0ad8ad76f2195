/// What is wrong with components because of others with their UIDs: the same for a file, a folder, several
/// sources and the store.
extension SeriesAssembly {
  /// Where a component is.
  package struct Position: Hashable, Sendable {
    /// The name of its file in messages.
    package let file: String
    package let line: Int?

    package init(file: String, line: Int?) {
      self.file = file
      self.line = line
    }

    /// `a.ics:12`
    fileprivate var text: String { file + (line.map { ":\($0)" } ?? "") }
  }

  /// The findings with the lines or files of their components, each with the components that it is
  /// about. `events` has the first component of each problem, and the messages without effect.
  ///
  /// `source` is the one whose report has the findings: of different events with one UID, its own come
  /// first. With `keepsMails`, mails stay in a store, and so apply to events that come later.
  package func problems<Failure: Error>(
    events: [EventReference: Event], of source: Int? = nil, keepsMails: Bool,
    position: (EventReference) throws(Failure) -> Position?
  ) throws(Failure) -> [([EventReference], Finding)] {
    var found: [([EventReference], Finding)] = []
    for (finding, all) in problems {
      var references = all
      if let source, case .sharedUID = finding.kind {
        references = all.filter { $0.source == source } + all.filter { $0.source != source }
      }
      guard let first = all.first else { continue }
      var positions: [Position] = []
      for reference in references {
        if let position = try position(reference) { positions.append(position) }
      }
      var finding = finding
      if let event = events[first] {
        finding = Self.finding(finding, about: event, positions)
      }
      finding.line = positions.first?.line
      found.append((references, finding))
    }
    for (reference, outcome) in outcomes.sorted(by: { Self.isBefore($0.key, $1.key) }) {
      guard let message = events[reference], outcome != .effective,
        !lastingDecisions.contains(reference),
        var finding = outcome.finding(
          message,
          isKept: keepsMails && outcome == .missingEvent && mails.contains(reference))
      else { continue }
      finding.line = try position(reference)?.line
      found.append(([reference], finding))
    }
    return found
  }

  private static func isBefore(_ one: EventReference, _ other: EventReference) -> Bool {
    (one.source, one.component) < (other.source, other.component)
  }

  private static func finding(
    _ finding: Finding, about event: Event, _ positions: [Position]
  ) -> Finding {
    let isOneFile = Set(positions.map(\.file)).count == 1
    let lines = positions.compactMap(\.line)
    var finding = finding
    switch finding.kind {
    case .sharedUID(let count, _):
      finding.kind = .sharedUID(
        count: count, isOneFile ? .lines(listed(lines)) : .files(listed(positions.map(\.text))))
    case .replacedEvents(let count, let byStamp, _):
      finding.kind = .replacedEvents(
        count: count, byStamp: byStamp,
        isOneFile
          ? .lines(listed(Array(lines.dropFirst())))
          : .files(listed(positions.dropFirst().map(\.text))))
    default: break
    }
    return finding
  }

  private static func listed<Each>(_ positions: [Each]) -> [Each] {
    Array(positions.prefix(Finding.Positions.most))
  }
}

extension Message.Outcome {
  /// What a report says about a message without the usual effect; `nil` if nothing.
  func finding(_ message: Event, isKept: Bool) -> Finding? {
    if self == .effective { return nil }
    // The reader gives cancellations this status.
    let isCancellation = message.status == .cancelled
    return Finding(
      isCancellation ? .warning : .note,
      isCancellation ? .cancellation(self, isKept: isKept) : .reply(self, isKept: isKept),
      component: message.kind.component, uid: message.identity.uid, property: "METHOD")
  }
}
