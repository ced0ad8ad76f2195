internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar

/// Calendars of the user's own, and copies of other events in them.
extension EditSession {
  /// Begins a calendar of the user's own, and returns its name.
  package func begin(calendar name: String) throws -> String {
    let source = try newCalendar(named: name)
    let change = try StoreChange(store, StoreCommand("calendars new", at: options.now))
    defer { change.cancel() }
    _ = try change.write(source)
    try change.noteInterpretation(zones: options.zones)
    try change.commit()
    reader.forgetSources()
    return source.calendar
  }

  /// Gives a calendar another name, which later imports keep. Returns the name that it had.
  package func rename(calendar old: String, to new: String) throws -> String {
    let calendars = try reader.calendars()
    guard let calendar = calendars.named(old) else {
      throw WritingError.unknownCalendar(old, try reader.calendarOwners())
    }
    let sources = try reader.presentSources().filter { $0.source.calendar == calendar.name }
    if sources.count < calendar.sources.count, let source = calendar.sources.first?.source {
      throw CalendarError.partOfSource(calendar: calendar.name, location: source.location)
    }
    try check(newName: new, besides: calendar.name)
    let change = try StoreChange(store, StoreCommand("calendars rename", at: options.now))
    defer { change.cancel() }
    for stored in sources {
      var source = stored.source
      source.calendar = new
      source.hasExplicitName = true
      try change.rename(source)
    }
    try change.commit()
    reader.forgetSources()
    return calendar.name
  }

  /// A calendar that does not exist yet.
  func newCalendar(named name: String) throws -> ImportedSource {
    try check(newName: name)
    var number = 1
    while try store.sourceID(at: ImportedSource.own(name, number).location) != nil { number += 1 }
    return .own(name, number)
  }

  /// Throws if a calendar cannot get this name. Letter case may differ from that of `own`.
  private func check(newName name: String, besides own: String? = nil) throws {
    if name.isEmpty || name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    {
      throw WritingError.unusableName(name, reason: "expected a name in one line")
    }
    if name.contains("/") {
      throw WritingError.unusableName(name, reason: "a name with / is the path of a folder")
    }
    // The first own calendar is there once it has an entry.
    var taken = try reader.calendars().map(\.name)
    if try store.sourceID(at: ImportedSource.local.location) == nil {
      taken.append(ImportedSource.local.calendar)
    }
    if let other = taken.first(where: { $0 != own && $0.lowercased() == name.lowercased() }) {
      throw WritingError.unusableName(name, reason: "there is a calendar \(other) already")
    }
  }

  // MARK: Copies

  /// The name of the calendar to which events can be copied under this name.
  package func nameOfTarget(_ name: String) throws -> String {
    try target(ofCalendar: name, for: .event).calendar
  }

  /// How many components of a text were copied, in how many documents, and how many stay as the calendar
  /// has them.
  package struct Copies: Sendable {
    package var added = 0
    package var documents = 0
    package var kept = 0
  }

  /// Copies the events of texts that an export wrote, as one change. Events whose UID is in the calendar
  /// already stay as they are.
  package func copy(
    _ texts: [[UInt8]], to calendar: String
  ) throws -> (copies: [Copies], written: WriteResult) {
    var target = try target(ofCalendar: calendar, for: .event)
    var planned = PlannedEdit(.import, kind: .event, uid: "")
    planned.folders = try FolderWriter.locking([target.path].compactMap(\.self))
    let name = target.calendar
    var known = try uids(inCalendar: name)
    var all: [Copies] = []
    var names: Set<String> = []
    var findings: [Finding] = []
    for bytes in texts {
      let text = try CalendarText(
        bytes, reader: CalendarReader(zones: options.zones), name: name)
      findings += text.file.findings
      var copies = Copies()
      var added: Set<Int> = []
      let files = CalendarFiles([text.file])
      let superseded = files.assembly.superseded
      for series in text.series {
        let members = series.filter { !superseded.contains($0.event.reference) }
        guard let event = members.first?.event else { continue }
        let uid = store.uidDigest(of: event.identity.uid, ComponentKind(event.kind))
        let isCounted = event.kind != .journal
        if known.contains(uid), !added.contains(uid) {
          if isCounted { copies.kept += members.count }
          continue
        }
        added.insert(uid)
        known.insert(uid)
        if isCounted { copies.added += members.count }
        copies.documents += 1
        target = try self.target(ofCalendar: calendar, for: event.kind)
        let document = try unusedName(
          forUID: event.identity.uid, in: target, target.path.flatMap { planned.folders[$0] },
          besides: names)
        names.insert(document)
        planned.changes.append(
          DocumentChange(
            target: target, name: document, old: nil, new: try copy(of: members, in: text)))
      }
      all.append(copies)
    }
    planned.known = KnownFindings(findings)
    planned.reported = []
    return (all, planned.changes.isEmpty ? WriteResult() : try commit(planned))
  }

  /// The components of an event as a document of their own.
  private func copy(of members: [SeriesEditor.Member], in text: CalendarText) throws -> [UInt8] {
    let calendar = members.first?.number.flatMap(text.file.calendar(ofComponent:))
    let components = try onNamedClocks(members, known: text.definedZones(ofCalendar: calendar))
      .map(\.bytes)
    let zones = NewDefinitions(zones: options.zones)
    let names = zones.names(in: components)
    let known = names.intersection(text.definedZones(ofCalendar: calendar))
    return CalendarText.wrapping(
      components,
      definitions: text.definitions(of: known, ofCalendar: calendar)
        + zones.definitions(of: names.subtracting(known)))
  }

  private func uids(inCalendar name: String) throws(StoreError) -> Set<Int> {
    var uids: Set<Int> = []
    let names = try store.calendarNames()
    for source in try reader.presentSources() where names[source.id]?.contains(name) == true {
      uids.formUnion(try store.uids(ofSource: source.id))
    }
    return uids
  }
}

extension EditTarget {
  /// The calendar that a new event is in.
  var calendar: String {
    switch self {
    case .folder(let place): place.calendar
    case .server(let place): place.calendar
    case .own(let source): source.calendar
    case .decisions: ""
    }
  }
}

extension [CalendarSummary] {
  /// The calendar that a person means by a name.
  func named(_ name: String) -> CalendarSummary? {
    first { $0.name == name } ?? first { $0.name.lowercased() == name.lowercased() }
  }
}
