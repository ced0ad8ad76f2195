internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Makes the edits of a component's properties for an `EventEdit`.
struct PropertyEditor {
  let event: Event
  let text: ComponentText
  let edit: EventEdit
  let viewer: Zone
  let zones: ZoneDatabase
  /// The moment of the edit, such as `20261122T093000Z`.
  let stamp: String

  init(
    _ member: SeriesEditor.Member, edit: EventEdit, viewer: Zone, zones: ZoneDatabase,
    stamp: String
  ) {
    self.stamp = stamp
    event = member.event
    text = member.text
    self.edit = edit
    self.viewer = viewer
    self.zones = zones
  }

  /// The component with all edits. `shift` moves its start, and its rule and dates follow.
  func text(shift: TimeShift?) throws(WritingError) -> [UInt8] {
    try checkLength()
    var edits = try times(shift: shift, movesRule: true) + texts()
    edits += try repetition(shift)
    var result = text.applying(edits)
    if case .rule(let rule, let dates) = edit.repetition, !dates.isEmpty,
      let start = newStart(shift)
    {
      result = try excluding(dates, of: rule, from: start, in: ComponentText(result))
    }
    if let alarms = edit.alarms {
      result = ComponentText(result).adding(
        alarms: alarms.map(alarm), removingOthers: edit.removesAlarms || alarms.isEmpty)
    }
    return result
  }

  // MARK: Texts

  private func texts() throws(WritingError) -> [PropertyEdit] {
    var edits: [PropertyEdit] = []
    let values: [(StaticString, String?)] = [
      ("SUMMARY", edit.title), ("LOCATION", edit.location), ("DESCRIPTION", edit.note),
    ]
    for (name, value) in values {
      if let value { edits.append(try self.text(name, value)) }
    }
    if let url = edit.url { edits.append(try raw("URL", url)) }
    if let color = edit.color { edits.append(try raw("COLOR", color)) }
    if let status = edit.status {
      try check(status)
      edits.append(try raw("STATUS", status.uppercased()))
    }
    if isTask, edit.status == Event.Status.completed.rawValue {
      edits.append(try raw("PERCENT-COMPLETE", "100"))
      if text.own("COMPLETED").isEmpty { edits.append(try raw("COMPLETED", stamp)) }
    } else if isTask, edit.status != nil {
      // An open task has not been completed at any moment.
      edits.append(try property("COMPLETED", []))
      let isWhole = text.own("PERCENT-COMPLETE").contains {
        PropertyLine($0.content).value == Array("100".utf8)
      }
      if isWhole { edits.append(try property("PERCENT-COMPLETE", [])) }
    }
    if let priority = edit.priority {
      edits.append(try raw("PRIORITY", priority == 0 ? "" : "\(priority)"))
    }
    if let categories = edit.categories?.filter({ !$0.isEmpty }) {
      let value = categories.map { String(decoding: PropertyValue.escaped($0), as: UTF8.self) }
      edits.append(try raw("CATEGORIES", value.joined(separator: ",")))
    }
    if edit.removesCoordinates { edits.append(try property("GEO", [])) }
    if let place = edit.coordinates {
      let degrees = [place.latitude, place.longitude].map(Self.degrees)
      edits.append(try raw("GEO", degrees.joined(separator: ";")))
    }
    if !edit.attachments.isEmpty || edit.removesAttachments {
      let present = edit.removesAttachments ? [] : text.own("ATTACH").map(\.content)
      edits.append(
        try property("ATTACH", present + edit.attachments.map { inline("ATTACH", $0) }))
    }
    if edit.removesPhoto { edits.append(try property("IMAGE", [])) }
    if let photo = edit.photo { edits.append(try property("IMAGE", [inline("IMAGE", photo)])) }
    return edits
  }

