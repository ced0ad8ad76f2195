package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Platform
internal import Recurrence

/// New events.
extension EditSession {
  /// Adds an event or a task to a calendar. If no calendar has the name, `begins` says whether it becomes
  /// one of the user's own.
  package func add(
    _ edit: EventEdit, kind: Event.Kind = .event, to calendar: String?, begins: Bool = false
  ) throws -> WriteResult {
    let uid = NewUID.make(now: options.now)
    let typed = try Self.component(edit, kind: kind, uid: uid, options)
    let (component, skipped) = try startingInRule(typed, uid: uid, kind)
    var planned = PlannedEdit(.add, kind: kind, uid: uid)
    planned.result.skippedStart = skipped
    return try add([component], planned, to: calendar, begins: begins)
  }

  /// A series whose first date does not match its rule begins with the first date that does: `sat
  /// 9:00 Stand-up --repeat weekdays` begins on Monday. Also returns the skipped date.
  private func startingInRule(
    _ component: [UInt8], uid: String, _ kind: Event.Kind
  ) throws -> (component: [UInt8], skipped: EventTime?) {
    let text = try CalendarText(
      CalendarText.wrapping([component]), reader: reader(ImportedSource.local.calendar), name: "")
    guard let member = text.members(uid: uid, kind: kind).first, let start = member.event.start,
      let rule = member.event.recurrence?.rules.first
    else { return (component, nil) }
    guard let first = rule.firstMatch(from: start, viewer: options.viewer) else {
      if rule.until != nil,
        let first = rule.withoutUntil.firstMatch(from: start, viewer: options.viewer)
      {
        throw WritingError.invalid(because: .repetitionEndsBefore(first.civil.date))
      }
      return (component, nil)
    }
    if first.civil == start.civil { return (component, nil) }
    let editor = PropertyEditor(
      member, edit: EventEdit(), viewer: options.viewer, zones: options.zones, stamp: stamp)
    let shift = TimeShift(from: start, to: first, viewer: options.viewer)
    return (member.text.applying(try editor.times(shift: shift, movesRule: false)), start)
  }

  /// Copies an event of the store, with changes, to a calendar that the user can write to.
  package func add(
    like occurrence: Occurrence, _ edit: EventEdit, to calendar: String?, begins: Bool = false
  ) throws -> WriteResult {
    let loaded = try load(occurrence)
    let kind = loaded.event.kind
    var planned = PlannedEdit(.add, kind: kind, uid: NewUID.make(now: options.now))
    let original = try CalendarText(
      try loaded.text(of: loaded.current, store), reader: reader(loaded.event.calendar), name: "")
    planned.known = KnownFindings(original.file.findings)
    let components = try copies(of: loaded, original, uid: planned.uid)
    let definitions = original.definitions(of: original.definedZones)
    let copy = try CalendarText(
      CalendarText.wrapping(components, definitions: definitions),
      reader: CalendarReader(zones: options.zones), name: "")
    let copied = copy.members(uid: planned.uid, kind: kind).onClocksOfSeries
    var editor = SeriesEditor(
      members: copied, occurrence: occurrence, viewer: options.viewer, now: options.now,
      zones: options.zones)
    editor.movesOverrides = true
    let changes = try editor.edit(edit, .all)
    planned.result.note(changes)
    return try add(
      copied.map { changes.replaced[$0.id] ?? $0.text.bytes }.filter { !$0.isEmpty }, planned,
      definitions: definitions, to: calendar, begins: begins)
  }

  /// The components of an event with a new UID, without its people, on the clocks that it has now.
  private func copies(
    of loaded: LoadedSeries, _ original: CalendarText, uid: String
  ) throws -> [[UInt8]] {
    let members = original.members(of: loaded.event)
    return try onNamedClocks(members, known: original.definedZones).map { component in
      let edits = [
        PropertyEdit("UID", text: uid), PropertyEdit("CREATED", text: stamp),
        PropertyEdit("LAST-MODIFIED", text: stamp), PropertyEdit("DTSTAMP", text: stamp),
        PropertyEdit("SEQUENCE", lines: []), PropertyEdit("ORGANIZER", lines: []),
        PropertyEdit("ATTENDEE", lines: []), PropertyEdit("REQUEST-STATUS", lines: []),
      ].compactMap(\.self)
      return component.applying(edits)
    }
  }

