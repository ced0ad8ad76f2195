internal import AgendaCore
internal import AgendaStore
internal import ICalendar

/// The documents with components of one event. Most events are in one document, but other programs can
/// write an override into a separate file.
struct SeriesDocuments {
  struct Part {
    /// Where it is written; `nil` for a document of the store.
    let target: EditTarget?
    let name: String
    /// The number of its row.
    let document: Int
    let text: CalendarText
    /// The components of the event, as messages left them, with the overrides that only messages make.
    var members: [SeriesEditor.Member]
    /// The overrides of occurrences that the user hides. They go when the rest of the series is written,
    /// which then excludes these occurrences itself.
    let hidden: [SeriesEditor.Member]
    /// The versions that newer ones replace. If several events have the UID, those that would be shown
    /// in place of this one.
    let older: [SeriesEditor.Member]

    /// The older versions, on the clocks of the series.
    var olderOnClocks: [SeriesEditor.Member] {
      let ids = Set(older.map(\.id))
      return (members + older).onClocksOfSeries.filter { ids.contains($0.id) }
    }
  }

  /// The document of the chosen occurrence comes first.
  var parts: [Part] = []
  /// Documents that only have older versions.
  var outdated: [Part] = []
  /// The overrides of sources that agenda does not write.
  var foreign: [SeriesEditor.Member] = []
  /// The locations of other sources of which the documents are written, too.
  var otherSources: [String] = []
  /// If several events have the UID: the names of other documents with components of this one.
  var otherNames: [String] = []

  var members: [SeriesEditor.Member] { parts.flatMap(\.members) + foreign }

  /// The part with the rule of the series.
  var master: Int {
    parts.firstIndex { part in
      part.members.contains { $0.event.identity.recurrenceID == nil }
    } ?? 0
  }

  /// Whether changes write the component with the rule.
  func replacesMaster(_ changes: ComponentChanges) -> Bool {
    members.contains { $0.event.identity.recurrenceID == nil && changes.replaced[$0.id] != nil }
  }

  /// The changes of one part. New components go to the document of the master, as do changed ones of
  /// sources that agenda does not write.
  func changes(_ all: ComponentChanges, in part: Int) -> ComponentChanges {
    var changes = ComponentChanges()
    for (id, text) in all.replaced where id.document == part { changes.replaced[id] = text }
    if part == master {
      changes.added = all.added + foreign.compactMap { all.replaced[$0.id] }.filter { !$0.isEmpty }
    }
    return changes
  }
}

extension EditSession {
  /// Reads the documents of an event. Throws if they differ from the store.
  func documents(
    of loaded: LoadedSeries, in target: EditTarget?, _ folder: FolderWriter?,
    firstNumber: Int = 0
  ) throws -> SeriesDocuments {
    var order = [loaded.home.document]
    let isShared = loaded.sharesUID
    for version in loaded.versions where !loaded.isOlder(version) && !loaded.isOfOther(version) {
      if !order.contains(version.document) { order.append(version.document) }
    }
    var documents = SeriesDocuments()
    if isShared {
      for id in order.dropFirst() { documents.otherNames.append(try name(ofDocument: id)) }
      order = [loaded.home.document]
    }
    for (number, id) in order.enumerated() {
      documents.parts.append(
        try part(id, firstNumber + number, of: loaded, in: target, folder))
    }
    for version in loaded.versions
    where !order.contains(version.document)
      && (!isShared || loaded.uncoveredByRemoval.contains(version.event.reference))
    {
      order.append(version.document)
      let part = try part(
        version.document, firstNumber + order.count - 1, of: loaded, in: target, folder)
      documents.outdated.append(part)
    }
    documents.outdated.sort { $0.name < $1.name }
    return documents
  }

  private func name(ofDocument id: Int) throws(StoreError) -> String {
    try store.nameAndMail(ofDocument: id).name
  }