  /// Throws if this kind of component cannot have the status (RFC 5545 3.8.1.11).
  private func check(_ status: String) throws(WritingError) {
    let known = InvalidEdit.Reason.statuses(of: event.kind)
    guard status.isEmpty || known.contains(where: { $0.rawValue == status }) else {
      throw .invalid(because: .status(status, of: event.kind))
    }
  }

  /// Keeps the parameters of the old line, except those that describe its encoding.
  private func text(_ name: StaticString, _ value: String) throws(WritingError) -> PropertyEdit {
    guard !value.isEmpty else { return try property("\(name)", []) }
    guard !value.utf8.contains(where: { $0 < 0x20 && !"\t\n\r".utf8.contains($0) || $0 == 0x7f })
    else { throw .invalid(because: .controlCharactersInText(property: "\(name)")) }
    var line = PropertyLine(name: "\(name)", value: "")
    if let old = text.own(name).first {
      line = PropertyLine(old.content)
      line.keepParameters { !["ALTREP", "ENCODING", "CHARSET", "FMTTYPE"].contains($0) }
    }
    line.value = PropertyValue.escaped(value)
    return try property("\(name)", [line.content])
  }

  private func raw(_ name: String, _ value: String) throws(WritingError) -> PropertyEdit {
    try property(name, value.isEmpty ? [] : [Array("\(name):\(value)".utf8)])
  }

  private func property(_ name: String, _ lines: [[UInt8]]) throws(WritingError) -> PropertyEdit {
    guard let edit = PropertyEdit(name, lines: lines) else {
      throw .invalid(because: .controlCharacters(property: name))
    }
    return edit
  }

  private func inline(_ name: String, _ attachment: EventEdit.NewAttachment) -> [UInt8] {
    var line = PropertyLine(name: name, value: "")
    line["VALUE"] = "BINARY"
    line["ENCODING"] = "BASE64"
    if let type = attachment.mediaType { line["FMTTYPE"] = type }
    if name == "IMAGE" { line["DISPLAY"] = "BADGE" }
    if let file = attachment.name { line["FILENAME"] = file }
    line.value = Base64.encoded(attachment.bytes)
    return line.content
  }

  private func alarm(_ before: EventDuration) -> [[UInt8]] {
    let title = String(
      decoding: PropertyValue.escaped(edit.title ?? event.title), as: UTF8.self)
    return [
      "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(title)",
      "TRIGGER:\(TimeLine.text(EventDuration(days: -before.days, seconds: -before.seconds)))",
      "END:VALARM",
    ].map { Array($0.utf8) }
  }

  // MARK: Times

  /// The new start for an edit. With `ofSeries` it is that of all occurrences, some of which can be on
  /// days without this time.
  static func start(
    _ edit: EventEdit, replacing old: EventTime, viewer: Zone, ofSeries: Bool = false
  ) -> EventTime {
    guard let start = edit.start else {
      if let shift = edit.startShift {
        return moved(old, by: shift, to: edit.zone, viewer: viewer, ofSeries: ofSeries)
      }
      guard let zone = edit.zone, !old.isDate else { return old }
      return written(old.civil, in: zone)
    }
    let whole = completed(start, from: old, edit: edit, viewer: viewer)
    return time(whole, like: old, zone: edit.zone, viewer: viewer)
  }

  /// A time that is later by a difference on its own clock, which `zone` then shows. A time outside of
  /// the years 1 to 9999 does not move.
  private static func moved(
    _ old: EventTime, by shift: EventDuration, to zone: Zone?, viewer: Zone, ofSeries: Bool
  ) -> EventTime {
    let own = old.zone ?? viewer
    // Clocks that jump show another time than the one that is written.
    let shown = ofSeries || old.isDate ? old.civil : own.civil(at: own.instant(of: old.civil))
    let days = EventDuration(days: shift.days, seconds: 0)
    guard let start = shown.adding(days) else { return old }
    if old.isDate { return .date(start.date) }
    guard var new = shown.adding(shift) else { return old }
    if !ofSeries, own.civil(at: own.instant(of: new)) != new {
      new = own.civil(at: own.instant(of: start).adding(seconds: shift.seconds))
    }
    guard let zone else { return old.at(new) }
    let moment = old.at(new).instant(for: viewer)
    return zone.origin == .utc ? .utc(moment.utc) : .zoned(zone.civil(at: moment), zone)
  }

