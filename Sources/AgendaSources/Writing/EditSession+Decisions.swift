package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar

/// Decisions of the user about events whose source agenda cannot write. Each is a message in the
/// store's own source, in the document of a `DecisionPlace`.
extension EditSession {
  /// Removes an event. If agenda cannot write its source, hides the event.
  package func remove(_ occurrence: Occurrence, _ scope: SeriesScope?) throws -> WriteResult {
    let loaded = try loadSeries(occurrence)
    guard target(of: loaded) == nil else {
      return try change(loaded, .remove) { editor in try editor.remove(scope) }
    }
    return try hide(loaded, scope)
  }

  private func hide(_ loaded: LoadedSeries, _ scope: SeriesScope?) throws -> WriteResult {
    let documents = try documents(of: loaded, in: nil, nil)
    let members = documents.members
    var editor = editor(members, loaded.occurrence)
    editor.keepsVersion = loaded.sharesUID
    let changes = try editor.remove(scope)
    if changes.isEmpty { return WriteResult() }
    var edit = PlannedEdit(.remove, kind: loaded.event.kind, uid: loaded.event.identity.uid)
    try note(changes, of: documents, about: loaded, in: &edit)
    let copies = try loaded.copies(reader)
    let elsewhere = loaded.series?.overrides.contains { override in
      override.reference.source != loaded.source.id
    }
    let message = try cancellation(
      of: loaded, editor, scope,
      leavesOthers: elsewhere == true || !changes.removesAll(of: members))
    edit.changes = [try decision(message, method: "CANCEL", about: loaded)]
    edit.result.note(changes)
    if copies.isEmpty {
      edit.chosen = ChosenEntries(loaded, edit.result, areRemoved: true, viewer: options.viewer)
    }
    return try commit(edit)
  }

  /// Notes what changes would do to documents that are not written.
  private func note(
    _ changes: ComponentChanges, of documents: SeriesDocuments, about loaded: LoadedSeries,
    in edit: inout PlannedEdit
  ) throws {
    for (number, part) in documents.parts.enumerated() {
      let own = documents.changes(changes, in: number)
      let new =
        own.isEmpty
        ? part.text.bytes
        : try part.text.applying(
          own, of: part.members, zones: NewDefinitions(zones: options.zones))
      edit.result.files.append(
        WriteResult.File(
          name: loaded.event.calendar, old: part.members.flatMap(\.text.bytes),
          new: WriteResult.components(of: new ?? [])))
      if let new {
        let text = try read(new, nil, "", calendar: loaded.event.calendar)
        edit.result.events += text.members(of: loaded.event).map(\.event)
      }
    }
    edit.result.unchangedSource = try reader.origin(of: loaded.home.event.reference)?
      .place(inStore: store.path).source
    edit.reported = []
  }

  /// Marks a task as completed, of a series only the occurrence. If agenda cannot write its source, that
  /// is remembered as an answer is.
  package func complete(_ occurrence: Occurrence) throws -> WriteResult {
    let loaded = try load(occurrence)
    guard target(of: loaded) == nil else {
      return try change(loaded, .done) { editor in try editor.complete() }
    }
    let documents = try documents(of: loaded, in: nil, nil)
    var editor = editor(documents.members, loaded.occurrence)
    editor.keepsVersion = true
    let changes = try editor.complete()
    if changes.isEmpty { return WriteResult() }
    var edit = PlannedEdit(.done, kind: loaded.event.kind, uid: loaded.event.identity.uid)
    try note(changes, of: documents, about: loaded, in: &edit)
    let message = try completion(of: loaded, editor)
    let isEarlier = try isEarlier(message, to: loaded, with: "X-AGENDA-COMPLETED") { _ in true }
    edit.changes = [
      try decision(message, method: "REPLY", about: loaded, replacing: isEarlier)
    ]
    return try commit(edit)
  }

