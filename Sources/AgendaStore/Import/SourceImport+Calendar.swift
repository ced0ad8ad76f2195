internal import AgendaCore

/// What the other sources of the calendar mean for the components of a source: they can have later
/// versions of them, or earlier ones.
extension SourceImport {
  /// Corrects the counts and findings. All of the source is written, and nothing is committed.
  func compareWithCalendar() throws(StoreError) {
    let others = try connection.integers(
      """
      SELECT source.id FROM source JOIN calendar ON calendar.id = source.calendar
      WHERE calendar.name = ?1 AND source.removed IS NULL AND source.id <> ?2
      """, source.calendar, sourceID)
    if others.isEmpty { return }
    let sources = (others + [sourceID]).sorted()
    var uids = try SourcesOfUIDs(of: sources, in: store)
    let own = try connection.integers(
      "SELECT DISTINCT uid_digest FROM component WHERE source = ?1 AND removed IS NULL",
      sourceID)
    var addedByUID: [Int: [Int]] = [:]
    let inFindings = Set(
      report.findings.lazy.filter(\.finding.dependsOnVersions).compactMap(\.finding.uid))
    var versionsOfFindings: [String: CalendarVersions] = [:]
    for uid in own where try uids.isElsewhere(uid, than: sourceID, in: store) {
      if addedByUID.isEmpty {
        addedByUID = Dictionary(grouping: added.indices, by: { added[$0].identity.uid })
      }
      let versions = try store.versions(of: uid, in: sources, calendar: source.calendar)
      try count(versions, uid: uid, added: addedByUID[uid] ?? [])
      if let text = versions.events.first?.identity.uid, inFindings.contains(text) {
        versionsOfFindings[text] = versions
      }
      try report(versions, uid: uid, added: addedByUID[uid] ?? [])
    }
    correctFindings(versionsOfFindings)
  }

  // MARK: Counts

  private func count(
    _ versions: CalendarVersions, uid: Int, added indices: [Int]
  ) throws(StoreError) {
    let ofOutcome: [Outcome: WritableKeyPath<ImportReport, Int>] = [
      .added: \.added, .updated: \.updated, .unchanged: \.unchanged,
    ]
    var replaced = indices.isEmpty ? [] : try replacedVersions(of: uid, by: versions)
    let superseded = versions.assembly.superseded
    let indexOfID = Dictionary(indices.map { (added[$0].id, $0) }) { $1 }
    for event in versions.events where event.reference.source == sourceID {
      guard event.kind != .journal else { continue }
      let index = indexOfID[event.reference.component]
      if let index, !added[index].isCounted { continue }
      if index == nil, try isMadeByMessages(event) { continue }
      var outcome = index.map { added[$0].outcome } ?? .unchanged
      if superseded.contains(event.reference) {
        if let count = ofOutcome[outcome] { report[keyPath: count] -= 1 }
        report.superseded += 1
      } else if outcome == .added,
        let version = replaced.firstIndex(where: {
          IdentityKey($0, key: store.key).ofOccurrence
            == IdentityKey(event, key: store.key).ofOccurrence
        })
      {
        let other = replaced.remove(at: version)
        report.added -= 1
        if try store.content(of: other).meaning == store.content(of: event).meaning {
          // Which of two copies is shown makes no difference.
          report.superseded += 1
        } else {
          outcome = .updated
          report.updated += 1
        }
      }
    }
  }

  /// The versions of other sources that were shown before this import and are not shown any more.
  private func replacedVersions(
    of uid: Int, by versions: CalendarVersions
  ) throws(StoreError) -> [Event] {
    let others = versions.events.filter { $0.reference.source != sourceID }
    var before = others
    if let known, !isMoved {
      for position in known.positions(uid: uid) {
        if let event = try store.event(component: known.ids[position]) { before.append(event) }
      }
    }
    let shown = Set(versions.visible.map(\.reference))
    return try store.versions(of: before).visible.filter {
      $0.reference.source != sourceID && !shown.contains($0.reference)
    }
  }

  private func isMadeByMessages(_ event: Event) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM message_override WHERE id = ?1", event.reference.component) != nil
  }

  // MARK: Findings

  /// `versions` are those of the UIDs that findings name.
  private func correctFindings(_ versions: [String: CalendarVersions]) {
    if versions.isEmpty { return }
    report.findings = report.findings.compactMap { found in
      guard found.finding.dependsOnVersions,
        let versions = found.finding.uid.flatMap({ versions[$0] })
      else { return found }
      var found = found
      // Without the other sources, the finding is right.
      let corrected = versions.assembly.finding(found.finding, of: versions.events) {
        $0.source == sourceID
      }
      guard let corrected else { return nil }
      found.finding = corrected
      return found
    }
  }

  /// Reports what is wrong only because the source and others have components with one UID.
  private func report(
    _ versions: CalendarVersions, uid: Int, added indices: [Int]
  ) throws(StoreError) {
    if versions.assembly.problems.isEmpty { return }
    let events = versions.events
    let own = events.filter { $0.reference.source == sourceID }
    let others = events.filter { $0.reference.source != sourceID }
    let known =
      try store.versions(of: own).assembly.problems + store.versions(of: others).assembly.problems
    let eventOf = Dictionary(events.map { ($0.reference, $0) }) { $1 }
    let indexOfID = Dictionary(indices.map { (added[$0].id, $0) }) { $1 }
    for (finding, references) in versions.assembly.problems
    where !known.contains(where: { Set($0.events) == Set(references) }) {
      // Its own components first. The first one of replaced events is the one that replaces them.
      let ordered =
        finding.isAboutReplacedEvents
        ? references
        : references.filter { $0.source == sourceID } + references.filter { $0.source != sourceID }
      guard let first = ordered.first, let event = eventOf[first] else { continue }
      var origins: [ComponentOrigin] = []
      for reference in ordered {
        if let origin = try origin(of: reference, uid: uid, added: indexOfID) {
          origins.append(origin)
        }
      }
      report.commonFindings.append(
        ImportReport.CommonFinding(finding: finding, event: event, origins: origins))
    }
  }

  /// The line numbers of this import are written at its end.
  private func origin(
    of reference: EventReference, uid: Int, added indexOfID: [Int: Int]
  ) throws(StoreError) -> ComponentOrigin? {
    guard reference.source == sourceID else { return try store.origin(of: reference) }
    var origin = ComponentOrigin(
      kind: source.kind, location: source.location, document: "", line: nil)
    if let index = indexOfID[reference.component] {
      let component = added[index]
      origin.document = documents[component.document].content?.name ?? ""
      origin.line = Int(component.line)
    } else if let known,
      let position = known.positions(uid: uid).first(where: {
        known.ids[$0] == reference.component
      }), lines[position] > 0
    {
      let document = documentPositions[known.documents[position]]
      origin.document = document.flatMap { documents[$0].content?.name } ?? ""
      origin.line = Int(lines[position])
    } else {
      return try store.origin(of: reference)
    }
    return origin
  }
}