  /// A date or a time of day, completed by that of the old time. A length in whole days makes an
  /// event all-day.
  private static func completed(
    _ when: EventEdit.When, from old: EventTime, edit: EventEdit, viewer: Zone
  ) -> EventEdit.When {
    let seen =
      edit.zone == nil && old.zone != nil ? viewer.civil(at: old.instant(for: viewer)) : old.civil
    switch when {
    case .date(let date):
      return old.isDate || edit.hasLengthInDays ? when : .time(CivilDateTime(date, seen.time))
    case .clock(let time, _): return .time(CivilDateTime(seen.date, time))
    case .time: return when
    }
  }

  /// A local time of a zone. No file can name a zone that only `TZ` defines, so a time there is in UTC.
  private static func written(_ civil: CivilDateTime, in zone: Zone) -> EventTime {
    switch zone.origin {
    case .utc: .utc(civil)
    case .posixRule: .utc(zone.instant(of: civil).utc)
    case .fixedOffset, .database, .definition: .zoned(civil, zone)
    }
  }

  /// A typed time, in the zone in which the event is written.
  static func time(
    _ when: EventEdit.When, like old: EventTime?, zone: Zone?, viewer: Zone
  ) -> EventTime {
    switch when {
    case .date(let date): return .date(date)
    case .clock(let clock, on: let date):
      return time(.time(CivilDateTime(date, clock)), like: old, zone: zone, viewer: viewer)
    case .time(let civil):
      let typed = zone ?? viewer
      let new = written(civil, in: typed)
      guard zone == nil, let old else { return new }
      if case .floating = old { return .floating(civil) }
      return new.converted(like: old, viewer: viewer)
    }
  }

  private var isTask: Bool { event.kind == .task }

  /// The property with the end: DTEND, or DUE for a task.
  private var endName: String { isTask ? "DUE" : "DTEND" }

  /// A task without DTSTART begins when it is due.
  private var startName: String { isTask && text.own("DTSTART").isEmpty ? "DUE" : "DTSTART" }

  private var end: EventTime? {
    if isTask { return startName == "DUE" ? nil : event.due }
    if case .end(let end) = event.extent { return end }
    return nil
  }

  /// The edits for a start, an end and, with `movesRule`, the dates of the rule.
  func times(shift: TimeShift?, movesRule: Bool) throws(WritingError) -> [PropertyEdit] {
    var edits: [PropertyEdit] = []
    if let due = try due(shift) {
      // A task has either a due date or a length (RFC 5545 3.6.2).
      edits.append(try property("DURATION", []))
      edits.append(try line("DUE", due, at: event.due))
    }
    if edit.removesDue {
      guard startName == "DTSTART" || text.own("RRULE").isEmpty else {
        throw .invalid(because: .dueOfSeries)
      }
      guard !text.hasAlarmRelativeToDue || edit.removesAlarms || edit.alarms?.isEmpty == true
      else {
        throw .invalid(because: .dueOfAlarm)
      }
      edits.append(try property("DUE", []))
    }
    guard let shift else {
      if let start = edit.start {
        let time = Self.time(start, like: nil, zone: edit.zone, viewer: viewer)
        edits.append(try line("DTSTART", time, at: nil))
        edits += try length(TimeShift(from: time, to: time, viewer: viewer), newStart: time)
      }
      return edits
    }
    guard let start = event.start, let newStart = shift.moved(start) else {
      throw .invalid(because: .timeOutOfRange)
    }
    if !shift.isNone { edits.append(try line(startName, newStart, at: start)) }
    // Outlook's mark of a whole day.
    if start.isDate, !newStart.isDate {
      edits.append(try property("X-MICROSOFT-CDO-ALLDAYEVENT", []))
    }
    edits += try length(shift, newStart: newStart)
    if movesRule, !shift.isNone { edits += try dates(shift) }
    return edits
  }

