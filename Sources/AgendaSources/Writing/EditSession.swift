package import AgendaCore
package import AgendaPictures
internal import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar
internal import Platform
internal import Recurrence

/// Writes events to their source: a file of a folder, or the local calendar of the store. What the user
/// decides about an event of any other source goes to the store's decisions.
///
/// Each edit loads the event with everything of its UID (`LoadedSeries`) and its documents, locked
/// (`SeriesDocuments`); changes them as values (`SeriesEditor`, `DocumentChange`); reads the result to
/// check it; and commits files and store in one step.
package struct EditSession {
  package struct Options {
    package var zones: ZoneDatabase
    package var now: Instant
    /// The zone in which times are typed.
    package var viewer: Zone
    /// The program that makes thumbnails; without it, pictures wait for the next import.
    package var pictureDecoder: ThumbnailMaker.Program?

    package init(zones: ZoneDatabase, now: Instant, viewer: Zone) {
      self.zones = zones
      self.now = now
      self.viewer = viewer
    }
  }

  let options: Options
  let store: Store
  let reader: StoreReader

  package init(_ options: Options, store: Store) {
    self.options = options
    self.store = store
    reader = StoreReader(store, zones: options.zones)
  }

  var stamp: String { TimeLine.stamp(options.now) }

  // MARK: Changing an event

  /// Changes the event of an occurrence of this store. A change of later or all occurrences is about the
  /// series, also if another source has it.
  package func change(
    _ occurrence: Occurrence, _ command: EditCommand = .edit, _ scope: SeriesScope? = nil,
    _ make: (SeriesEditor) throws -> ComponentChanges
  ) throws -> WriteResult {
    let isWhole = scope == .all || scope == .following
    return try change(isWhole ? try loadSeries(occurrence) : try load(occurrence), command, make)
  }

  func change(
    _ loaded: LoadedSeries, _ command: EditCommand,
    _ make: (SeriesEditor) throws -> ComponentChanges
  ) throws -> WriteResult {
    let target = try ownTarget(of: loaded)
    let others = try otherSources(of: loaded)
    let folders = try FolderWriter.locking(
      [target.path].compactMap(\.self) + others.compactMap { $0.target?.path })
    let folder = target.path.flatMap { folders[$0] }
    var documents = try documents(of: loaded, in: target, folder)
    try add(others, to: &documents, folders)
    let members = documents.members
    let copies = try loaded.copies(reader)
    var editor = editor(members, loaded.occurrence)
    editor.otherFiles = documents.otherNames
    editor.hasCopies = !copies.isEmpty
    editor.sequenceOfOthers =
      others.flatMap(\.loaded.versions).map(\.event.version.sequence).max() ?? 0
    let changes = try make(editor)
    if changes.isEmpty { return WriteResult() }
    let isWhole = command == .remove && changes.removesAll(of: members)
    var edit = PlannedEdit(
      command, kind: loaded.event.kind, uid: changes.newUID ?? loaded.event.identity.uid)
    edit.folders = folders
    edit.permissions = documents.parts.first.flatMap { folder?.permissions(of: $0.name) }
    edit.known = KnownFindings(documents.parts.flatMap(\.text.file.findings))
    edit.changes = try self.changes(
      of: documents, by: changes, isWhole: isWhole, of: loaded, in: target)
    if let uid = changes.newUID, !changes.newSeries.isEmpty {
      let master = documents.parts[documents.master]
      let text = master.text.calendar(
        of: changes.newSeries, like: master.members.first,
        zones: NewDefinitions(zones: options.zones))
      let name = try unusedName(forUID: uid, in: target, folder)
      let new = DocumentChange(target: target, name: name, old: nil, new: text)
      // The new series comes first, so that all occurrences exist until the old series ends.
      edit.changes.insert(new, at: folder == nil ? edit.changes.endIndex : 0)
      edit.splitUID = loaded.event.identity.uid
    }
    edit.reported = edit.changes
    edit.changes += try withoutDecisions(about: loaded)
    edit.unread = try unread(documents, of: loaded.event, in: target)
    edit.result.note(changes)
    edit.result.fixedAlarms = changes.fixedAlarms(of: members, after: options.now)
    if isWhole { edit.result.copies = copies.filter { !documents.otherSources.contains($0) } }
    if loaded.sharesUID { edit.own = changes.texts(of: members) }
    edit.chosen = ChosenEntries(
      loaded, edit.result, areRemoved: command == .remove, viewer: options.viewer,
      file: target.path.map { path in
        let isOneFile = Set(loaded.versions.map(\.document)).count == 1
        return isOneFile ? "\(path)/\(documents.parts[0].name)" : path
      } ?? loaded.source.source.displayName)
    return try commit(edit)
  }

  /// Adds an event's older versions that would be shown again to what is removed. With `isWhole`, these
  /// are all. It also removes duplicates of what changes, because other programs would show them next
  /// to the new version.
  private func changes(
    of documents: SeriesDocuments, by changes: ComponentChanges, isWhole: Bool,
    of loaded: LoadedSeries, in target: EditTarget
  ) throws -> [DocumentChange] {
    // Of several events with the UID, a part of one does not replace older versions.
    let uncovered =
      loaded.sharesUID
      ? [] : documents.members.onClocksOfSeries.filter(changes.uncoversOlderVersions)
    let removesMaster = documents.members.contains {
      $0.event.identity.recurrenceID == nil && changes.replaced[$0.id]?.isEmpty == true
    }
    let changed = Set(
      documents.members.lazy.filter { changes.replaced[$0.id] != nil }.map {
        Self.content(of: $0.event, $0.text.bytes).meaning
      })
    func isOutdated(_ member: SeriesEditor.Member) -> Bool {
      isWhole || removesMaster && member.event.identity.recurrenceID == nil
        || changed.contains(Self.content(of: member.event, member.text.bytes).meaning)
        || uncovered.contains { $0.replacesSameOccurrence(as: member, options.viewer) }
    }
    let zones = NewDefinitions(zones: options.zones)
    // They come first, so that the event is never shown in an older version.
    var found = try removingOlderVersions(documents.outdated, in: target, where: isOutdated)
    for (number, part) in documents.parts.enumerated() {
      var own = documents.changes(changes, in: number)
      for member in part.olderOnClocks where isOutdated(member) {
        own.replaced[member.id] = []
      }
      if !loaded.decisions.isEmpty {
        for member in part.members where member.differsFromFile && own.replaced[member.id] == nil {
          own.replaced[member.id] = member.text.bytes
        }
      }
      if !loaded.decisions.isEmpty || documents.replacesMaster(changes) {
        for member in part.hidden { own.replaced[member.id] = [] }
      }
      if own.isEmpty { continue }
      let new = try part.text.applying(own, of: part.members, zones: zones)
      found.append(
        DocumentChange(
          target: part.target ?? target, name: part.name, old: part.text.bytes, new: new))
    }
    return found
  }

  /// Documents without their older versions of the event.
  func removingOlderVersions(
    _ outdated: [SeriesDocuments.Part], in target: EditTarget,
    where isRemoved: (SeriesEditor.Member) -> Bool = { _ in true }
  ) throws -> [DocumentChange] {
    try outdated.compactMap { part in
      var removal = ComponentChanges()
      for member in part.olderOnClocks where isRemoved(member) { removal.replaced[member.id] = [] }
      if removal.isEmpty { return nil }
      let new = try part.text.applying(
        removal, of: part.older, zones: NewDefinitions(zones: options.zones))
      return DocumentChange(
        target: part.target ?? target, name: part.name, old: part.text.bytes, new: new)
    }
  }

  private static func content(of event: Event, _ text: [UInt8]) -> EventContent {
    let meaning = ComponentMeaning(text)
    return EventContent(
      event, meaning: meaning.all, lasting: meaning.lasting, text: meaning.text)
  }

  /// Throws if what the store has now differs from what it had in more than the chosen entries.
  func check(_ edit: PlannedEdit) throws {
    guard let chosen = edit.chosen else { return }
    let uids = Set([edit.uid, edit.splitUID].compactMap(\.self)).map {
      store.uidDigest(of: $0, ComponentKind(edit.kind))
    }
    reader.forgetSources()
    let after = try reader.excerpt(ofUIDs: uids).assembly.series
    guard let other = chosen.other(changedIn: after) else { return }
    if let file = chosen.fileOfSharedUID {
      throw WritingError.invalid(because: .sharedUID(file: file))
    }
    throw WritingError.invalid(because: .changesOther(title: other.title, start: other.start))
  }

  /// The documents that other programs have changed since they were read, apart from the event.
  func unread(
    _ documents: SeriesDocuments, of event: Event, in target: EditTarget
  ) throws(StoreError) -> [DocumentChange] {
    let own = store.uidDigest(of: event.identity.uid, ComponentKind(event.kind))
    var unread: [DocumentChange] = []
    for part in documents.parts
    where (part.target ?? target).path != nil
      && part.text.file.eventCount > part.members.count(where: \.isInFile) + part.older.count
    {
      var present: [Int] = []
      part.text.file.forEachEvent { other, component in
        guard other.identity.uid != event.identity.uid || other.kind != event.kind else { return }
        present.append(ComponentDigest(of: component, key: store.key).value)
      }
      let known = try store.knownComponents(ofDocument: part.document).filter { $0.uid != own }
      if known.map(\.digest).sorted() != present.sorted() {
        unread.append(
          DocumentChange(
            target: part.target ?? target, name: part.name, old: nil, new: part.text.bytes))
      }
    }
    return unread
  }

  // MARK: Parts

  func load(_ occurrence: Occurrence) throws(StoreError) -> LoadedSeries {
    try LoadedSeries(occurrence, viewer: options.viewer, reader)
  }

  /// The source of an event, if agenda writes it.
  func target(of loaded: LoadedSeries) -> EditTarget? {
    switch loaded.source.source.kind {
    case .folder: .folder(FolderPlace(loaded.source.source))
    case .server: isReadOnly(loaded.source) ? nil : .server(ServerPlace(loaded.source.source))
    case .local: .own(loaded.source.source)
    case .file, .url, .standardInput, .decisions: nil
    }
  }

  /// Throws if agenda cannot write the source of the event.
  func ownTarget(of loaded: LoadedSeries) throws -> EditTarget {
    if let target = target(of: loaded) { return target }
    let source = loaded.source.source
    throw source.kind == .server
      ? WritingError.readOnly(calendar: source.calendar)
      : WritingError.foreign(source: source.displayName)
  }

  /// Throws if the user may only read a calendar on a server.
  func checkWritable(_ target: EditTarget) throws {
    guard case .server(let place) = target, let source = try store.source(at: place.address),
      isReadOnly(source)
    else { return }
    throw WritingError.readOnly(calendar: place.calendar)
  }

  private func isReadOnly(_ source: StoredSource) -> Bool {
    (try? store.serverCalendars())?[source.id]?.isWritable == false
  }

  func editor(_ members: [SeriesEditor.Member], _ occurrence: Occurrence) -> SeriesEditor {
    SeriesEditor(
      members: members.onClocksOfSeries, occurrence: occurrence, viewer: options.viewer,
      now: options.now, zones: options.zones)
  }

  func reader(_ calendar: String) -> CalendarReader {
    var reader = CalendarReader(zones: options.zones)
    reader.options.calendar = calendar
    return reader
  }

  /// Reads a document as an import of its source does.
  func read(
    _ bytes: [UInt8], _ target: EditTarget?, _ name: String, calendar: String
  ) throws -> CalendarText {
    switch target {
    case .folder(let place)?: return try read(bytes, place, name)
    case .own(let source)?:
      return try CalendarText(bytes, reader: reader(source.calendar), name: source.calendar)
    case .server(let place)?:
      return try CalendarText(bytes, reader: reader(place.calendar), name: place.calendar)
    case .decisions?: return try CalendarText(bytes, reader: reader(""), name: "")
    case nil: return try CalendarText(bytes, reader: reader(calendar), name: "")
    }
  }

  private func read(
    _ bytes: [UInt8], _ place: FolderPlace, _ name: String
  ) throws -> CalendarText {
    let path = "\(place.path)/\(name)"
    do {
      var reader = reader(place.calendar)
      reader.options.encoding = place.encoding.map(TextEncoding.init(stored:))
      let text = try CalendarText(bytes, reader: reader, name: place.calendar, path: path)
      try text.checkVersion()
      return text
    } catch {
      throw WritingError.unwritable(file: path, reason: "\(error)")
    }
  }
}
