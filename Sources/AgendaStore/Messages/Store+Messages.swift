internal import AgendaCore
internal import CivilTime
internal import ICalendar

/// Messages about events of other sources (METHOD:CANCEL and REPLY). The store keeps them and
/// applies them after every change. So a message can come before its event, and applies to every
/// later version of the event.
extension Store {
  /// Stores messages about the events of one calendar, or of all without a name, and applies them.
  package func take(
    _ messages: [EventMessage], in calendar: String?, report begun: ImportReport,
    rejectedJournals: Int, run: Int, _ options: SourceImport.Options
  ) throws(StoreError) -> ImportReport {
    var report = begun
    let rejected = report.rejected + rejectedJournals
    if options.isStrict, rejected > 0 { return report.refused(.rejectedComponents(rejected)) }
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // The messages belong to no source.
      let generation = try begin(.answered, of: 0, run: run, now: options.now)
      let writer = try ComponentWriter(
        connection, source: 0, generation: generation, nextID: try nextComponent())
      var ids: [Int] = []
      var isChanged = false
      for message in messages {
        let (id, isNew) = try keep(message, in: calendar, generation: generation, by: writer)
        ids.append(id)
        isChanged = isChanged || isNew
      }
      let uids = Set(messages.map { IdentityKey($0.event, key: key).uid })
      let applied = try applyMessages(uids: uids.sorted(), run: run, now: options.now)
      for (message, id) in zip(messages, ids) { note(message, id, applied, in: &report) }
      if options.isDryRun || !isChanged && applied.changedUIDs.isEmpty {
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

  /// Counts the effect of a message, or reports that it had none.
  private func note(
    _ message: EventMessage, _ id: Int, _ applied: AppliedMessages,
    in report: inout ImportReport
  ) {
    let uid = IdentityKey(message.event, key: key).uid
    let isMissing = !applied.presentUIDs.contains(uid)
    switch message.method {
    case .cancel:
      guard message.event.kind != .journal else { return }
      if applied.effective.contains(id), applied.changedUIDs.contains(uid) {
        report.updated += 1
        return
      }
      report.unchanged += 1
      let reason: Cancellations.Reason =
        isMissing
        ? .missingEvent
        : applied.withoutOccurrence.contains(id)
          ? .missingOccurrence
          : applied.effective.contains(id) ? .alreadyCancelled : .laterVersion
      report.findings.append(
        SourceFinding(
          source: "",
          finding: Finding(
            .warning, .cancellation(reason, isKept: isMissing), line: message.line,
            component: message.event.kind.component, uid: message.event.identity.uid,
            property: "METHOD")))
    case .reply:
      let outcome = applied.outcomes[id] ?? .missing
      guard var finding = outcome.finding(message.event, line: message.line) else { return }
      if isMissing { finding.kind = .reply(outcome, isKept: true) }
      report.findings.append(SourceFinding(source: "", finding: finding))
    }
  }

  /// The result of applying messages.
  struct AppliedMessages {
    /// The digests of the UIDs with components in the store.
    var presentUIDs: Set<Int> = []
    /// The digests of the UIDs whose components were changed.
    var changedUIDs: Set<Int> = []
    /// The cancellations with an effect, by id.
    var effective: Set<Int> = []
    /// The cancellations of an occurrence that the series does not have, by id.
    var withoutOccurrence: Set<Int> = []
    /// By the ids of the replies.
    var outcomes: [Int: Replies.Outcome] = [:]
  }

  /// Applies the messages about events of sources that this run has changed.
  func applyMessages(to sources: [Int], run: Int, now: Instant) throws(StoreError) {
    let uids = try uidsWithMessages(of: sources, run: run)
    if !uids.isEmpty { _ = try applyMessages(uids: uids, run: run, now: now) }
  }

  private func applyMessages(
    uids: [Int], run: Int, now: Instant
  ) throws(StoreError) -> AppliedMessages {
    var applied = AppliedMessages()
    var changes = MessageChanges()
    var room = CopyRoom()
    for uid in uids {
      let countBefore = changes.count
      let messages = try messages(uid: uid)
      let present = try componentsByCalendar(uid: uid)
      if !present.isEmpty { applied.presentUIDs.insert(uid) }
      for (calendar, components) in present.sorted(by: { $0.key < $1.key }) {
        let inScope = messages.filter { $0.calendar == nil || $0.calendar == calendar }
        if inScope.isEmpty { continue }
        let effects = try apply(inScope, to: components, &changes, room: &room)
        for (index, hasEffect) in effects.hasEffect where hasEffect {
          applied.effective.insert(inScope[index].id)
        }
        for index in effects.withoutOccurrence {
          applied.withoutOccurrence.insert(inScope[index].id)
        }
        for (index, outcome) in effects.outcomes {
          let id = inScope[index].id
          applied.outcomes[id] = max(applied.outcomes[id] ?? .missing, outcome)
        }
      }
      if changes.count > countBefore { applied.changedUIDs.insert(uid) }
    }
    for (source, changes) in changes.bySource.sorted(by: { $0.key < $1.key }) {
      try write(changes, of: source, run: run, now: now)
    }
    return applied
  }

  /// A component of an event with messages.
  private struct Component {
    /// As its source has it.
    var event: Event
    /// As messages changed it so far; `nil` if they did not.
    var changed: Event?
    var document: Int
    var calendarObject: Int
    /// Whether messages made it.
    var isMade: Bool
    /// The digest of its text in the source, by which the next import recognises it.
    var digest: Int?
    var content: Int

    /// What the store shows of it.
    var current: Event { changed ?? event }
  }

  private func componentsByCalendar(uid: Int) throws(StoreError) -> [String: [Component]] {
    let rows = try connection.statement(
      """
      SELECT \(EventReader.columns), calendar.name AS calendar, component.document,
        component.calendar_object, component.digest, component.content,
        component.id IN (SELECT id FROM message_override) AS is_made,
        (SELECT original FROM message_original WHERE id = component.id) AS original
      FROM source JOIN calendar ON calendar.id = source.calendar
      JOIN component ON component.source = source.id AND uid_digest = ?1
        AND component.removed IS NULL
      WHERE source.removed IS NULL ORDER BY component.id
      """, uid)
    let reader = EventReader(rows, context)
    var found: [String: [Component]] = [:]
    while try rows.step() {
      let calendar = rows.text("calendar")
      let current = try event(reader, calendar: calendar)
      let original = try rows.optionalInteger("original").flatMap { id throws(StoreError) in
        try event(component: id)
      }
      found[calendar, default: []].append(
        Component(
          event: original ?? current, changed: original == nil ? nil : current,
          document: rows.integer("document"),
          calendarObject: rows.integer("calendar_object"), isMade: rows.bool("is_made"),
          digest: rows.optionalInteger("digest"), content: rows.integer("content")))
    }
    return found
  }

  private func apply(
    _ messages: [StoredMessage], to components: [Component], _ changes: inout MessageChanges,
    room: inout CopyRoom
  ) throws(StoreError) -> MessageEffects {
    let own = components.filter { !$0.isMade }
    let effects = try MessageEffects(messages.map(\.content), of: own.map(\.event), room: &room) {
      index throws(StoreError) in
      ComponentText(try text(of: own[index].event.reference) ?? []).copiedSize
    } invitation: { index throws(StoreError) in
      let reference = own[index].event.reference
      return Replies.Invitation(
        addresses: try details(component: reference.component)?.attendeeAddresses ?? [],
        size: try text(of: reference)?.count ?? 0)
    }
    var hidden: Set<EventReference> = []
    if own.count > 1 { hidden = try versions(of: own.map(\.event)).assembly.superseded }
    for index in own.indices
    where own[index].changed != nil || effects.cancelled.contains(index)
      || effects.answers[index] != nil
    {
      var changed = try changed(
        own[index], isCancelled: effects.cancelled.contains(index),
        answers: effects.answers[index] ?? [:])
      changed?.isShown = !hidden.contains(own[index].event.reference)
      if let changed { changes.add(changed) }
    }
    var made = Dictionary(
      grouping: components.filter(\.isMade), by: { MadeKey($0.event, content: $0.content) })
    var templates: [Int: OverrideTemplate] = [:]
    var bases: [Int: CancellationBase] = [:]
    for override in effects.overrides {
      let series = own[override.series]
      let record: ComponentRecord
      if let cancellation = override.cancellation {
        var base = bases[override.series]
        if override.isComplete, base == nil {
          base = try self.base(of: series, answers: effects.answers[override.series] ?? [:])
          bases[override.series] = base
        }
        if !override.isComplete { base = nil }
        record = try self.record(of: override, series, base, messages[cancellation].content)
      } else {
        let template: OverrideTemplate
        if let known = templates[override.series] {
          template = known
        } else {
          template = try self.template(
            of: series, answers: effects.answers[override.series] ?? [:])
          templates[override.series] = template
        }
        record = ComponentRecord(
          override.event, answers: override.answers, of: template, key: key,
          calendarObject: series.calendarObject)
      }
      let key = MadeKey(series.event, content: record.content)
      if made[key]?.popLast() != nil { continue }
      changes.add(
        MessageChange(
          source: series.event.reference.source, document: series.document, old: nil,
          original: nil, record: record, isMade: true, digest: nil))
    }
    for component in made.values.joined() {
      changes.add(
        MessageChange(
          source: component.event.reference.source, document: component.document,
          old: component.event.reference.component, original: nil, record: nil, isMade: true,
          digest: nil))
    }
    return effects
  }

  private struct MadeKey: Hashable {
    let source: Int
    let content: Int

    init(_ event: Event, content: Int) {
      source = event.reference.source
      self.content = content
    }
  }

  /// A component after all of its messages; `nil` if the store shows it like that.
  private func changed(
    _ component: Component, isCancelled: Bool, answers: [String: String]
  ) throws(StoreError) -> MessageChange? {
    var event = component.event
    let source = try details(component: event.reference.component) ?? EventDetails()
    var details = source
    details.take(answers: answers)
    let cancels = isCancelled && event.status != .cancelled
    if cancels { event.status = .cancelled }
    let current = component.current
    var before = source
    if component.changed != nil {
      before = try self.details(component: current.reference.component) ?? EventDetails()
    }
    guard event.status != current.status || details != before else { return nil }
    var text = try text(of: event.reference) ?? []
    if cancels { text = CancelledText.bytes(of: text) }
    if details != source { text = ComponentText(text).answered(answers) }
    let record = try record(
      event, details, text: text, calendarObject: component.calendarObject,
      content: component.content)
    return MessageChange(
      source: event.reference.source, document: component.document,
      old: current.reference.component,
      original: cancels || details != source ? event.reference.component : nil,
      record: record, isMade: false, digest: component.digest)
  }

  /// The override that a cancellation makes for one occurrence. `base` is that of the series if the
  /// override has what the cancellation leaves out.
  private func record(
    of override: MessageEffects.Override, _ series: Component, _ base: CancellationBase?,
    _ cancellation: EventMessage
  ) throws(StoreError) -> ComponentRecord {
    var details = cancellation.details
    if let base { details.takePeople(of: base.details) }
    details.take(answers: override.answers)
    let text =
      base?.text(of: override.event, details, cancellation: cancellation.text)
      ?? CancelledText.bytes(of: cancellation.text, title: override.event.title)
    return try record(
      override.event, details, text: ComponentText(text).answered(override.answers),
      calendarObject: series.calendarObject, content: nil)
  }

  /// The values of a series for its cancelled occurrences, with the answers for the series.
  private func base(
    of series: Component, answers: [String: String]
  ) throws(StoreError) -> CancellationBase {
    let (details, text) = try answered(series, answers)
    return CancellationBase(series: series.event, details: details, text: text)
  }

  /// The template of overrides that answers make for occurrences of a series. It has the answers for
  /// the series, so that applying these leaves it the same.
  private func template(
    of series: Component, answers: [String: String]
  ) throws(StoreError) -> OverrideTemplate {
    let (details, text) = try answered(series, answers)
    let attachments = try attachmentBytes(of: series.event.reference, details)
    return OverrideTemplate(
      series: series.event, details: details, text: text, key: key,
      attachmentBytes: { attachments[$0] })
  }

  /// The details and the text of a component with answers.
  private func answered(
    _ component: Component, _ answers: [String: String]
  ) throws(StoreError) -> (details: EventDetails, text: [UInt8]) {
    let reference = component.event.reference
    var details = try details(component: reference.component) ?? EventDetails()
    details.take(answers: answers)
    return (details, ComponentText(try text(of: reference) ?? []).answered(answers))
  }

  private func attachmentBytes(
    of reference: EventReference, _ details: EventDetails
  ) throws(StoreError) -> [Int: [UInt8]] {
    var bytes: [Int: [UInt8]] = [:]
    for attachment in details.attachments {
      bytes[attachment.number] = try attachmentBytes(of: reference, number: attachment.number)
    }
    return bytes
  }

  /// A component with a new text, and with the attachments of the component that its event refers
  /// to.
  private func record(
    _ event: Event, _ details: EventDetails, text: [UInt8], calendarObject: Int, content: Int?
  ) throws(StoreError) -> ComponentRecord {
    let attachments = try attachmentBytes(of: event.reference, details)
    return text.withUnsafeBytes { text in
      ComponentRecord(
        event: event, details: details, text: text, digest: ComponentDigest(of: text, key: key),
        key: key, calendarObject: calendarObject, content: content,
        attachmentBytes: { attachments[$0] })
    }
  }

  private func write(
    _ changes: [MessageChange], of source: Int, run: Int, now: Instant
  ) throws(StoreError) {
    let old = changes.compactMap(\.old)
    // What the same command has added or changed before is counted already.
    let firstOfRun = try connection.integer(
      "SELECT min(first_component) FROM generation WHERE run = ?1", run)
    let shown = changes.filter { $0.isShown && $0.old ?? 0 < firstOfRun ?? .max }
    let generation = try begin(
      .answered, of: source, run: run, now: now, added: shown.count { $0.old == nil },
      updated: shown.count { $0.old != nil && $0.record != nil },
      removed: shown.count { $0.record == nil })
    let writer = try ComponentWriter(
      connection, source: source, generation: generation, nextID: try nextComponent())
    var successors: [Int: [Int: Int]] = [:]
    for change in changes {
      guard let record = change.record else { continue }
      let id = try writer.write(record, document: change.document)
      if change.isMade {
        try connection.insert(Row(columns: 0, key: key), id: id, into: Schema.messageOverride)
      } else {
        try writer.setDigest(of: id, to: change.digest)
        if let old = change.old { successors[change.document, default: [:]][old] = id }
        if let original = change.original {
          var row = Row(columns: 1, key: key)
          row.add("original", original)
          try connection.insert(row, id: id, into: Schema.messageOriginal)
        }
      }
    }
    try take(out: old, generation: generation)
    for (document, successors) in successors {
      try addLines(of: successors, document: document)
    }
    try update(nextComponent: writer.nextID, run: run)
    try finishChange(of: [source])
  }

  /// Copies the line numbers of replaced components to the new ones. The replaced ones keep theirs
  /// for `undo`.
  private func addLines(of successors: [Int: Int], document: Int) throws(StoreError) {
    let row = try connection.statement(
      "SELECT id, line_numbers FROM revision WHERE document = ?1 AND removed IS NULL", document)
    guard try row.step() else { return }
    let (revision, bytes) = (row.integer("id"), row.bytes("line_numbers"))
    row.reset()
    let entries = LineNumbers.entries(in: bytes)
    let new = entries.compactMap { entry in
      successors[entry.component].map { (component: $0, line: entry.line) }
    }
    // New components have higher ids than all others.
    let all = entries + new.sorted { $0.component < $1.component }
    try connection.update(
      Schema.revision, set: ["line_numbers": LineNumbers.bytes(all)], where: "id = ?", revision)
  }
}

/// A component that messages change, make or remove.
struct MessageChange {
  let source: Int
  let document: Int
  /// The component that it replaces; `nil` for a new override.
  let old: Int?
  /// The component that the source has, if messages change it.
  let original: Int?
  /// `nil` for an override that is removed.
  let record: ComponentRecord?
  let isMade: Bool
  /// The digest of the component in its source.
  let digest: Int?
  /// Whether the calendar shows the component. Otherwise it has a later version in another source.
  var isShown = true
}

/// All of them, by source.
private struct MessageChanges {
  private(set) var bySource: [Int: [MessageChange]] = [:]
  private(set) var count = 0

  mutating func add(_ change: MessageChange) {
    bySource[change.source, default: []].append(change)
    count += 1
  }
}