  /// A task without a start has no length (RFC 5545 3.8.2.5), and its end is when it is due.
  private func checkLength() throws(WritingError) {
    guard isTask, text.own("DTSTART").isEmpty else { return }
    let isEnd: Bool
    switch edit.length {
    case nil, .some(.none): return
    case .length: isEnd = false
    case .until: isEnd = true
    }
    if event.due == nil, edit.start != nil { return }
    throw .invalid(because: .lengthWithoutStart(isEnd: isEnd, isDue: event.due != nil))
  }

  /// The new DUE of a task. In a series it applies to one occurrence, and the component may be an
  /// earlier one.
  private func due(_ shift: TimeShift?) throws(WritingError) -> EventTime? {
    guard edit.setsDue else { return nil }
    guard isTask else {
      throw .invalid(because: .dueOfEvent)
    }
    func due(replacing old: EventTime?) throws(WritingError) -> EventTime {
      guard let typed = edit.due else {
        guard let old = old ?? event.due, let difference = edit.dueShift else {
          throw .invalid(because: .notDue)
        }
        return Self.moved(
          old, by: difference, to: edit.zone, viewer: viewer,
          ofSeries: !text.own("RRULE").isEmpty)
      }
      let whole =
        old.map { Self.completed(typed, from: $0, edit: edit, viewer: viewer) } ?? typed
      return Self.time(whole, like: old, zone: edit.zone, viewer: viewer)
    }
    guard let shift, let newStart = event.start.flatMap(shift.moved) else {
      return try due(replacing: nil)
    }
    // The due date of a task that only begins has the form of its start.
    let moved = self.due(movedBy: shift) ?? endOfDuration(from: newStart) ?? newStart
    let toOccurrence = TimeShift(from: newStart, to: shift.to, viewer: viewer)
    let new = try due(replacing: toOccurrence.moved(moved))
    return TimeShift(from: shift.to, to: new, viewer: viewer).moved(newStart) ?? new
  }

  /// When a task with DTSTART and DURATION is due; an all-day one, on its last day.
  private func endOfDuration(from newStart: EventTime) -> EventTime? {
    guard case .duration = event.extent else { return nil }
    let placed = RecurrenceSet.place(
      newStart, event.extent, recurrenceID: newStart, viewer: viewer)
    if let days = placed.allDay { return days.upperBound.adding(days: -1).map { .date($0) } }
    return EventTime.utc(placed.finish.utc).converted(like: newStart, viewer: viewer)
  }

  /// The end of the event after a shift: the distance from the start stays the same.
  func extent(movedBy shift: TimeShift) -> Extent {
    guard let end, !isTask, let newStart = event.start.flatMap(shift.moved) else {
      return event.extent
    }
    return movedEnd(end, newStart: newStart).map { .end($0) } ?? event.extent
  }

  func due(movedBy shift: TimeShift) -> EventTime? {
    guard isTask, let due = event.due, let newStart = event.start.flatMap(shift.moved) else {
      return event.due
    }
    return movedEnd(due, newStart: newStart) ?? event.due
  }

  private func movedEnd(_ end: EventTime, newStart: EventTime) -> EventTime? {
    guard let start = event.start else { return nil }
    guard start.isDate == newStart.isDate else {
      // A task stays due on the same day. Of an event, the length in days or hours has no sense in
      // the other form.
      guard isTask else { return nil }
      let days = start.civil.date.days(until: end.civil.date)
      return newStart.civil.date.adding(days: days).map { date in
        newStart.isDate ? .date(date) : newStart.at(CivilDateTime(date, newStart.civil.time))
      }
    }
    if newStart.isDate || end.isDate {
      return newStart.civil.date.adding(days: start.civil.date.days(until: end.civil.date))
        .map { .date($0) }
    }
    let seconds =
      end.instant(for: viewer).secondsSinceEpoch - start.instant(for: viewer).secondsSinceEpoch
    return time(seconds, after: newStart, like: end, from: start)
  }

