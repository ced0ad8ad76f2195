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
      if let source, finding.isAboutSharedUID {
        references = all.filter { $0.source == source } + all.filter { $0.source != source }
      }
      guard let first = all.first else { continue }
      var positions: [Position] = []
      for reference in references {
        if let position = try position(reference) { positions.append(position) }
      }
      var finding = finding
      if events[first] != nil { Self.add(positions, to: &finding) }
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

  private static func add(_ positions: [Position], to finding: inout Finding) {
    guard finding.isAboutSharedUID || finding.isAboutReplacedEvents else { return }
    let most = Finding.Positions.most
    let skipped = finding.isAboutReplacedEvents ? 1 : 0
    if Set(positions.map(\.file)).count == 1 {
      let lines = positions.compactMap(\.line)
      finding.positions.lines = Array(lines.dropFirst(skipped).prefix(most))
    } else {
      finding.positions.files = positions.dropFirst(skipped).prefix(most).map(\.text)
    }
  }
}

extension Message.Outcome {
  /// What a report says about a message without the usual effect; `nil` if nothing.
  func finding(_ message: Event, isKept: Bool) -> Finding? {
    if self == .effective { return nil }
    // The reader gives cancellations this status.
    let isCancellation = message.status == .cancelled
    let finding: Finding =
      isCancellation ? .cancellation(self, isKept: isKept) : .reply(self, isKept: isKept)
    return finding.about(message, "METHOD")
  }
}
