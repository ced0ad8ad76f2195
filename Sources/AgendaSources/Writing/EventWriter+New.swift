package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Platform
internal import Recurrence

/// New events.
extension EventWriter {
  /// Adds an event or a task to a calendar.
  package func add(
    _ edit: EventEdit, kind: Event.Kind = .event, to calendar: String?
  ) throws -> WriteResult {
    let uid = NewUID.make(now: options.now)
    let typed = try Self.component(edit, kind: kind, uid: uid, options)
    let (component, skipped) = try startingInRule(typed, uid: uid, kind)
    var result = try add([component], uid: uid, to: calendar)
    result.skippedStart = skipped
    return result
  }

  /// A series whose first date does not match its rule begins with the first date that does: `sat
  /// 9:00 Stand-up --repeat weekdays` begins on Monday. Also returns the skipped date.
  private func startingInRule(
    _ component: [UInt8], uid: String, _ kind: Event.Kind
  ) throws -> (component: [UInt8], skipped: EventTime?) {
    let text = try CalendarText(
      CalendarText.wrapping([component]), reader: reader(Store.localCalendar), name: "")
    guard let member = text.members(uid: uid, kind: kind).first, let start = member.event.start,
      let rule = member.event.recurrence?.rules.first,
      let first = rule.firstMatch(from: start, viewer: options.viewer), first.civil != start.civil
    else { return (component, nil) }
    let editor = PropertyEditor(
      member, edit: EventEdit(), viewer: options.viewer, zones: options.zones, stamp: stamp)
    let shift = TimeShift(from: start, to: first, viewer: options.viewer)
    return (member.text.applying(try editor.times(shift: shift, movesRule: false)), start)
  }

  /// Copies an event of the store, with changes, to a calendar that the user can write to.
  package func add(
    like occurrence: Occurrence, _ edit: EventEdit, to calendar: String?
  ) throws -> WriteResult {
    let uid = NewUID.make(now: options.now)
    let siblings = try components(of: occurrence)
    let original = try self.calendar(of: siblings)
    let event = occurrence.event
    var copies: [[UInt8]] = []
    let members = original.members(of: occurrence).members(of: try chosen(occurrence))
    for member in try members.onClocksOfSeries.namingZoneOfSeries() {
      let edits = [
        PropertyEdit("UID", text: uid), PropertyEdit("CREATED", text: stamp),
        PropertyEdit("LAST-MODIFIED", text: stamp), PropertyEdit("DTSTAMP", text: stamp),
        PropertyEdit("SEQUENCE", lines: []), PropertyEdit("ORGANIZER", lines: []),
        PropertyEdit("ATTENDEE", lines: []), PropertyEdit("REQUEST-STATUS", lines: []),
      ].compactMap(\.self)
      let named = try siblings.calendarZone(of: options.zones).map { zone in
        try member.namingZone(zone, known: original.definedZones, options.zones)
      }
      copies.append((named ?? member.text).applying(edits))
    }
    let definitions = original.definitions(of: original.definedZones)
    let copy = try CalendarText(
      CalendarText.wrapping(copies, definitions: definitions),
      reader: CalendarReader(zones: options.zones), name: "")
    let copied = copy.members(uid: uid, kind: event.kind)
    var editor = SeriesEditor(
      members: copied, occurrence: occurrence, viewer: options.viewer, now: options.now,
      zones: options.zones)
    editor.movesOverrides = true
    let changes = try editor.edit(edit, .all)
    let components = copied.map { changes.replaced[$0.number] ?? $0.text.bytes }
      .filter { !$0.isEmpty }
    var result = try add(
      components, uid: uid, definitions: definitions, like: original, to: calendar)
    result.note(changes)
    return result
  }

  private var stamp: String { TimeLine.stamp(options.now) }

  private func add(
    _ components: [[UInt8]], uid: String, definitions: [UInt8] = [],
    like original: CalendarText? = nil, to calendar: String?
  ) throws -> WriteResult {
    let before = [original].compactMap(\.self)
    let place = try place(ofCalendar: calendar)
    var definitions = definitions
    if place != nil {
      let zones = NewDefinitions(zones: options.zones)
      let known = NewDefinitions.names(definedIn: definitions)
      definitions += zones.definitions(of: zones.names(in: components).subtracting(known))
    }
    let bytes = CalendarText.wrapping(components, definitions: definitions)
    if let place {
      let folder = try FolderWriter(locking: place.path)
      let name = folder.unusedName(forUID: uid)
      return try write([(name, nil, bytes)], to: folder, place, before: before, uid: uid, .added)
    }
    var reader = CalendarReader(zones: options.zones)
    reader.options.calendar = Store.localCalendar
    let file = try CalendarText(bytes, reader: reader, name: Store.localCalendar).file
    var known = before.flatMap(\.file.findings)
    try Self.check(file, known: &known)
    var result = WriteResult()
    result.events = file.allEvents
    result.files = [
      WriteResult.File(
        name: Store.localCalendar, old: [],
        new: Array(components.map(\.withoutLineEnd).joined(separator: "\r\n".utf8)))
    ]
    if options.isDryRun { return result }
    // Zone definitions are stored with a document of their event.
    let name = definitions.isEmpty ? "" : uid
    try writeLocally([localDocument(name, uid: uid, file)], .added)
    return result
  }