  /// A moment after a start. If it had the form of the old start, it gets the form of the new one.
  private func time(
    _ seconds: Int, after newStart: EventTime, like end: EventTime?, from start: EventTime
  ) -> EventTime {
    let instant = newStart.instant(for: viewer).adding(seconds: seconds)
    let moment = EventTime.utc(instant.utc)
    let keepsForm = end.map { !$0.hasSameForm(as: start) && !$0.isDate } ?? false
    let time = moment.converted(like: keepsForm ? end ?? newStart : newStart, viewer: viewer)
    // A local time that occurs twice is the first of the two (RFC 5545 3.3.5). Only UTC can name
    // the second one.
    if case .zoned = time, time.instant(for: viewer) != instant { return moment }
    return time
  }

  private func length(
    _ shift: TimeShift, newStart: EventTime
  ) throws(WritingError) -> [PropertyEdit] {
    let start = event.start ?? newStart
    let hasDuration = !text.own("DURATION").isEmpty
    func removing(_ names: String...) -> [PropertyEdit] {
      names.compactMap { PropertyEdit($0, lines: []) }
    }
    switch edit.length {
    case nil:
      if shift.isNone || edit.setsDue { return [] }
      if let end, let moved = movedEnd(end, newStart: newStart) {
        return [try line(endName, moved, at: end)]
      }
      // An all-day event without an end lasts its day (RFC 5545 3.6.1).
      let hasLength = end != nil || hasDuration || start.isDate && !isTask
      guard start.isDate != newStart.isDate, hasLength else { return [] }
      // An all-day event gets a time, or the other way round, so the old length does not apply.
      return removing("DURATION")
        + [try line(endName, try usualEnd(of: newStart), at: end)]
    case .none?: return removing(endName, "DURATION")
    case .length(let length):
      if newStart.isDate {
        guard length.seconds == 0, length.days > 0 else {
          throw .invalid(because: .lengthInHours)
        }
      }
      if hasDuration, start.isDate == newStart.isDate {
        return [try raw("DURATION", TimeLine.text(length))]
      }
      guard let day = newStart.civil.date.adding(days: length.days) else {
        throw .invalid(because: .endOutOfRange)
      }
      let end: EventTime =
        if newStart.isDate {
          .date(day)
        } else {
          time(
            length.seconds, after: newStart.at(CivilDateTime(day, newStart.civil.time)),
            like: self.end, from: start)
        }
      return removing("DURATION") + [try line(endName, end, at: self.end)]
    case .until(let until):
      // The end of the occurrence that is edited; the component may be an earlier one.
      let end = try end(until, after: shift.to)
      guard end.isDate == shift.to.isDate else {
        throw .invalid(because: .endWithTime)
      }
      // DTEND is the day after the last one. A task is due on its last day.
      var exclusive = end
      if end.isDate, !isTask {
        guard let next = end.civil.date.adding(days: 1) else {
          throw .invalid(because: .endOutOfRange)
        }
        exclusive = .date(next)
      }
      let toEnd = TimeShift(from: shift.to, to: exclusive, viewer: viewer)
      guard end.instant(for: viewer) >= shift.to.instant(for: viewer),
        let moved = toEnd.moved(newStart)
      else { throw .invalid(because: .endBeforeStart) }
      return removing("DURATION") + [try line(endName, moved, at: self.end)]
    }
  }

