package import AgendaCore
internal import CivilTime
internal import ICalendar

extension Store {
  /// Changes the answers of attendees in the events that the store has (METHOD:REPLY), in one
  /// calendar or, if none is named, in all. An answer stays until its event changes in its source.
  /// `lines` are those on which the replies begin.
  package func take(
    _ replies: [Replies.Reply], lines: [Int?], in calendar: String?, report begun: ImportReport,
    run: Int, _ options: SourceImport.Options
  ) throws(StoreError) -> ImportReport {
    var report = begun
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      var events: [Event] = []
      for reply in replies {
        for id in try components(ofUID: IdentityKey(reply.event, key: key).uid, in: calendar)
        where !events.contains(where: { $0.reference.component == id }) {
          if let event = try event(component: id) { events.append(event) }
        }
      }
      let result = try Replies(replies, of: events) { event throws(StoreError) in
        try details(component: event.reference.component)?.attendeeAddresses ?? []
      }
      let answered = Dictionary(grouping: result.answers.keys) { events[$0].reference.source }
      for (source, indices) in answered.sorted(by: { $0.key < $1.key }) {
        try answer(
          indices.sorted().map { (events[$0], result.answers[$0] ?? [:]) }, of: source, run: run,
          now: options.now)
      }
      for (index, outcome) in result.outcomes.enumerated() {
        if let finding = outcome.finding(replies[index].event, line: lines[index]) {
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

  /// The components in the store with that digest of a UID.
  func components(ofUID uid: Int, in calendar: String?) throws(StoreError) -> [Int] {
    try connection.integers(
      """
      SELECT component.id FROM source JOIN calendar ON calendar.id = source.calendar
      JOIN component ON component.source = source.id AND uid_digest = ?1
        AND component.removed IS NULL
      WHERE source.removed IS NULL AND (?2 IS NULL OR calendar.name = ?2)
      """, uid, calendar)
  }

  private func answer(
    _ events: [(event: Event, answers: [String: String])], of source: Int, run: Int, now: Instant
  ) throws(StoreError) {
    var changed: [(id: Int, record: ComponentRecord)] = []
    for (event, answers) in events {
      let id = event.reference.component
      let before = try details(component: id) ?? EventDetails()
      var after = before
      after.take(answers: answers)
      guard after != before else { continue }
      let text = ComponentText(try text(of: event.reference) ?? []).answered(answers)
      changed.append((id, try record(event, after, text: text)))
    }
    guard !changed.isEmpty else { return }
    let generation = try begin(
      .answered, of: source, run: run, now: now, updated: changed.count)
    let writer = try ComponentWriter(
      connection, source: source, generation: generation, nextID: try nextComponent())
    for (id, record) in changed {
      let document =
        try connection.integer("SELECT document FROM component WHERE id = ?1", id) ?? 0
      _ = try writer.write(record, document: document)
    }
    try take(out: changed.map(\.id), generation: generation)
    try update(nextComponent: writer.nextID, run: run)
    try finishChange(of: [source])
  }

  /// A component of the store with another text that means this, and the attachments that it has.
  func record(
    _ event: Event, _ details: EventDetails, text: [UInt8]
  ) throws(StoreError) -> ComponentRecord {
    var attachments: [Int: [UInt8]] = [:]
    for attachment in details.attachments {
      attachments[attachment.number] = try attachmentBytes(
        of: event.reference, number: attachment.number)
    }
    let calendarObject =
      try connection.integer(
        "SELECT calendar_object FROM component WHERE id = ?1", event.reference.component) ?? 0
    return text.withUnsafeBytes { text in
      ComponentRecord(
        event: event, details: details, text: text, digest: ComponentDigest(of: text, key: key),
        key: key, calendarObject: calendarObject, attachmentBytes: { attachments[$0] })
    }
  }
}
