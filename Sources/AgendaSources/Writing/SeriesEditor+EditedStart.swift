internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Exceptions of a series that gets another start in an editor.
extension SeriesEditor {
  /// The changes of an edited text, where EXDATE, RECURRENCE-ID and UNTIL follow a new DTSTART. A person
  /// cannot edit RECURRENCE-ID, and would have to find every EXDATE.
  ///
  /// An exception follows if its date, moved by the same difference, is an occurrence, and the date as
  /// written is none or has another form. Lines that the person changed stay as they are.
  func movingExceptions(_ changes: ComponentChanges) throws(WritingError) -> ComponentChanges {
    guard let master, let edited = changes.replaced[master.number],
      let old = Dates(master.text, like: master, zones, viewer),
      let new = Dates(ComponentText(edited), like: master, zones, viewer)
    else { return changes }
    let shift = TimeShift(
      from: old.start, to: new.start, viewer: viewer,
      isWithoutZone: master.text.startIsWithoutZone)
    if shift.isNone { return changes }
    func follows(_ time: EventTime) -> Bool {
      guard let moved = shift.moved(time) else { return false }
      return old.contains(time) && new.contains(moved)
        && (shift.changesForm || !new.contains(time))
    }

    var changes = changes
    let text = ComponentText(edited)
    var edits: [PropertyEdit?] = []
    let written = Set(master.text.own("EXDATE").map(\.content))
    let exclusions = try text.own("EXDATE").map { (line) throws(WritingError) in
      guard written.contains(line.content) else { return line.content }
      let list = try DateList(
        line.content, start: old.start, startLine: master.text.startLine, zones: zones)
      guard list.values.contains(where: { follows($0.time) }) else { return line.content }
      return try list.moved(shift).content
    }
    edits.append(PropertyEdit("EXDATE", lines: exclusions))
    let rules = text.own("RRULE").map(\.content)
    if rules == master.text.own("RRULE").map(\.content) {
      let moved = rules.map { content in
        var line = RuleLine(content)
        if let rule = try? Rule(parsing: line.line.value),
          let last = rule.times(from: old.start, viewer: viewer).last, follows(last)
        {
          line.moveEnd(of: rule, shift)
        }
        return line.line.content
      }
      edits.append(PropertyEdit("RRULE", lines: moved))
    }
    changes.replaced[master.number] = text.applying(edits.compactMap(\.self))
    for member in members {
      guard let place = member.event.identity.recurrenceID, follows(place),
        changes.replaced[member.number] != []
      else { continue }
      let edit = try moved(member, shift)
      changes.replaced[member.number] =
        changes.replaced[member.number].map { ComponentText($0).applying([edit]) }
        ?? member.text.revised([edit], stamp: stamp, raisesSequence: false)
    }
    return changes
  }
}

/// The dates that the text of a series names, without the end of its rules and without its exceptions.
private struct Dates {
  let start: EventTime
  private let set: RecurrenceSet
  private let viewer: Zone

  /// `nil` if the start cannot be read. A TZID that the series has already is the same zone.
  init?(
    _ text: ComponentText, like series: SeriesEditor.Member, _ zones: ZoneDatabase, _ viewer: Zone
  ) {
    func list(_ content: [UInt8]) -> DateList? {
      try? DateList(
        content, start: series.event.start, startLine: series.text.startLine, zones: zones)
    }
    guard let line = text.startLine, let start = list(line.content)?.values.first?.time else {
      return nil
    }
    self.start = start
    self.viewer = viewer
    let rules = text.own("RRULE").compactMap {
      try? Rule(parsing: RuleLine($0.content).removing("UNTIL").line.value)
    }
    let dates = text.own("RDATE").compactMap { list($0.content) }.flatMap(\.values)
      .map { RecurrenceDate(start: $0.time, extent: nil) }
    set = RecurrenceSet(start: start, extent: .unstated, rules: rules, dates: dates)
  }

  func contains(_ time: EventTime) -> Bool {
    let begin = time.instant(for: viewer)
    return set.instances(touching: begin..<begin.adding(seconds: 1), viewer: viewer)
      .contains { $0.recurrenceID.isSameStart(as: time, viewer: viewer) }
  }
}