  /// A typed end. A time of day alone can be on the next day, as in `22:00-1:00`.
  /// With a date, an event that starts at a time lasts to the end of that day.
  private func end(
    _ typed: EventEdit.When, after start: EventTime
  ) throws(WritingError) -> EventTime {
    func time(_ when: EventEdit.When) -> EventTime {
      Self.time(when, like: start, zone: edit.zone, viewer: viewer)
    }
    if case .date(let date) = typed, !start.isDate {
      guard let next = date.adding(days: 1) else {
        throw .invalid(because: .endOutOfRange)
      }
      return time(.time(CivilDateTime(next, .midnight)))
    }
    guard case .clock(let clock, _) = typed, !start.isDate else { return time(typed) }
    let zone = edit.zone ?? viewer
    let begin = zone.civil(at: start.instant(for: viewer))
    let end = time(.time(CivilDateTime(begin.date, clock)))
    if end.instant(for: viewer) > start.instant(for: viewer) { return end }
    guard clock.endsOnNextDay(after: begin.time) else {
      throw .invalid(because: .clockBeforeStart)
    }
    guard let next = begin.date.adding(days: 1) else {
      throw .invalid(because: .endOutOfRange)
    }
    return time(.time(CivilDateTime(next, clock)))
  }

  /// The default length: a day for an all-day event, otherwise an hour.
  private func usualEnd(of start: EventTime) throws(WritingError) -> EventTime {
    if case .date(let date) = start, let next = date.adding(days: 1) { return .date(next) }
    return time(60 * 60, after: start, like: nil, from: start)
  }

  private func line(
    _ name: String, _ time: EventTime, at old: EventTime?
  ) throws(WritingError) -> PropertyEdit {
    let line = TimeLine.line(name, time, replacing: written(name), at: old)
    guard let edit = PropertyEdit(name, lines: [line.content]) else {
      throw SeriesEditor.damaged(name)
    }
    return edit
  }

  /// The line of that property. If it is missing, or an end that is a date next to a time or the other
  /// way round, that of the start.
  private func written(_ name: String) -> PropertyLine? {
    func line(_ own: [ComponentText.Line]) -> PropertyLine? {
      own.first.map { PropertyLine($0.content) }
    }
    let start = line(text.own("DTSTART"))
    switch name {
    case "DUE": return line(text.own("DUE"))
    case "DTEND":
      let end = line(text.own("DTEND"))
      return start == nil || end?.hasTimes == start?.hasTimes ? end : start
    default: return start
    }
  }

  /// `52.52`: at most six decimals, as RFC 5545 3.8.1.6 asks, and never an exponent.
  private static func degrees(_ value: Double) -> String {
    let millionths = Int((value.magnitude * 1_000_000).rounded())
    var decimals = String(String(1_000_000 + millionths % 1_000_000).dropFirst())
    while decimals.count > 1, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(value < 0 && millionths > 0 ? "-" : "")\(millionths / 1_000_000).\(decimals)"
  }

  // MARK: Rules

  /// Throws if a series with these rules cannot begin at a time.
  private func check(_ rules: [Rule], from start: EventTime) throws(WritingError) {
    if start.isDate, rules.contains(where: \.repeatsWithinDay) {
      throw .invalid(because: .repetitionWithinDay)
    }
    let zone = edit.zone ?? viewer
    // In UTC the times would not move with the clocks of a zone that only `TZ` defines.
    if case .utc = start, zone.origin == .posixRule {
      throw .invalid(because: .seriesInUnnamedZone(zone.name))
    }
  }

  private func repetition(_ shift: TimeShift?) throws(WritingError) -> [PropertyEdit] {
    if let shift, shift.changesForm, let series = event.recurrence {
      try check(series.rules, from: shift.to)
    }
    switch edit.repetition {
    case nil: return []
    case .rule(let rule, _):
      guard let start = newStart(shift) else {
        throw .invalid(because: .repetitionWithoutDate(of: event.kind))
      }
      try check([rule], from: start)
      var line = RuleLine(Array("RRULE:\(rule)".utf8))
      if let until = rule.until {
        line.set("UNTIL", until.matching(start, viewer: viewer).text)
      }
      var edits = [try property("RRULE", [line.line.content])]
      // A rule needs a DTSTART (RFC 5545 3.8.5.3). A task with only a due date begins when it is
      // due, as in Apple Reminders.
      if text.own("DTSTART").isEmpty, shift != nil || edit.start == nil {
        let like = written("DUE")
        let line = TimeLine.line("DTSTART", start, replacing: like, at: event.due)
        edits.append(try property("DTSTART", [line.content]))
      }
      return edits
    case .none?:
      return ["RRULE", "RDATE", "EXDATE", "EXRULE"].compactMap { PropertyEdit($0, lines: []) }
    }
  }

