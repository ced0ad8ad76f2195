package import AgendaCore
internal import AgendaReader
internal import AgendaStore

extension EventWriter {
  /// Moves an event with all of its occurrences to another calendar, and changes it.
  package func move(
    _ occurrence: Occurrence, to calendar: String, _ edit: EventEdit, _ scope: SeriesScope?
  ) throws -> WriteResult {
    let event = occurrence.event
    let uid = event.identity.uid
    try store.requireOwn(occurrence)
    let target = try place(ofCalendar: calendar)
    let origin = try store.origin(of: event.reference)
    let file = origin?.document ?? ""
    var source: (place: FolderPlace, file: String)?
    if let origin, origin.kind == .folder {
      source = (FolderPlace(path: origin.location, calendar: event.calendar), file)
    }
    if target?.path == source?.place.path {
      return try change(occurrence) { editor in try editor.edit(edit, scope) }
    }
    guard try !store.has(uid: uid, event.kind, location: target?.path ?? Store.localLocation)
    else { throw WritingError.invalid("calendar \(calendar) already has this event") }
    let folders = try FolderWriter.locking([source?.place.path, target?.path].compactMap(\.self))
    let (found, others) = try files(
      of: occurrence, in: source?.place, folders, file: source?.file ?? "")
    var editor = editor(found.members, occurrence)
    editor.otherFiles = others
    if editor.isSeries, scope != .all, scope != nil || edit != EventEdit() {
      throw WritingError.invalid("a series moves to another calendar as a whole: choose --all")
    }
    let changes = try editor.edit(edit, editor.isSeries ? .all : scope)
      .namingComponents(of: found.members)
    let zones = NewDefinitions(zones: options.zones)
    let own = found.parts[found.master]
    // A file that contains only this event moves as a whole.
    let whole =
      found.parts.count == 1 && own.text.file.eventCount == own.members.count
        && !own.members.contains(where: \.isFromMessages)
      ? try own.text.applying(changes, of: own.members, zones: zones) : nil
    let moved =
      whole
      ?? self.calendar(
        of: found.members.map { changes.replaced[$0.number] ?? $0.text.bytes }
          .filter { !$0.isEmpty },
        like: own.text, with: own.members.first)
    var known = found.parts.flatMap(\.text.file.findings)
    var result = WriteResult()
    result.fixedAlarms = changes.fixedAlarms(of: found.members, after: options.now)
    // The event is written to its new calendar first, so that it is always in at least one of the
    // two.
    let permissions = source.flatMap { folders[$0.place.path]?.permissions(of: $0.file) }
    let added = try documents(
      moved, of: uid, previous: nil, in: target, folders, permissions,
      file: target == nil ? uid : nil, known: &known)
    var removal = WrittenChange(
      location: source?.place.path ?? Store.localLocation, documents: [])
    if let place = source?.place, let folder = folders[place.path], try !sharesUID(occurrence) {
      // They go first, so that the event is never shown in an older version.
      let names = found.parts.map(\.name)
      for (name, old, new) in try removingOlderVersions(
        of: occurrence, in: folder, place, but: names)
      {
        let version = try documents(
          new, of: uid, previous: old, in: place, folders, permissions, file: name, known: &known)
        removal.documents += version.change.documents
        removal.files += version.change.files
      }
    }
    for part in found.parts {
      var emptied = ComponentChanges()
      let older = try sharesUID(occurrence) ? [] : part.text.members(of: occurrence)
      for member in part.members + older { emptied.replaced[member.number] = [] }
      // The local calendar has nothing else in what is read of it.
      let rest = try part.text.applying(emptied, of: part.members, zones: zones)
      let removed = try documents(
        rest, of: uid, previous: part.bytes, in: source?.place, folders, permissions,
        file: source == nil ? file : part.name, known: &known)
      removal.documents += removed.change.documents
      removal.files += removed.change.files
      result.files.append(
        WriteResult.File(name: removed.name, old: part.bytes ?? part.text.bytes, new: rest ?? []))
    }
    result.events = added.events
    result.copies = try copies(of: occurrence)
    result.note(changes)
    result.files.append(WriteResult.File(name: added.name, old: [], new: moved))
    if options.isDryRun { return result }
    if let place = source?.place { try readOtherEvents(of: found, event, in: place) }
    try commit([added.change, removal], .edited, run: try begin(target), to: folders)
    makeThumbnails(of: target?.path ?? Store.localLocation)
    return result
  }

  /// A file of a folder, or the part of the local calendar with one event; `nil` removes it.
  private func documents(
    _ bytes: [UInt8]?, of uid: String, previous: [UInt8]?, in place: FolderPlace?,
    _ folders: [String: FolderWriter], _ permissions: UInt32?, file: String? = nil,
    known: inout [Finding]
  ) throws -> (change: WrittenChange, name: String, events: [Event]) {
    guard let place else {
      let calendar = try bytes.map { bytes in
        try CalendarText(bytes, reader: reader(Store.localCalendar), name: "").file
      }
      if let calendar { try Self.check(calendar, known: &known) }
      let document = localDocument(file ?? "", uid: uid, calendar)
      let change = WrittenChange(location: Store.localLocation, documents: [document])
      return (change, Store.localCalendar, calendar?.allEvents ?? [])
    }
    let name = file ?? folders[place.path]?.unusedName(forUID: uid) ?? ""
    let (document, text) = try document(name, bytes, in: place)
    if let text { try Self.check(text.file, known: &known) }
    var change = WrittenChange(location: place.path, documents: [document])
    change.files = [
      WrittenFile(
        folder: place.path, name: name, previous: previous, written: bytes,
        permissions: permissions)
    ]
    let events = text?.file.allEvents.filter { $0.identity.uid == uid } ?? []
    return (change, "\(place.path)/\(name)", events)
  }
}

extension Store {
  /// Throws if agenda cannot write the source of the event.
  func requireOwn(_ occurrence: Occurrence) throws {
    guard let origin = try origin(of: occurrence.event.reference) else {
      throw StoreError.unknown(what: "event", name: occurrence.event.identity.uid)
    }
    switch origin.kind {
    case .folder, .local: return
    case .file, .url, .standardInput:
      let source = ImportedSource(
        kind: origin.kind, location: origin.location, calendar: occurrence.event.calendar)
      throw WritingError.foreign(source: source.displayName)
    }
  }
}