  /// The components of an event, where each time names the zone that it has in its calendar. `known` are the
  /// TZIDs that the calendar defines.
  func onNamedClocks(
    _ members: [SeriesEditor.Member], known: Set<String>
  ) throws -> [ComponentText] {
    let zone = members.lazy.compactMap {
      $0.calendarZone(ZoneNames(database: options.zones))
    }.first
    return try members.onClocksOfSeries.namingZoneOfSeries().map { member in
      try zone.map { try member.namingZone($0, known: known, options.zones) } ?? member.text
    }
  }

  private func add(
    _ components: [[UInt8]], _ planned: PlannedEdit, definitions: [UInt8] = [],
    to calendar: String?, begins: Bool
  ) throws -> WriteResult {
    var planned = planned
    let target = try target(ofCalendar: calendar, for: planned.kind, begins: begins)
    var definitions = definitions
    if case .own = target {
      // The store knows all zones.
    } else {
      let zones = NewDefinitions(zones: options.zones)
      let known = NewDefinitions.names(definedIn: definitions)
      definitions += zones.definitions(of: zones.names(in: components).subtracting(known))
    }
    let bytes = CalendarText.wrapping(components, definitions: definitions)
    planned.folders = try FolderWriter.locking([target.path].compactMap(\.self))
    let name = try unusedName(
      forUID: planned.uid, in: target, target.path.flatMap { planned.folders[$0] })
    planned.changes = [DocumentChange(target: target, name: name, old: nil, new: bytes)]
    return try commit(planned)
  }

  /// Where new entries of a calendar are written; without a name, the first one of the user's own. The path
  /// of an empty folder makes that folder a calendar.
  func target(
    ofCalendar name: String?, for kind: Event.Kind, begins: Bool = false
  ) throws -> EditTarget {
    let local = try store.source(at: ImportedSource.local.location)?.source
    guard let name else { return .own(local ?? .local) }
    let calendars = try reader.calendars()
    guard let calendar = calendars.named(name) else {
      if local == nil, name.lowercased() == ImportedSource.local.calendar { return .own(.local) }
      if begins { return .own(try newCalendar(named: name)) }
      return .folder(try place(ofFolder: name))
    }
    let places = calendar.sources.map(\.source)
      .filter { [.folder, .server, .local].contains($0.kind) }
    guard places.count == 1, let place = places.first,
      let known = try store.source(at: place.location)
    else {
      throw WritingError.notOwn(
        calendar: calendar.name, folders: places.map(\.displayName),
        try reader.calendarOwners())
    }
    if place.kind == .local { return .own(known.source) }
    guard place.kind == .server else { return .folder(FolderPlace(known.source)) }
    let target = EditTarget.server(ServerPlace(known.source))
    try checkWritable(target)
    let accepted = try store.serverCalendars()[known.id]?.components.split(separator: " ") ?? []
    let component = kind == .task ? "VTODO" : kind == .journal ? "VJOURNAL" : "VEVENT"
    guard accepted.isEmpty || accepted.contains(Substring(component)) else {
      throw WritingError.invalid(because: .kindNotOnServer(kind, calendar: calendar.name))
    }
    return target
  }

  private func place(ofFolder name: String) throws -> FolderPlace {
    guard name.contains("/"), FileStatus(path: name)?.kind == .folder,
      let path = try? resolvedPath(name)
    else { throw WritingError.unknownCalendar(name, try reader.calendarOwners()) }
    if let known = try store.source(at: path) { return FolderPlace(known.source) }
    try FolderWriter.check(path)
    let folder = try CalendarReader(zones: options.zones).readFolder(at: path, acceptsEmpty: true)
    guard folder.entries.isEmpty, CalendarRoot(.path(path)) == nil else {
      throw WritingError.unwritable(
        file: path, reason: "the folder has calendars that are not in the store; import it first")
    }
    return newPlace(ofPath: path, folder)
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
      id: .new, event: event, text: lines.flatMap { FileLines.folded($0) })
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
