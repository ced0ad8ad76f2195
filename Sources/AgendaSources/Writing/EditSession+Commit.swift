internal import AgendaCore
internal import AgendaPictures
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar

/// Checks an edit and makes it.
extension EditSession {
  /// Writes the files and the store, or nothing.
  func commit(_ edit: PlannedEdit) throws -> WriteResult {
    try checkConflicts(edit)
    var result = edit.result
    var files: [CalendarFile?] = []
    for change in edit.changes {
      let file = try change.new.map { bytes in
        try read(bytes, change.target, change.name, calendar: "").file
      }
      files.append(file)
      guard let file else { continue }
      if case .decisions = change.target { continue }
      try Self.check(file, known: edit.known)
      var events: [Event] = []
      file.forEachEvent { event, text in
        guard event.identity.uid == edit.uid, event.kind == edit.kind,
          edit.own?.contains(Array(text).withoutLineEnd) ?? true
        else { return }
        events.append(event)
      }
      events = events.onClocksOfSeries
      result.events += events
      for event in events { result.details[event.identity] = file.details(of: event.reference) }
    }
    for change in edit.reported ?? edit.changes { result.add(change) }
    for change in edit.changes {
      if case .server(let place) = change.target, !result.serverCalendars.contains(place.calendar) {
        result.serverCalendars.append(place.calendar)
      }
    }
    if store.isTrial {
      try write(edit.changes, files, edit, noting: []) {}
      return result
    }
    try storeUnread(edit.unread)
    try write(edit, files)
    makeThumbnails(of: Set(edit.changes.map(\.target.location)))
    return result
  }

  /// Until a conflict is settled, a change would belong to neither of its versions.
  private func checkConflicts(_ edit: PlannedEdit) throws {
    guard edit.settledConflict == nil else { return }
    try checkConflicts(
      edit.changes.compactMap { change in
        guard case .server(let place) = change.target,
          let source = try store.sourceID(at: place.address)
        else { return nil }
        return (source, change.name)
      })
  }

  /// Throws if the versions of one of these documents differ here and on their server.
  func checkConflicts(_ documents: [(source: Int, name: String)]) throws {
    if documents.isEmpty { return }
    let open = try reader.openConflicts()
    for (source, name) in documents
    where open.contains(where: { $0.source == source && $0.name == name }) {
      throw WritingError.openConflict
    }
  }

  private func storeUnread(_ changes: [DocumentChange]) throws {
    guard !changes.isEmpty else { return }
    let change = try StoreChange(store, StoreCommand("import", at: options.now))
    defer { change.cancel() }
    for document in changes {
      let file = try document.new.map {
        try read($0, document.target, document.name, calendar: "").file
      }
      try store(document, file, change)
    }
    try change.noteInterpretation(zones: options.zones)
    try change.commit()
    reader.forgetSources()
  }

  private func write(_ edit: PlannedEdit, _ files: [CalendarFile?]) throws {
    let written = edit.changes.compactMap { change -> WrittenFile? in
      guard let path = change.target.path else { return nil }
      return WrittenFile(
        folder: path, name: change.name, previous: change.old, written: change.new,
        permissions: edit.folders[path]?.permissions(of: change.name) ?? edit.permissions)
    }
    if !written.isEmpty {
      try store.announce(
        PendingChange(.change(edit.command.rawValue), moment: options.now, files: written))
    }
    var begun: [WrittenFile] = []
    do {
      try write(edit.changes, files, edit, noting: written) {
        for file in written {
          begun.append(file)
          try edit.folders[file.folder]?.replace(
            file.name, file.previous, with: file.written, permissions: file.permissions)
        }
      }
    } catch {
      try takeBack(begun, in: edit.folders, after: error)
      // If this fails too, the next command sees that no file was written.
      if !written.isEmpty { try? store.forgetPendingChange() }
      throw error
    }
  }

  private func write(
    _ changes: [DocumentChange], _ files: [CalendarFile?], _ edit: PlannedEdit,
    noting written: [WrittenFile], _ writeFiles: () throws -> Void
  ) throws {
    let change = try StoreChange(store, StoreCommand(edit.command.rawValue, at: options.now))
    defer { change.cancel() }
    for (document, file) in zip(changes, files) { try store(document, file, change) }
    if let old = edit.splitUID, let target = changes.first?.target,
      let source = try store.sourceID(at: target.location)
    {
      let kind = ComponentKind(edit.kind)
      try change.noteSplit(
        source: source, old: store.uidDigest(of: old, kind),
        new: store.uidDigest(of: edit.uid, kind))
    }
    try check(edit)
    if let conflict = edit.settledConflict { try change.settle(conflict: conflict) }
    if !written.isEmpty { try change.note(written) }
    try change.noteInterpretation(zones: options.zones)
    try change.commit(files: writeFiles)
    reader.forgetSources()
  }

