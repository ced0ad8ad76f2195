package import AgendaCore
package import AgendaPictures
internal import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar
internal import Platform
internal import Recurrence

/// Writes events to their source: a file of a folder, or the local calendar of the store. The store
/// is updated in the same step.
package struct EventWriter {
  package struct Options {
    package var storePath: String
    package var zones: ZoneDatabase
    package var now: Instant
    /// The zone in which times are typed.
    package var viewer: Zone
    /// Computes the changes without writing anything.
    package var isDryRun = false
    /// The program that makes thumbnails; without it, pictures wait for the next import.
    package var pictureDecoder: ThumbnailMaker.Program?

    package init(storePath: String, zones: ZoneDatabase, now: Instant, viewer: Zone) {
      self.storePath = storePath
      self.zones = zones
      self.now = now
      self.viewer = viewer
    }
  }

  let options: Options
  let store: Store

  package init(_ options: Options) throws {
    self.init(options, store: try Store.open(writing: options.storePath, zones: options.zones))
  }

  init(_ options: Options, store: Store) {
    self.options = options
    self.store = store
  }

  // MARK: Changing an event

  /// Changes the event of an occurrence of this store.
  package func change(
    _ occurrence: Occurrence, _ action: WrittenAction = .edited,
    _ make: (SeriesEditor) throws -> ComponentChanges
  ) throws -> WriteResult {
    try store.requireOwn(occurrence)
    guard let origin = try store.origin(of: occurrence.event.reference), origin.kind == .folder
    else { return try changeLocally(occurrence, action, make) }
    let place = FolderPlace(path: origin.location, calendar: occurrence.event.calendar)
    return try change(occurrence, in: place, file: origin.document, action, make)
  }

  private func change(
    _ occurrence: Occurrence, in place: FolderPlace, file name: String, _ action: WrittenAction,
    _ make: (SeriesEditor) throws -> ComponentChanges
  ) throws -> WriteResult {
    let folder = try FolderWriter(locking: place.path)
    let (found, others) = try files(of: occurrence, in: place, [place.path: folder], file: name)
    let members = found.members
    var editor = editor(members, occurrence)
    editor.otherFiles = others
    let copies = try copies(of: occurrence)
    editor.hasCopies = !copies.isEmpty
    let changes = try make(editor)
    if changes.isEmpty { return WriteResult() }
    let sharesUID = try sharesUID(occurrence)
    var files: [(name: String, old: [UInt8]?, new: [UInt8]?)] = []
    let isWhole = action == .removed && changes.removesAll(of: members)
    let uncovered = members.onClocksOfSeries.filter(changes.uncoversOlderVersions)
    /// Whether it is an older version that the change would bring back.
    func isUncovered(_ member: SeriesEditor.Member) -> Bool {
      isWhole || uncovered.contains { $0.replacesSameOccurrence(as: member, options.viewer) }
    }
    if !sharesUID, isWhole || !uncovered.isEmpty {
      // They come first, so that the event is never shown in an older version.
      files = try removingOlderVersions(
        of: occurrence, in: folder, place, but: found.parts.map(\.name), where: isUncovered)
    }
    for (index, part) in found.parts.enumerated() {
      var own = found.changes(changes, in: index)
      if !sharesUID {
        let known = Set(part.members.map(\.number))
        for member in part.text.members(of: occurrence).onClocksOfSeries
        where !known.contains(member.number) && isUncovered(member) {
          own.replaced[member.number] = []
        }
      }
      if own.isEmpty { continue }
      let new = try part.text.applying(
        own, of: part.members, zones: NewDefinitions(zones: options.zones))
      files.append((part.name, part.bytes, new))
    }
    if sharesUID { try check(files, of: occurrence, in: place, removesEvent: isWhole) }
    if !changes.newSeries.isEmpty, let uid = changes.newUID {
      // The new series comes first, so that all occurrences exist until the old series ends.
      let master = found.parts[found.master]
      let wrapped = calendar(of: changes.newSeries, like: master.text, with: master.members.first)
      files.insert((folder.unusedName(forUID: uid), nil, wrapped), at: 0)
    }
    try readOtherEvents(of: found, occurrence.event, in: place)
    var result = try write(
      files, to: folder, place, permissions: folder.permissions(of: name),
      before: found.parts.map(\.text), uid: changes.newUID ?? occurrence.event.identity.uid, action)
    result.note(changes)
    result.fixedAlarms = changes.fixedAlarms(of: found.members, after: options.now)
    if isWhole { result.copies = copies }
    return result
  }

  /// The locations of the other sources of the calendar that have the event.
  func copies(of occurrence: Occurrence) throws -> [String] {
    let reference = occurrence.event.reference
    let others = try store.siblingsInOtherSources(of: reference)
    if others.isEmpty { return [] }
    let own = try store.siblings(of: reference, inAllDocuments: true)
    if (own + others.map(\.component)).haveSharedUID { return [] }
    return Set(others.map(\.location)).sorted()
  }

  /// Whether several events of the source have the UID, so that no version replaces another one.
  func sharesUID(_ occurrence: Occurrence) throws -> Bool {
    try store.siblings(of: occurrence.event.reference, inAllDocuments: true).haveSharedUID
  }

  /// Other files of the folder without their older versions of the event, or with `isRemoved` only
  /// without some of them. The store has only the newest version, but the next import would find the
  /// others.
  func removingOlderVersions(
    of occurrence: Occurrence, in folder: FolderWriter, _ place: FolderPlace, but names: [String],
    where isRemoved: (SeriesEditor.Member) -> Bool = { _ in true }
  ) throws -> [(name: String, old: [UInt8]?, new: [UInt8]?)] {
    var files: [(name: String, old: [UInt8]?, new: [UInt8]?)] = []
    for other in try store.documentsWithOlderVersions(location: place.path)
    where !names.contains(other) {
      guard let bytes = try folder.contents(of: other) else { continue }
      let text = try read(bytes, place, other)
      let members = text.members(of: occurrence)
      var removal = ComponentChanges()
      for member in members.onClocksOfSeries where isRemoved(member) {
        removal.replaced[member.number] = []
      }
      if removal.isEmpty { continue }
      let new = try text.applying(
        removal, of: members, zones: NewDefinitions(zones: options.zones))
      files.append((other, bytes, new))
    }
    return files
  }

  /// The calendar that contains the event, its components there, and the bytes of its file. Throws
  /// if the file differs from the store.
  func present(
    _ occurrence: Occurrence, in place: FolderPlace?, _ folders: [String: FolderWriter],
    file name: String
  ) throws -> SeriesFiles.Part {
    let stored = try store.siblings(of: occurrence.event.reference)
    let made = try overridesFromMessages(of: occurrence)
    guard let place else {
      let object = try store.calendarObject(of: occurrence.event.reference)
      let text = try calendar(
        of: stored + made, properties: object?.properties ?? [], definedBy: object?.parts ?? [])
      let event = occurrence.event
      let members = text.members(uid: event.identity.uid, kind: event.kind)
      return SeriesFiles.Part(
        name: name, text: text, bytes: nil, members: try only(occurrence, of: members))
    }
    guard let bytes = try folders[place.path]?.contents(of: name) else {
      throw WritingError.missing(file: "\(place.path)/\(name)")
    }
    let text = try read(bytes, place, name)
    let members = try members(
      of: occurrence, in: text, stored: stored, file: "\(place.path)/\(name)")
    let additions = made.enumerated().map { index, override in
      SeriesEditor.Member(
        number: -1 - index, event: override.event, text: override.text, isFromMessages: true)
    }
    return SeriesFiles.Part(name: name, text: text, bytes: bytes, members: members + additions)
  }

  /// The components of the event in all files of its folder, without older versions. If several
  /// events have the UID, all components with it in the file of the event.
  func components(of occurrence: Occurrence) throws -> [SiblingComponent] {
    let reference = occurrence.event.reference
    let all = try store.siblings(of: reference, inAllDocuments: true)
    return all.haveSharedUID ? try store.siblings(of: reference) : all.newest
  }

  /// The overrides from messages that stay when the event changes: those of occurrences that do not
  /// take place, and that of the changed occurrence. Other answers to single occurrences apply only
  /// to the version that they answered.
  func overridesFromMessages(of occurrence: Occurrence) throws -> [SiblingComponent] {
    try store.overridesFromMessages(of: occurrence.event.reference).filter { override in
      if override.event.status == .cancelled { return true }
      guard let own = override.event.identity.recurrenceID else { return false }
      return occurrence.recurrenceID?.isSameStart(as: own, viewer: options.viewer) == true
    }
  }

  /// Several components of one UID, with the properties of the VCALENDAR that had `member`, and the
  /// definitions of their zones from there.
  func calendar(
    of components: [[UInt8]], like text: CalendarText, with member: SeriesEditor.Member?
  ) -> [UInt8] {
    let definitions = NewDefinitions(zones: options.zones)
    let names = definitions.names(in: components)
    let known = names.intersection(text.definedZones)
    return CalendarText.wrapping(
      components, properties: member.map(text.properties(around:)) ?? [],
      definitions: text.definitions(of: known)
        + definitions.definitions(of: names.subtracting(known)))
  }

  private func read(
    _ bytes: [UInt8], _ place: FolderPlace, _ name: String
  ) throws -> CalendarText {
    let path = "\(place.path)/\(name)"
    do {
      let text = try CalendarText(
        bytes, reader: reader(place.calendar), name: place.calendar, path: path)
      let isOld = text.file.calendarProperties.contains { lines in
        FileLines(lines).lines.contains { $0.elementsEqual("VERSION:1.0".utf8) }
      }
      if isOld { throw WritingError.invalid("agenda cannot change events in vCalendar 1.0") }
      return text
    } catch {
      throw WritingError.unwritable(file: path, reason: "\(error)")
    }
  }

  func reader(_ calendar: String) -> CalendarReader {
    var reader = CalendarReader(zones: options.zones)
    reader.options.calendar = calendar
    return reader
  }

  func editor(_ members: [SeriesEditor.Member], _ occurrence: Occurrence) -> SeriesEditor {
    SeriesEditor(
      members: members.onClocksOfSeries, occurrence: occurrence, viewer: options.viewer,
      now: options.now, zones: options.zones)
  }

  /// The components of the event in its file. Throws if they differ from those in the store.
  private func members(
    of occurrence: Occurrence, in text: CalendarText, stored: [SiblingComponent], file: String
  ) throws -> [SeriesEditor.Member] {
    let event = occurrence.event
    let members = try text.members(uid: event.identity.uid, kind: event.kind).map { member in
      let digest = member.text.bytes.withUnsafeBytes {
        ComponentDigest(of: $0, key: store.key).value
      }
      // The user sees the event with the messages about it, so the edit applies to that version.
      let shown =
        try stored.first(where: { $0.sourceDigest == digest })
        ?? withMessagesOfFolder(member, in: text, stored: stored)
      guard let shown,
        ComponentContent.digest(of: shown.text)
          != ComponentContent.digest(of: member.text.bytes)
      else { return member }
      var event = member.event
      event.status = shown.event.status
      return SeriesEditor.Member(
        number: member.number, event: event, text: shown.text, isFromMessages: true)
    }
    let known = Set(stored.map { ComponentContent.digest(of: $0.text) })
    // Older versions, in this file or in another one, are ignored.
    let versions = try store.siblings(of: event.reference, inAllDocuments: true).map {
      (event: $0.event, text: $0.text, digest: ComponentContent.digest(of: $0.text))
    }
    // The store has one of several components that say the same.
    func isCopy(_ member: SeriesEditor.Member) -> Bool {
      let (event, text) = (member.event, member.text.bytes)
      if known.contains(ComponentContent.digest(of: text)) { return false }
      return versions.contains { other in
        other.event.version == event.version && other.event.start == event.start
          && EventContent(other.event, text: other.text).meaning
            == EventContent(event, text: text).meaning
      }
    }
    func isCurrent(_ event: Event, _ text: [UInt8]) -> Bool {
      let digest = ComponentContent.digest(of: text)
      return !versions.contains { other in
        other.digest != digest
          && event.isReplaced(by: other.event, isKnown: known.contains(digest))
      }
    }
    func digests(_ components: [(event: Event, text: [UInt8])]) -> Set<UInt64> {
      Set(components.map { ComponentContent.digest(of: $0.text) })
    }
    let current = members.filter { isCurrent($0.event, $0.text.bytes) }
    let expected = stored.filter { isCurrent($0.event, $0.text) }
    guard
      digests(current.filter { !isCopy($0) }.map { ($0.event, $0.text.bytes) })
        == digests(expected.map { ($0.event, $0.text) })
    else {
      throw WritingError.conflict(
        file: file, stored: Self.version(of: stored),
        present: Self.version(of: members.map { ($0.event, $0.text.bytes) }))
    }
    return try only(occurrence, of: current)
  }

  /// What the store has of a member that messages in other files of the folder answered or cancelled:
  /// the same version, which differs only in that.
  private func withMessagesOfFolder(
    _ member: SeriesEditor.Member, in text: CalendarText, stored: [SiblingComponent]
  ) throws -> SiblingComponent? {
    let own = text.file.details(of: member.event.reference).attendees
    return try stored.first { sibling in
      guard sibling.event.identity == member.event.identity,
        sibling.event.version == member.event.version
      else { return false }
      let attendees = try store.details(of: sibling.event.reference).attendees
      if attendees.count != own.count { return false }
      var answers: [String: String] = [:]
      for (old, new) in zip(own, attendees) where old.participation != new.participation {
        if let address = new.person.email?.lowercased() { answers[address] = new.participation }
      }
      var bytes = member.text.bytes
      if sibling.event.status == .cancelled, member.event.status != .cancelled {
        bytes = CancelledText.bytes(of: bytes)
      }
      if !answers.isEmpty { bytes = ComponentText(bytes).answered(answers) }
      return ComponentContent.digest(of: bytes) == ComponentContent.digest(of: sibling.text)
    }
  }

  /// If several events have the UID, the components of the one that the user chose.
  private func only(
    _ occurrence: Occurrence, of members: [SeriesEditor.Member]
  ) throws -> [SeriesEditor.Member] {
    members.members(of: try chosen(occurrence))
  }

  func chosen(_ occurrence: Occurrence) throws -> AdjustedEvent {
    let event = occurrence.event
    return AdjustedEvent(
      content: try store.contentDigest(of: event.reference),
      start: event.start.map(SourceAdjuster.text) ?? "", title: event.title)
  }

  /// Throws if changed files would have fewer events with the UID, because a changed event would
  /// replace others as their newer version.
  private func check(
    _ files: [(name: String, old: [UInt8]?, new: [UInt8]?)], of occurrence: Occurrence,
    in place: FolderPlace, removesEvent: Bool
  ) throws {
    let before = try store.siblings(of: occurrence.event.reference, inAllDocuments: true)
    var after: [SiblingComponent] = []
    var names: Set<String> = []
    for sibling in before {
      let name = try store.origin(of: sibling.event.reference)?.document ?? ""
      names.insert(name)
      if !files.contains(where: { $0.name == name }) { after.append(sibling) }
    }
    for (number, file) in files.enumerated() {
      guard let new = file.new else { continue }
      after += try read(new, place, file.name).members(of: occurrence).map { member in
        var event = member.event
        // Components of different files must have different references.
        event.reference = EventReference(source: -1 - number, component: member.number)
        return SiblingComponent(event: event, text: member.text.bytes)
      }
    }
    guard after.eventCount < before.eventCount - (removesEvent ? 1 : 0) else { return }
    let file = names.count == 1 ? names.first.map { "/\($0)" } ?? "" : ""
    throw WritingError.invalid(
      "different events in \(place.path)\(file) have the same UID, and a changed one would replace "
        + "the others; give each event a UID that no other has, and run agenda refresh")
  }

  private static func version(of stored: [SiblingComponent]) -> String {
    version(of: stored.map { ($0.event, $0.text) })
  }

  /// `SEQUENCE 2 of 2026-11-22T09:30:00Z`: the version of an event in a message.
  private static func version(of components: [(event: Event, text: [UInt8])]) -> String {
    let event = components.first { $0.event.identity.recurrenceID == nil } ?? components.first
    guard let event = event?.event else { return "no such event" }
    let version = components.map(\.event.version).max() ?? event.version
    let stamp = version.modified.map { " of \($0)" } ?? ""
    return "\"\(event.title)\" SEQUENCE \(version.sequence)\(stamp)"
  }

  // MARK: Files

  /// Stores what another program has changed in the files since they were read, apart from the event
  /// that changes, so that `undo` of the change keeps it.
  func readOtherEvents(of found: SeriesFiles, _ event: Event, in place: FolderPlace) throws {
    if options.isDryRun { return }
    var documents: [WrittenChange.Document] = []
    for part in found.parts where part.text.file.eventCount > part.members.count(where: \.isInFile)
    {
      let isChanged = try store.differs(
        part.name, location: place.path, from: part.text.file.records(key: store.key),
        except: event.identity.uid, event.kind)
      if isChanged { documents.append(try document(part.name, part.bytes, in: place).document) }
    }
    if documents.isEmpty { return }
    try store.read(
      WrittenChange(location: place.path, documents: documents), now: options.now)
  }

  /// Writes files of one folder and the store. New files have these permissions, or the usual ones.
  func write(
    _ files: [(name: String, old: [UInt8]?, new: [UInt8]?)], to folder: FolderWriter,
    _ place: FolderPlace, permissions: UInt32? = nil, before: [CalendarText] = [], uid: String,
    _ action: WrittenAction
  ) throws -> WriteResult {
    var documents: [WrittenChange.Document] = []
    var result = WriteResult()
    var known = before.flatMap(\.file.findings)
    for file in files {
      let (document, text) = try document(file.name, file.new, in: place)
      if let text {
        try Self.check(text.file, known: &known)
        result.events += text.file.allEvents.filter { $0.identity.uid == uid }
      }
      documents.append(document)
      result.files.append(
        WriteResult.File(
          name: "\(place.path)/\(file.name)", old: file.old ?? [], new: file.new ?? []))
    }
    if options.isDryRun { return result }
    var change = WrittenChange(location: place.path, documents: documents)
    change.files = files.map {
      WrittenFile(
        folder: place.path, name: $0.name, previous: $0.old, written: $0.new,
        permissions: folder.permissions(of: $0.name) ?? permissions)
    }
    try commit([change], action, run: try begin(place), to: [place.path: folder])
    makeThumbnails(of: place.path)
    return result
  }

  /// The document that a file of a folder is for the store; `nil` removes it.
  func document(
    _ name: String, _ new: [UInt8]?, in place: FolderPlace
  ) throws -> (document: WrittenChange.Document, text: CalendarText?) {
    var document = WrittenChange.Document(name)
    guard let new else {
      document.isRemoved = true
      return (document, nil)
    }
    let text = try read(new, place, name)
    document.content = text.file.importedDocument(
      name: name, fingerprint: nil, digest: nil,
      interpretation: SourceImporter.interpretation(encoding: nil, zones: options.zones))
    document.components = text.file.records(key: store.key)
    return (document, text)
  }

  /// Writes the files first, and then the store. If the store cannot be written, the files are
  /// restored.
  func commit(
    _ changes: [WrittenChange], _ action: WrittenAction, run: Int? = nil,
    to folders: [String: FolderWriter]
  ) throws {
    let files = changes.flatMap(\.files)
    try store.announce(PendingFiles(action.pending, moment: options.now, files: files))
    var begun: [WrittenFile] = []
    do {
      let run = try run ?? store.nextRun()
      try store.write(changes, action: action, run: run, now: options.now) {
        for file in files {
          begun.append(file)
          try folders[file.folder]?.replace(
            file.name, file.previous, with: file.written, permissions: file.permissions)
        }
      }
    } catch {
      for file in begun.reversed() {
        do {
          try folders[file.folder]?.restore(file)
        } catch let failure {
          // On a full disk, for example, neither the store nor the previous bytes can be written.
          throw WritingError.unwritable(
            file: "\(file.folder)/\(file.name)",
            reason: "the file has the change, but the store does not (\(error)), and the file "
              + "cannot be restored (\(failure)): run agenda refresh")
        }
      }
      // If this fails too, the next command sees that no file was written.
      try? store.forgetPendingFiles()
      throw error
    }
  }

  /// Throws if a change would make readable content unreadable. That several events share a UID stays
  /// true, with another number of them, if one of them is removed.
  static func check(_ file: CalendarFile, known: inout [Finding]) throws {
    for finding in file.findings where finding.isMistake && !finding.isAboutSharedUID {
      guard let index = known.firstIndex(where: finding.isKnown) else {
        throw WritingError.invalid(finding.reason)
      }
      known.remove(at: index)
    }
  }

  func makeThumbnails(of location: String) {
    guard let decoder = options.pictureDecoder else { return }
    _ = PendingThumbnails(store: store, maker: ThumbnailMaker(decoder)).run(source: location)
  }

  // MARK: The local calendar

  private func changeLocally(
    _ occurrence: Occurrence, _ action: WrittenAction,
    _ make: (SeriesEditor) throws -> ComponentChanges
  ) throws -> WriteResult {
    let event = occurrence.event
    let found = try present(occurrence, in: nil, [:], file: "")
    let (text, members) = (found.text, found.members)
    var editor = editor(members, occurrence)
    let copies = try copies(of: occurrence)
    editor.hasCopies = !copies.isEmpty
    let changes = try make(editor)
    if changes.isEmpty { return WriteResult() }
    let new = try text.applying(
      changes, of: members, zones: NewDefinitions(zones: options.zones))
    var result = WriteResult()
    result.note(changes)
    if action == .removed, changes.removesAll(of: members) { result.copies = copies }
    result.fixedAlarms = changes.fixedAlarms(of: members, after: options.now)
    var documents: [WrittenChange.Document] = []
    let name = try store.origin(of: event.reference)?.document ?? ""
    var known = text.file.findings
    let continued =
      changes.newSeries.isEmpty
      ? nil : calendar(of: changes.newSeries, like: text, with: members.first)
    var texts = [(uid: event.identity.uid, bytes: new)]
    if let uid = changes.newUID, let continued { texts.append((uid, continued)) }
    for (uid, bytes) in texts {
      let isOwn = uid == event.identity.uid
      let file = try bytes.map { bytes in
        try CalendarText(bytes, reader: reader(Store.localCalendar), name: "").file
      }
      if let file { try Self.check(file, known: &known) }
      documents.append(localDocument(name.isEmpty || isOwn ? name : uid, uid: uid, file))
      let written = changes.newUID ?? event.identity.uid
      result.events += file?.allEvents.filter { $0.identity.uid == written } ?? []
    }
    let added = changes.newSeries.flatMap { $0 }
    // A new zone is a change too, but not one of the event.
    result.files = [
      WriteResult.File(
        name: Store.localCalendar, old: members.flatMap(\.text.bytes),
        new: Self.components(of: new ?? [], zones: false) + added)
    ]
    if options.isDryRun { return result }
    try writeLocally(documents, action)
    return result
  }

  /// What the local calendar has of one UID. An event that was in a file keeps the lines of its
  /// VCALENDAR and its time zones, in a document with its UID as the name. All others are in the
  /// document without a name.
  func localDocument(
    _ name: String, uid: String, _ file: CalendarFile?
  ) -> WrittenChange.Document {
    var document = WrittenChange.Document(name)
    document.components = file?.records(key: store.key) ?? []
    if name.isEmpty {
      document.uids = [uid]
    } else if let file {
      document.content = file.importedDocument(
        name: name, fingerprint: nil, digest: nil,
        interpretation: SourceImporter.interpretation(encoding: nil, zones: options.zones))
    } else {
      document.isRemoved = true
    }
    return document
  }

  func writeLocally(_ documents: [WrittenChange.Document], _ action: WrittenAction) throws {
    try store.write(
      [WrittenChange(location: Store.localLocation, documents: documents)], action: action,
      run: store.nextRun(), now: options.now)
    makeThumbnails(of: Store.localLocation)
  }

  /// Components of the store as a calendar, with the lines of their VCALENDAR and the zones that
  /// their source defined. The zones that `parts` lack are made from their stored clock changes.
  func calendar(
    of components: [SiblingComponent], properties: [UInt8] = [], definedBy parts: [[UInt8]] = []
  ) throws -> CalendarText {
    var definitions: [UInt8] = []
    var definedNames: Set<String> = []
    for part in parts {
      let line = ComponentText(part).own("TZID").first
      guard let name = line.map({ PropertyLine($0.content).value }) else { continue }
      definedNames.insert(String(decoding: name, as: UTF8.self))
      definitions += part.withoutLineEnd + Array("\r\n".utf8)
    }
    for (name, zone) in components.flatMap(\.definedZones)
    where definedNames.insert(name).inserted {
      definitions += ExportedZones.newDefinition(of: zone, as: name)
    }
    var properties = properties
    if properties.isEmpty, let zone = components.calendarZone(of: options.zones) {
      properties = Array("X-WR-TIMEZONE:\(zone.name)\r\n".utf8)
      if zone.origin == .definition, !definedNames.contains(zone.name) {
        definitions += ExportedZones.newDefinition(of: zone, as: zone.name)
      }
    }
    return try CalendarText(
      CalendarText.wrapping(
        components.map(\.text), properties: properties, definitions: definitions),
      reader: reader(Store.localCalendar), name: Store.localCalendar)
  }

  /// The lines between the first BEGIN of a component and the end of the calendar; if `zones` is
  /// false, without time zones.
  static func components(of calendar: [UInt8], zones: Bool = true) -> [UInt8] {
    var isZone = false
    return ComponentText(calendar).lines.filter { line in
      if line.depth == 2, line.content.elementsEqual("BEGIN:VTIMEZONE".utf8) { isZone = true }
      defer {
        if line.depth == 2, line.content.elementsEqual("END:VTIMEZONE".utf8) { isZone = false }
      }
      return line.depth > 1 && (zones || !isZone)
    }.flatMap { calendar[$0.range] }
  }
}