  private func part(
    _ id: Int, _ number: Int, of loaded: LoadedSeries, in target: EditTarget?,
    _ folder: FolderWriter?
  ) throws -> SeriesDocuments.Part {
    let name = try name(ofDocument: id)
    let versions = loaded.versions.filter { $0.document == id }
    let bytes: [UInt8]
    switch target {
    case .folder(let place)?:
      guard let present = try folder?.contents(of: name) else {
        throw WritingError.missing(file: "\(place.path)/\(name)")
      }
      bytes = present
    case .own?, .server?, .decisions?:
      bytes =
        try store.document(source: loaded.source.id, name: name).map {
          document throws(StoreError) in try StoredText(store: store).document(document)
        } ?? []
    case nil: bytes = try loaded.text(of: versions, store)
    }
    let text = try read(bytes, target, name, calendar: loaded.event.calendar)
    let (members, hidden, older) = try members(
      of: loaded, versions, in: text, number,
      file: target?.path.map { "\($0)/\(name)" })
    let made =
      target == nil ? [] : loaded.overridesFromMessages.filter { $0.document == id }
    let additions = made.enumerated().map { index, override in
      SeriesEditor.Member(
        id: .message(index, document: number), event: override.event, text: override.text,
        differsFromFile: true)
    }
    return SeriesDocuments.Part(
      target: target, name: name, document: id, text: text, members: members + additions,
      hidden: hidden, older: older)
  }

  /// The components of the event in a document, and older versions of it. Throws if they differ from
  /// those in the store.
  private func members(
    of loaded: LoadedSeries, _ versions: [LoadedSeries.Version], in text: CalendarText,
    _ number: Int, file: String?
  ) throws(WritingError) -> (
    members: [SeriesEditor.Member], hidden: [SeriesEditor.Member], older: [SeriesEditor.Member]
  ) {
    let present = text.members(of: loaded.event, document: number).filter { member in
      member.number.map { !text.file.isMessage($0) } ?? false
    }
    // The text of a source that agenda cannot write has the messages already.
    let isForeign = target(of: loaded) == nil
    var unseen = versions.map { version in
      (version, digest: ComponentContent.digest(of: isForeign ? version.text : version.sourceText))
    }
    let conflict = Self.conflict(
      in: file ?? loaded.event.calendar,
      stored: versions.map { ($0.event, isForeign ? $0.text : $0.sourceText) },
      present: present.map { ($0.event, $0.text.bytes) })
    var members: [SeriesEditor.Member] = []
    var hidden: [SeriesEditor.Member] = []
    var older: [SeriesEditor.Member] = []
    for member in present {
      let digest = ComponentContent.digest(of: member.text.bytes)
      guard let index = unseen.firstIndex(where: { $0.digest == digest }) else { throw conflict }
      let version = unseen.remove(at: index).0
      if loaded.isOfOther(version) { continue }
      if loaded.isOlder(version) {
        let reference = version.event.reference
        if !loaded.sharesUID || loaded.uncoveredByRemoval.contains(reference) {
          older.append(member)
        }
        continue
      }
      if loaded.isHidden(version) {
        hidden.append(member)
        continue
      }
      var event = member.event
      event.status = version.event.status
      event.identity = version.event.identity
      event.recurrence = version.event.recurrence
      // The user sees the event with the messages about it, so the edit applies to that version.
      let isChanged = ComponentContent.digest(of: version.text) != digest
      members.append(
        SeriesEditor.Member(
          id: member.id, event: event, text: isChanged ? version.text : member.text.bytes,
          differsFromFile: isChanged
        ).withoutUnusedRecurrenceID)
    }
    guard unseen.isEmpty else { throw conflict }
    return (members, hidden, older)
  }

  /// `SEQUENCE 2 of 2026-11-22T09:30:00Z`: the version of an event in a message.
  /// The error for an event that another program has changed. It names both versions, and of equal ones
  /// the first line that differs.
  private static func conflict(
    in file: String, stored: [(event: Event, text: [UInt8])],
    present: [(event: Event, text: [UInt8])]
  ) -> WritingError {
    var (old, new) = (version(of: stored.map(\.event)), version(of: present.map(\.event)))
    if old == new {
      func lines(_ versions: [(event: Event, text: [UInt8])]) -> [String] {
        versions.flatMap { ComponentText($0.text).lines }
          .map { String(decoding: $0.content, as: UTF8.self) }
      }
      let (oldLines, newLines) = (lines(stored), lines(present))
      let index =
        zip(oldLines, newLines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        ?? min(oldLines.count, newLines.count)
      old = oldLines.indices.contains(index) ? oldLines[index] : "no more lines"
      new = newLines.indices.contains(index) ? newLines[index] : "no more lines"
    }
    return .conflict(file: file, stored: old, present: new)
  }

  private static func version(of events: [Event]) -> String {
    let event = events.first { $0.identity.recurrenceID == nil } ?? events.first
    guard let event else { return "no such event" }
    let version = events.map(\.version).max() ?? event.version
    let stamp = version.modified.map { " of \($0)" } ?? ""
    return "\"\(event.title)\" SEQUENCE \(version.sequence)\(stamp)"
  }
}