  /// The folder of a calendar; `nil` for the local calendar. The path of an empty folder makes that
  /// folder a calendar.
  func place(ofCalendar name: String?) throws -> FolderPlace? {
    guard let name, name.lowercased() != Store.localCalendar else { return nil }
    let calendars = try store.calendars()
    guard
      let calendar = calendars.first(where: { $0.name == name })
        ?? calendars.first(where: { $0.name.lowercased() == name.lowercased() })
    else { return try place(ofFolder: name, calendars) }
    let folders = calendar.sources.map(\.source).filter { $0.kind == .folder }.map(\.location)
    guard folders.count == 1, let folder = folders.first else {
      throw WritingError.noFolder(calendar: calendar.name, folders: folders)
    }
    return FolderPlace(path: folder, calendar: calendar.name)
  }

  private func place(
    ofFolder name: String, _ calendars: [CalendarSummary]
  ) throws -> FolderPlace {
    guard name.contains("/"), FileStatus(path: name)?.kind == .folder,
      let path = try? resolvedPath(name)
    else {
      let known = Set(calendars.map(\.name) + [Store.localCalendar])
      throw WritingError.unknownCalendar(name, known: known.sorted())
    }
    let known = calendars.flatMap(\.sources).map(\.source).first { $0.location == path }
    if let known { return FolderPlace(path: path, calendar: known.calendar) }
    try FolderWriter.check(path)
    let folder = try CalendarReader(zones: options.zones).readFolder(at: path, acceptsEmpty: true)
    guard folder.entries.isEmpty, CalendarRoot(.path(path)) == nil else {
      throw WritingError.unwritable(
        file: path, reason: "the folder has calendars that are not in the store; import it first")
    }
    var source = ImportedSource(kind: .folder, location: path, calendar: folder.name)
    source.color = folder.color
    return FolderPlace(path: path, calendar: folder.name, newSource: source)
  }

  /// Imports the empty folder in which this change begins a calendar. The change must use the same
  /// run, so that `undo` also removes the calendar.
  func begin(_ place: FolderPlace?) throws -> Int? {
    guard let source = place?.newSource else { return nil }
    let run = try store.nextRun()
    _ = try store.beginImport(of: source, run: run, SourceImport.Options(now: options.now))
      .finish()
    return run
  }

  /// The text of a new component.
  private static func component(
    _ edit: EventEdit, kind: Event.Kind, uid: String, _ options: Options
  ) throws(WritingError) -> [UInt8] {
    let name = kind == .task ? "VTODO" : "VEVENT"
    let stamp = TimeLine.stamp(options.now)
    var edit = kind == .task ? edit.givingStartATime() : edit
    var lines = [
      "BEGIN:\(name)", "UID:\(uid)", "DTSTAMP:\(stamp)", "CREATED:\(stamp)",
      "LAST-MODIFIED:\(stamp)",
    ].map { Array($0.utf8) }
    var start: EventTime?
    if let when = edit.start {
      let time = PropertyEditor.time(when, like: nil, zone: edit.zone, viewer: options.viewer)
      lines.append(TimeLine.line("DTSTART", time, replacing: nil, at: nil).content)
      start = time
    }
    lines.append(Array("END:\(name)".utf8))
    let event = Event(
      identity: EventIdentity(uid: uid), kind: kind, start: start, extent: .unstated,
      title: edit.title ?? "", calendar: "", reference: EventReference(source: 0, component: 0))
    let member = SeriesEditor.Member(
      number: 0, event: event, text: lines.flatMap { FileLines.folded($0) })
    edit.start = nil
    if edit.length == nil, kind == .event, let start {
      edit.length = .length(
        start.isDate
          ? EventDuration(days: 1, seconds: 0) : EventDuration(days: 0, seconds: 60 * 60))
    }
    let shift = start.map { TimeShift(from: $0, to: $0, viewer: options.viewer) }
    return try PropertyEditor(
      member, edit: edit, viewer: options.viewer, zones: options.zones, stamp: stamp
    ).text(shift: shift)
  }
}