  /// METHOD:REPLY for a completed task, or one of its occurrences.
  private func completion(of loaded: LoadedSeries, _ editor: SeriesEditor) throws -> [UInt8] {
    guard let component = editor.single else {
      throw WritingError.invalid(because: .missingEvent(.task))
    }
    return message(about: component, of: loaded) { lines, text in
      if editor.override != nil {
        lines += text.own("RECURRENCE-ID").prefix(1).map { PropertyLine($0.content).content }
      } else if editor.isSeries, let place = loaded.occurrence.recurrenceID,
        let start = component.event.start
      {
        lines.append(
          TimeLine.line(
            "RECURRENCE-ID", place.converted(like: start, viewer: options.viewer),
            replacing: text.startLine, at: start
          ).content)
      }
      lines += [
        "STATUS:COMPLETED", "PERCENT-COMPLETE:100", "COMPLETED:\(stamp)",
        "X-AGENDA-COMPLETED:TRUE",
      ].map { Array($0.utf8) }
    }
  }

  /// A component that names another one, with more lines.
  private func message(
    about component: SeriesEditor.Member, of loaded: LoadedSeries,
    _ addLines: (inout [[UInt8]], ComponentText) throws -> Void
  ) rethrows -> [UInt8] {
    let text = component.text
    var lines = [text.lines.first?.content ?? Array("BEGIN:VEVENT".utf8)]
    lines.append(Array("UID:".utf8) + PropertyValue.escaped(loaded.event.identity.uid))
    lines.append(Array("DTSTAMP:\(stamp)".utf8))
    lines.append(Array("SEQUENCE:\(component.event.version.sequence)".utf8))
    lines += ["DTSTART", "SUMMARY"].flatMap { (name: StaticString) in
      text.own(name).prefix(1).map { PropertyLine($0.content).content }
    }
    try addLines(&lines, text)
    let end = text.lines.last { $0.depth == 1 && $0.isProperty("END") }?.content
    lines.append(end ?? Array("END:VEVENT".utf8))
    return lines.flatMap { FileLines.folded($0) }
  }

  /// What finds the earlier answers of one kind to the component that a message is about.
  private func isEarlier(
    _ message: [UInt8], to loaded: LoadedSeries, with name: StaticString,
    _ isSame: @escaping (ComponentText) -> Bool
  ) throws -> (StoredComponent, StoredContext?) -> Bool {
    let uid = store.uidDigest(
      of: loaded.event.identity.uid, ComponentKind(loaded.event.kind))
    func place(_ text: ComponentText) -> [[UInt8]] { text.own("RECURRENCE-ID").map(\.content) }
    let own = place(ComponentText(message))
    return { stored, context in
      guard stored.uid == uid, let context,
        FileLines(context.text).lines.contains(where: { $0.method == "REPLY" })
      else { return false }
      let text = ComponentText(stored.text)
      return place(text) == own && !text.own(name).isEmpty && isSame(text)
    }
  }

  /// METHOD:CANCEL for an event, an occurrence, or this and all later ones. Also of the last occurrence
  /// that is left, only that is hidden: its source can give the series more of them. So is an event that
  /// does not recur but shares its UID with overrides of other dates.
  private func cancellation(
    of loaded: LoadedSeries, _ editor: SeriesEditor, _ scope: SeriesScope?, leavesOthers: Bool
  ) throws -> [UInt8] {
    // An override without its series is a single event.
    let isOrphan = editor.master == nil
    guard let component = isOrphan ? editor.single : editor.master else {
      throw WritingError.invalid(because: .missingEvent(.event))
    }
    return try message(about: component, of: loaded) { lines, text in
      if isOrphan {
        lines += text.own("RECURRENCE-ID").prefix(1).map { PropertyLine($0.content).content }
      } else if let start = component.event.start,
        let place = loaded.occurrence.recurrenceID ?? (leavesOthers ? start : nil)
      {
        let scope = try editor.scope(scope)
        if scope != .all, scope != nil || leavesOthers {
          var line = TimeLine.line(
            "RECURRENCE-ID", place.converted(like: start, viewer: options.viewer),
            replacing: text.startLine, at: start)
          if scope == .following { line["RANGE"] = "THISANDFUTURE" }
          lines.append(line.content)
        }
      }
      lines += ["STATUS:CANCELLED", "X-AGENDA-HIDDEN:TRUE"].map { Array($0.utf8) }
    }
  }