/// A folder that is a calendar.
struct FolderPlace {
  let path: String
  let calendar: String
  /// The folder as a source, if this change begins a calendar there.
  var newSource: ImportedSource?
}

extension SiblingComponent {
  /// The zones of its times that its source defined, by their TZIDs. If several are equal, the
  /// store has only one of them.
  fileprivate var definedZones: [(name: String, zone: Zone)] {
    var times: [(name: StaticString, time: EventTime?)] = [
      ("DTSTART", event.start), ("DUE", event.due),
      ("RECURRENCE-ID", event.identity.recurrenceID),
    ]
    if case .end(let end) = event.extent { times.append(("DTEND", end)) }
    let component = ComponentText(text)
    return times.compactMap { property, time in
      guard let zone = time?.zone, zone.origin == .definition,
        let line = component.own(property).first, let name = PropertyLine(line.content)["TZID"]
      else { return nil }
      return (name, zone)
    }
  }

  /// The zone for times without a known TZID in its source: X-WR-TIMEZONE.
  fileprivate func calendarZone(_ names: ZoneNames) -> Zone? {
    let component = ComponentText(text)
    let times: [(name: StaticString, time: EventTime?)] = [
      ("DTSTART", event.start), ("DUE", event.due),
    ]
    for (property, time) in times {
      guard let line = component.own(property).first else { continue }
      guard case .zoned(_, let zone) = time else { return nil }
      guard let name = PropertyLine(line.content)["TZID"] else { return zone }
      return zone.origin == .definition || names.resolution(of: name).zone != nil ? nil : zone
    }
    return nil
  }
}

extension [SiblingComponent] {
  /// The zone for times without a known TZID in their source.
  func calendarZone(of database: ZoneDatabase) -> Zone? {
    let names = ZoneNames(database: database)
    return lazy.compactMap { $0.calendarZone(names) }.first
  }
}

extension Event {
  /// Whether another component of the same UID is a newer version of this one (`ComponentVersions`).
  /// `isKnown` is true if the store shows this one.
  fileprivate func isReplaced(by other: Event, isKnown: Bool) -> Bool {
    guard let place = identity.recurrenceID else {
      let isOther = other.version.sequence == version.sequence && other.start != start
      return other.identity.recurrenceID == nil && other.version > version && !isOther
    }
    guard let otherPlace = other.identity.recurrenceID,
      otherPlace.isSameStart(as: place, viewer: .utc)
    else { return false }
    return other.version > version || other.version == version && !isKnown
  }
}

extension Finding {
  /// Whether an edit must not cause it. A rule that ends before it begins is a fact in a calendar
  /// that was read, but nobody means to write one.
  var isMistake: Bool {
    if case .untilBeforeStart = kind { return true }
    return severity != .note
  }
}
