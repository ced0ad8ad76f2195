package import AgendaCore
internal import CivilTime

/// A component of a source whose METHOD is CANCEL.
package struct Cancellation: Sendable {
  package var event: Event
  package var details: EventDetails
  /// On which it begins.
  package var line: Int?
  /// From its BEGIN to its END line.
  package var text: [UInt8]

  package init(event: Event, details: EventDetails, line: Int?, text: [UInt8]) {
    self.line = line
    self.event = event
    self.details = details
    // Attachments of a cancellation are not kept.
    self.details.attachments = []
    self.text = text
  }
}

extension Store {
  /// Cancels what the store holds (METHOD:CANCEL): an event with all of its overrides, or one
  /// occurrence of it, in one calendar or, where none is named, in all. A later SEQUENCE of the
  /// store stays. What is cancelled stays so until its source changes.
  package func cancel(
    _ cancellations: [Cancellation], in calendar: String?, report begun: ImportReport, run: Int,
    _ options: SourceImport.Options
  ) throws(StoreError) -> ImportReport {
    var report = begun
    if options.isStrict, report.rejected > 0 {
      return report.refused(.rejectedComponents(report.rejected))
    }
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      for cancellation in cancellations {
        let isCounted = cancellation.event.kind != .journal
        let count = try cancel(cancellation, in: calendar, run: run, now: options.now)
        guard isCounted else { continue }
        if count > 0 {
          report.updated += 1
        } else {
          report.unchanged += 1
          let finding = Finding(
            severity: .warning, line: cancellation.line,
            component: cancellation.event.kind.component,
            uid: cancellation.event.identity.uid, property: "METHOD",
            message: "cancels an event that is not in the store, is already cancelled,"
              + " or has a later version",
            action: "nothing cancelled")
          report.findings.append(SourceFinding(source: "", finding: finding))
        }
      }
      if options.isDryRun {
        connection.rollBack()
      } else {
        try connection.run("COMMIT")
      }
    } catch {
      connection.rollBack()
      throw error
    }
    return report
  }

  /// Answers how many components of the store it cancelled.
  private func cancel(
    _ cancellation: Cancellation, in calendar: String?, run: Int, now: Instant
  ) throws(StoreError) -> Int {
    let identity = IdentityKey(cancellation.event, key: key)
    let ids = try components(ofUID: identity.uid, in: calendar)
    var bySource: [Int: [(id: Int, event: Event)]] = [:]
    for id in ids {
      guard let event = try event(component: id) else { continue }
      bySource[event.reference.source, default: []].append((id, event))
    }
    var count = 0
    for (source, found) in bySource.sorted(by: { $0.key < $1.key }) {
      var targets = found
      var isNewOverride = false
      if identity.recurrence != nil {
        targets = found.filter {
          IdentityKey($0.event, key: key).isSameOccurrence(as: identity)
        }
        isNewOverride =
          targets.isEmpty && found.contains { $0.event.identity.recurrenceID == nil }
      }
      targets.removeAll {
        $0.event.version.sequence > cancellation.event.version.sequence
          || $0.event.status == .cancelled
      }
      guard isNewOverride || !targets.isEmpty else { continue }
      let generation = try begin(
        .cancelled, of: source, run: run, now: now, added: isNewOverride ? 1 : 0,
        updated: targets.count)
      let writer = try ComponentWriter(
        connection, source: source, generation: generation, nextID: try nextComponent())
      let document =
        try connection.integer(
          "SELECT document FROM component WHERE id = ?1", found.first?.id ?? 0) ?? 0
      if isNewOverride {
        let master = found.first { $0.event.identity.recurrenceID == nil }
        _ = try writer.write(override(cancellation, of: master?.event), document: document)
      }
      for target in targets {
        _ = try writer.write(try cancelled(target.id, target.event), document: document)
      }
      try take(out: targets.map(\.id), generation: generation)
      try update(nextComponent: writer.nextID, run: run)
      try finishChange(of: [source])
      count += targets.count + (isNewOverride ? 1 : 0)
    }
    return count
  }

  /// The override that takes one occurrence out. What it does not say is as in its series.
  private func override(_ cancellation: Cancellation, of master: Event?) -> ComponentRecord {
    var event = cancellation.event
    event.status = .cancelled
    if event.title.isEmpty { event.title = master?.title ?? "" }
    if event.start == nil { event.start = event.identity.recurrenceID }
    let text = CancelledText.bytes(of: cancellation.text, title: event.title)
    return text.withUnsafeBytes { text in
      ComponentRecord(
        event: event, details: cancellation.details, text: text,
        digest: ComponentDigest(of: text, key: key), key: key)
    }
  }

  /// The component as it would be had its source cancelled it.
  private func cancelled(_ id: Int, _ event: Event) throws(StoreError) -> ComponentRecord {
    var event = event
    event.status = .cancelled
    let details = try details(component: id) ?? EventDetails()
    let text = CancelledText.bytes(of: try text(of: event.reference) ?? [])
    return try record(event, details, text: text)
  }
}