  /// Makes the store equal to files that are written already, or are by `writeRest`.
  func store(
    _ files: [WrittenFile], _ command: StoreCommand, writeRest: () throws -> Void
  ) throws {
    let change = try StoreChange(store, command)
    defer { change.cancel() }
    for file in files {
      let target = EditTarget.folder(try place(ofPath: file.folder))
      let document = DocumentChange(
        target: target, name: file.name, old: file.previous, new: file.written)
      let text = try file.written.map { try read($0, target, file.name, calendar: "") }
      try store(document, text?.file, change)
    }
    try change.note(files)
    try change.noteInterpretation(zones: options.zones)
    try change.commit(files: writeRest)
  }

  /// The folder of a source. A killed command can have begun a calendar there.
  private func place(ofPath path: String) throws -> FolderPlace {
    if let known = try store.source(at: path) { return FolderPlace(known.source) }
    return try newPlace(
      ofPath: path,
      CalendarReader(zones: options.zones).readFolder(
        at: path, acceptsEmpty: true))
  }

  func newPlace(ofPath path: String, _ folder: CalendarFolder) -> FolderPlace {
    var source = ImportedSource(kind: .folder, location: path, calendar: folder.name)
    source.color = folder.color
    var place = FolderPlace(source)
    place.newSource = source
    return place
  }

  private func store(
    _ document: DocumentChange, _ file: CalendarFile?, _ change: StoreChange
  ) throws {
    let source: Int
    if let known = try store.sourceID(at: document.target.location) {
      source = known
    } else if let new = document.target.newSource {
      source = try change.write(new)
    } else {
      throw StoreError.unknown(what: "source", name: document.target.location)
    }
    var encoding: String?
    if case .folder(let place) = document.target { encoding = place.encoding }
    if case .server = document.target {
      try change.keepBase(document.old, of: document.name, source: source)
    }
    let storage = DocumentStorage(
      change: change, source: source,
      interpretation: ReadSource.interpretation(
        encoding: encoding, zones: options.zones, lacksZone: options.zones.hasMissedZone))
    if let file {
      let previous =
        file.isTruncated
        ? try document.old.map { try read($0, document.target, document.name, calendar: "").file }
        : nil
      try storage.store(file, as: document.name, replacing: previous)
    } else {
      try storage.remove(document.name)
    }
  }

  private func takeBack(
    _ files: [WrittenFile], in folders: [String: FolderWriter], after error: any Error
  ) throws {
    for file in files.reversed() {
      do {
        try folders[file.folder]?.restore(file)
      } catch let failure {
        // On a full disk, for example, neither the store nor the previous bytes can be written.
        throw WritingError.writtenButNotStored(
          file: "\(file.folder)/\(file.name)", reason: "\(error)", obstacle: "\(failure)")
      }
    }
  }

  /// Throws if a change would make readable content unreadable. An override and the second part of a
  /// split series have the mistakes of their series, so a known one can come more often than before.
  static func check(_ file: CalendarFile, known: KnownFindings) throws {
    for finding in file.findings where finding.isMistake {
      if known.contains(finding) { continue }
      if finding.isAboutUntilBeforeStart {
        throw WritingError.invalid(because: .repetitionEndsBeforeStart)
      }
      throw WritingError.invalid(because: .unreadable(reason: finding.reason))
    }
  }

  private func makeThumbnails(of locations: Set<String>) {
    guard let decoder = options.pictureDecoder else { return }
    let thumbnails = PendingThumbnails(reader: reader, maker: ThumbnailMaker(decoder))
    for location in locations.sorted() {
      if let source = try? store.sourceID(at: location) { _ = thumbnails.run(source: source) }
    }
  }
}

extension Finding {
  /// Whether an edit must not cause it. A rule that ends before it begins is a fact in a calendar
  /// that was read, but nobody means to write one.
  var isMistake: Bool { severity != .note || isAboutUntilBeforeStart }
}

extension WriteResult {
  /// Adds a document to the lines that change. Of the local calendar, only the components count: a new
  /// zone is a change too, but not one of the event.
  mutating func add(_ change: DocumentChange) {
    guard let path = change.target.path else {
      var name = ImportedSource.local.calendar
      switch change.target {
      case .server(let place): name = place.calendar
      case .own(let source): name = source.calendar
      case .folder, .decisions: break
      }
      let (old, new) = (
        Self.components(of: change.old ?? []), Self.components(of: change.new ?? [])
      )
      if let index = files.firstIndex(where: { $0.name == name }) {
        files[index] = File(name: name, old: files[index].old + old, new: files[index].new + new)
      } else {
        files.append(File(name: name, old: old, new: new))
      }
      return
    }
    files.append(
      File(name: "\(path)/\(change.name)", old: change.old ?? [], new: change.new ?? []))
  }

  /// The lines of the components in a calendar, without time zones.
  static func components(of calendar: [UInt8]) -> [UInt8] {
    var isZone = false
    return ComponentText(calendar).lines.filter { line in
      if line.depth == 2, line.content.elementsEqual("BEGIN:VTIMEZONE".utf8) { isZone = true }
      defer {
        if line.depth == 2, line.content.elementsEqual("END:VTIMEZONE".utf8) { isZone = false }
      }
      return line.depth > 1 && !isZone
    }.flatMap { calendar[$0.range] }
  }
}
