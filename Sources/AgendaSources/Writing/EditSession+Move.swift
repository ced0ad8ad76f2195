package import AgendaCore
internal import AgendaReader
internal import AgendaStore

extension EditSession {
  /// Moves an event with all of its occurrences to another calendar, and changes it.
  package func move(
    _ occurrence: Occurrence, to calendar: String, _ edit: EventEdit, _ scope: SeriesScope?
  ) throws -> WriteResult {
    let loaded = try load(occurrence)
    let origin = try ownTarget(of: loaded)
    let target = try self.target(ofCalendar: calendar, for: loaded.event.kind)
    if target.location == origin.location {
      return try change(loaded, .edit) { editor in try editor.edit(edit, scope) }
    }
    if let source = try store.sourceID(at: target.location), loaded.isIn(source: source) {
      throw WritingError.invalid(because: .alreadyInCalendar(calendar))
    }
    let folders = try FolderWriter.locking([origin.path, target.path].compactMap(\.self))
    let folder = origin.path.flatMap { folders[$0] }
    let documents = try documents(of: loaded, in: origin, folder)
    let members = documents.members
    var editor = editor(members, occurrence)
    editor.otherFiles = documents.otherNames
    if editor.isSeries, scope != .all, scope != nil || edit != EventEdit() {
      throw WritingError.invalid(because: .partOfSeriesToOtherCalendar)
    }
    let changes = try editor.edit(edit, editor.isSeries ? .all : scope)
      .namingComponents(of: members)
    var planned = PlannedEdit(.edit, kind: loaded.event.kind, uid: loaded.event.identity.uid)
    planned.folders = folders
    planned.permissions = documents.parts.first.flatMap { folder?.permissions(of: $0.name) }
    planned.known = KnownFindings(documents.parts.flatMap(\.text.file.findings))
    // The event is written to its new calendar first, so that it is always in at least one of the
    // two.
    let name = try unusedName(
      forUID: planned.uid, in: target, target.path.flatMap { folders[$0] })
    let added = DocumentChange(
      target: target, name: name, old: nil, new: try moved(documents, changes, to: target))
    let rests = try documents.parts.map { part in
      var emptied = ComponentChanges()
      for member in part.members + part.older + part.hidden {
        emptied.replaced[member.id] = []
      }
      let rest = try part.text.applying(
        emptied, of: part.members, zones: NewDefinitions(zones: options.zones))
      return DocumentChange(target: origin, name: part.name, old: part.text.bytes, new: rest)
    }
    // Older versions go before the event, so that it is never shown in one of them.
    planned.changes =
      [added] + (try removingOlderVersions(documents.outdated, in: origin)) + rests
    planned.changes += try withoutDecisions(about: loaded)
    planned.reported = rests + [added]
    planned.unread = try unread(documents, of: loaded.event, in: origin)
    planned.result.copies = try loaded.copies(reader)
    planned.result.fixedAlarms = changes.fixedAlarms(of: members, after: options.now)
    planned.result.note(changes)
    return try commit(planned)
  }

  /// The text of an event in its new calendar. A document that contains only this event moves as a
  /// whole.
  private func moved(
    _ documents: SeriesDocuments, _ changes: ComponentChanges, to target: EditTarget
  ) throws -> [UInt8] {
    let own = documents.parts[documents.master]
    // A server takes no METHOD, and no other properties of a whole calendar.
    var movesWhole = true
    if case .server = target { movesWhole = false }
    if movesWhole, documents.parts.count == 1, own.text.file.eventCount == own.members.count,
      !own.members.contains(where: \.differsFromFile),
      let whole = try own.text.applying(
        changes, of: own.members, zones: NewDefinitions(zones: options.zones))
    {
      return whole
    }
    let components = documents.members.map { changes.replaced[$0.id] ?? $0.text.bytes }
    return own.text.calendar(
      of: components.filter { !$0.isEmpty }, like: own.members.first,
      zones: NewDefinitions(zones: options.zones))
  }

  /// A name for a new document. `names` are those of other new ones.
  func unusedName(
    forUID uid: String, in target: EditTarget, _ folder: FolderWriter?,
    besides names: Set<String> = []
  ) throws -> String {
    let name = try unusedName(forUID: uid, in: target, folder)
    if !names.contains(name) { return name }
    // An event and a task can have one UID.
    return CalendarFileName.numbered(forUID: uid, .random(in: .min ... .max))
  }

  private func unusedName(
    forUID uid: String, in target: EditTarget, _ folder: FolderWriter?
  ) throws -> String {
    if case .server(let place) = target, let source = try store.sourceID(at: place.address) {
      // An event that comes back before its removal was sent is the server's object again: a calendar
      // has only one object of a UID (RFC 4791, section 5.3.2.1).
      for waiting in try store.waitingDocuments(ofSource: source) where waiting.revision == nil {
        guard let base = waiting.object?.base else { continue }
        if ObjectText(base).order.contains(where: { $0.uid == uid }) { return waiting.name }
      }
      let name = CalendarFileName.opaque(forUID: uid)
      if try !store.hasKnown(document: name, source: source) { return name }
      return CalendarFileName.opaque(forUID: uid, .random(in: .min ... .max))
    }
    return try folder?.unusedName(forUID: uid)
      ?? unusedOwnName(forUID: uid, at: target.location)
  }

  /// A name for a document of an own calendar that has no components: a task can have the UID of an
  /// event.
  private func unusedOwnName(
    forUID uid: String, at location: String
  ) throws(StoreError) -> String {
    guard let source = try store.sourceID(at: location) else { return uid }
    var (name, number) = (uid, 2)
    while try store.document(source: source, name: name) != nil {
      name = "\(uid) \(number)"
      number += 1
    }
    return name
  }
}