  /// The component with an EXDATE for each occurrence that the rule has on one of the dates.
  private func excluding(
    _ dates: [CivilDate], of rule: Rule, from start: EventTime, in text: ComponentText
  ) throws(WritingError) -> [UInt8] {
    let set = RecurrenceSet(start: start, extent: .unstated, rules: [rule])
    let startLine = text.own("DTSTART").first.map { PropertyLine($0.content) }
    var lines = text.own("EXDATE").map(\.content)
    let zone = start.isDate ? viewer : start.zone ?? viewer
    for date in dates {
      let day = zone.startOfDay(date)..<zone.startOfDay(date.adding(days: 1) ?? .afterLast)
      let times = set.instances(touching: day, viewer: viewer).map(\.recurrenceID)
        .filter { $0.civil.date == date }
      guard !times.isEmpty else {
        throw .invalid(because: .exceptionWithoutOccurrence(on: date))
      }
      lines += times.map {
        TimeLine.line("EXDATE", $0, replacing: startLine, at: start).content
      }
    }
    return text.applying([try property("EXDATE", lines)])
  }

  /// The start of the component after the edit.
  private func newStart(_ shift: TimeShift?) -> EventTime? {
    if let shift { return event.start.flatMap(shift.moved) }
    let typed = edit.start ?? (isTask ? edit.due : nil)
    return typed.map { Self.time($0, like: nil, zone: edit.zone, viewer: viewer) }
  }

  static let fixedExceptions = WritingError.invalid(because: .exceptionRule)

  /// The rules, RDATEs and EXDATEs of a series that moves as a whole.
  private func dates(_ shift: TimeShift) throws(WritingError) -> [PropertyEdit] {
    guard let recurrence = event.recurrence, let oldStart = event.start,
      let newStart = shift.moved(oldStart)
    else { return [] }
    guard recurrence.exceptionRules.isEmpty else { throw Self.fixedExceptions }
    var edits: [PropertyEdit] = []
    if edit.repetition == nil {
      var lines: [[UInt8]] = []
      for (line, rule) in zip(text.own("RRULE"), recurrence.rules) {
        var changed = RuleLine(line.content)
        changed.moveEnd(of: rule, shift, in: event, written("DTSTART"))
        let namesTimes = !(rule.byHour + rule.byMinute + rule.bySecond).isEmpty
        guard !namesTimes || shift.from.civil.time == shift.to.civil.time else {
          throw .invalid(because: .ruleNamesTimes)
        }
        let moved = rule.moved(
          from: oldStart.civil.date, to: newStart.civil.date, seenOn: shift.from.civil.date)
        guard let moved else {
          throw .invalid(because: .ruleNamesDays)
        }
        changed.change(rule, to: moved)
        lines.append(changed.line.content)
      }
      if text.own("RRULE").count == recurrence.rules.count {
        edits.append(try property("RRULE", lines))
      }
    }
    for name: StaticString in ["RDATE", "EXDATE"] where !text.own(name).isEmpty {
      let lines = try text.own(name).map { (line) throws(WritingError) in
        try DateList(line.content, of: event, startLine: written("DTSTART"), zones: zones)
          .moved(shift).content
      }
      edits.append(try property("\(name)", lines))
    }
    return edits
  }
}

extension EventEdit {
  /// Whether the length is given in whole days.
  fileprivate var hasLengthInDays: Bool {
    switch length {
    case .until(.date): true
    case .length(let length): length.days > 0 && length.seconds == 0
    default: false
    }
  }
}