  /// The document of the decisions about the events of a place, with one more message. The zones of its times are
  /// those of the event.
  func decision(
    _ component: [UInt8], method: String, about loaded: LoadedSeries,
    replacing isReplaced: (StoredComponent, StoredContext?) -> Bool = { _, _ in false }
  ) throws(StoreError) -> DocumentChange {
    let name = DecisionPlace(
      location: loaded.source.source.location, calendar: loaded.event.calendar
    ).document
    let context = try store.contexts([loaded.home.context])[loaded.home.context]?.text ?? []
    let definitions = StoredText.definitions(in: context)
    let zones = NewDefinitions(zones: options.zones)
    let missing = zones.names(in: [component])
      .subtracting(NewDefinitions.names(definedIn: definitions))
    let message = CalendarText.wrapping(
      [component], properties: StoredText.zoneLines(in: context), method: method,
      definitions: definitions + zones.definitions(of: missing))
    var old: [UInt8]?
    if let source = try store.sourceID(at: ImportedSource.decisions.location),
      let document = try store.document(source: source, name: name)
    {
      let present = try store.components(ofDocument: document.id)
      let contexts = try store.contexts(Set(present.map(\.context)))
      old = try decisions(present.filter { !isReplaced($0, contexts[$0.context]) }, in: name)
    }
    return DocumentChange(target: .decisions, name: name, old: old, new: (old ?? []) + message)
  }

  /// The answer of an attendee to a component. It replaces an earlier one to the same component. `make` says
  /// what it changes.
  func answer(
    _ component: [UInt8], by attendee: PropertyLine, to loaded: LoadedSeries,
    _ make: (SeriesEditor) throws -> ComponentChanges
  ) throws -> WriteResult {
    let isEarlier = try isEarlier(component, to: loaded, with: "ATTENDEE") { text in
      text.own("ATTENDEE").contains { PropertyLine($0.content).isAddress(attendee.address) }
    }
    var edit = PlannedEdit(.reply, kind: loaded.event.kind, uid: loaded.event.identity.uid)
    let documents = try documents(of: loaded, in: nil, nil)
    var editor = editor(documents.members, loaded.occurrence)
    editor.keepsVersion = true
    try note(make(editor), of: documents, about: loaded, in: &edit)
    edit.changes = [
      try decision(component, method: "REPLY", about: loaded, replacing: isEarlier)
    ]
    return try commit(edit)
  }

  /// The documents of decisions without those about an event whose own text has them now.
  func withoutDecisions(about loaded: LoadedSeries) throws(StoreError) -> [DocumentChange] {
    let taken = Set(loaded.decisions.map(\.reference.component))
    let documents = Set(try store.components(ids: Array(taken)).map(\.document))
    return try documents.sorted().map { id throws(StoreError) in
      let name = try store.nameAndMail(ofDocument: id).name
      let present = try store.components(ofDocument: id)
      let rest = present.filter { !taken.contains($0.id) }
      return DocumentChange(
        target: .decisions, name: name, old: try decisions(present, in: name),
        new: rest.isEmpty ? nil : try decisions(rest, in: name))
    }
  }

  /// The text of some decisions of a document.
  private func decisions(
    _ messages: [StoredComponent], in name: String
  ) throws(StoreError) -> [UInt8]? {
    guard let source = try store.sourceID(at: ImportedSource.decisions.location),
      let document = try store.document(source: source, name: name)
    else { return nil }
    return try StoredText(store: store).text(of: messages, in: document, keepsEmpty: false)
  }
}
