package import AgendaCore
internal import CivilTime
internal import ICalendar

extension Store {
  /// Changes the answers of attendees in the events that the store has (METHOD:REPLY), in one
  /// calendar or, if none is named, in all. An answer stays until its event changes in its source.
  /// `lines` are those on which the replies begin. `text` makes the text of an override from that
  /// of its series.
  package func take(
    _ replies: [Replies.Reply], lines: [Int?], in calendar: String?, report begun: ImportReport,
    run: Int, _ options: SourceImport.Options,
    text: (_ override: Event, _ series: Event, [UInt8], _ answers: [String: String]) -> [UInt8]
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
      var changes: [Int: [Change]] = [:]
      for (index, answers) in result.answers.sorted(by: { $0.key < $1.key }) {
        let event = events[index]
        guard let change = try change(of: event, answers) else { continue }
        changes[event.reference.source, default: []].append(change)
      }
      for occurrence in result.occurrences {
        let series = events[occurrence.series]
        let change = try change(
          for: occurrence, of: series, seriesAnswers: result.answers[occurrence.series] ?? [:], text
        )
        changes[series.reference.source, default: []].append(change)
      }
      for (source, changes) in changes.sorted(by: { $0.key < $1.key }) {
        try write(changes, of: source, run: run, now: options.now)
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

  private struct Change {
    /// The component that it replaces; `nil` for a new override.
    var old: Int?
    var record: ComponentRecord
    var document: Int
  }

  /// The component with new answers; `nil` if it has them already.
  private func change(
    of event: Event, _ answers: [String: String]
  ) throws(StoreError) -> Change? {
    let id = event.reference.component
    let before = try details(component: id) ?? EventDetails()
    var after = before
    after.take(answers: answers)
    guard after != before else { return nil }
    let text = ComponentText(try text(of: event.reference) ?? []).answered(answers)
    return Change(
      old: id, record: try record(event, after, text: text), document: try document(of: id))
  }

  /// The new override of an occurrence that somebody answers. It has the answers that the series
  /// has, too.
  private func change(
    for occurrence: Replies.AnsweredOccurrence, of series: Event,
    seriesAnswers: [String: String],
    _ text: (Event, Event, [UInt8], [String: String]) -> [UInt8]
  ) throws(StoreError) -> Change {
    let answers = seriesAnswers.merging(occurrence.answers) { $1 }
    var details = try details(component: series.reference.component) ?? EventDetails()
    details.take(answers: answers)
    let bytes = text(
      occurrence.override, series, try self.text(of: series.reference) ?? [], answers)
    return Change(
      old: nil, record: try record(occurrence.override, details, text: bytes),
      document: try document(of: series.reference.component))
  }

  private func document(of component: Int) throws(StoreError) -> Int {
    try connection.integer("SELECT document FROM component WHERE id = ?1", component) ?? 0
  }

  private func write(
    _ changes: [Change], of source: Int, run: Int, now: Instant
  ) throws(StoreError) {
    let old = changes.compactMap(\.old)
    let generation = try begin(
      .answered, of: source, run: run, now: now, added: changes.count - old.count,
      updated: old.count)
    let writer = try ComponentWriter(
      connection, source: source, generation: generation, nextID: try nextComponent())
    for change in changes { _ = try writer.write(change.record, document: change.document) }
    try take(out: old, generation: generation)
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
