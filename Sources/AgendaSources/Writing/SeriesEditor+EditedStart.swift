internal import AgendaCore
internal import AgendaReader
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Exceptions of a series that gets another start in an editor.
extension SeriesEditor {
  /// This editor and an edited text. If the text gives the series another zone, exceptions and other
  /// dates without a zone name the present one in both: the new one does not apply to them.
  func namingZones(
    in text: EditedText
  ) throws(WritingError) -> (editor: SeriesEditor, text: EditedText) {
    let lines = text.lines.map { PropertyLine(Array($0.text.utf8)) }
    guard let old = master?.text.startLine, let new = lines.first(where: { $0.name == old.name }),
      old["TZID"] != new["TZID"] || old.isInUTC != new.isInUTC
    else { return (self, text) }
    let editor = try namingZones()
    var named: [String: String] = [:]
    for (old, new) in zip(members, editor.members) {
      for (old, new) in zip(old.text.lines, new.text.lines) where old.content != new.content {
        named[EditedText.shown(old.content)] = EditedText.shown(new.content)
      }
    }
    var text = text
    text.lines = text.lines.map { line in
      EditedText.Line(number: line.number, text: named[line.text] ?? line.text)
    }
    return (editor, text)
  }

  /// The changes of an edited text, where EXDATE, RECURRENCE-ID and UNTIL follow a new DTSTART. A person
  /// cannot edit RECURRENCE-ID, and would have to find every EXDATE.
  ///
  /// An exception follows if its date, moved by the same difference, is an occurrence, and the date as
  /// written is none or has another form. Lines that the person changed stay as they are.
  func movingExceptions(_ changes: ComponentChanges) throws(WritingError) -> ComponentChanges {
    guard let master, let edited = changes.replaced[master.id],
      let old = Dates(master.text, like: master, zones, viewer),
      let new = Dates(ComponentText(edited), like: master, zones, viewer)
    else { return changes }
    let shift = TimeShift(
      from: old.start, to: new.start, viewer: viewer,
      isWithoutZone: master.text.startIsWithoutZone)
    if shift.isNone { return changes }
    // After a move by a week and an hour, an exception of a weekly series stays on its date.
    let ofClock = TimeShift(
      from: old.start, to: new.start.at(CivilDateTime(old.start.civil.date, new.start.civil.time)),
      viewer: viewer)
    let shifts =
      old.start.hasSameForm(as: new.start) && !ofClock.isNone ? [ofClock, shift] : [shift]
    func followed(by time: EventTime) -> TimeShift? {
      guard old.contains(time), shift.changesForm || !new.contains(time) else { return nil }
      return shifts.first { $0.moved(time).map(new.contains) ?? false }
    }

    var changes = changes
    let text = ComponentText(edited)
    var edits: [PropertyEdit?] = []
    let written = Set(master.text.own("EXDATE").map(\.content))
    let exclusions = try text.own("EXDATE").map { (line) throws(WritingError) in
      guard written.contains(line.content) else { return line.content }
      let list = try DateList(
        line.content, of: master.event, startLine: master.text.startLine, zones: zones)
      guard let shift = list.values.lazy.compactMap({ followed(by: $0.time) }).first else {
        return line.content
      }
      return try list.moved(shift).content
    }
    edits.append(PropertyEdit("EXDATE", lines: exclusions))
    let rules = text.own("RRULE").map(\.content)
    if rules == master.text.own("RRULE").map(\.content) {
      let moved = rules.map { content in
        var line = RuleLine(content)
        if let rule = line.rule(of: master.event),
          let last = rule.times(from: old.start, viewer: viewer).last,
          let shift = followed(by: last)
        {
          line.moveEnd(of: rule, shift, in: master.event, master.text.startLine)
        }
        return line.line.content
      }
      edits.append(PropertyEdit("RRULE", lines: moved))
    }
    changes.replaced[master.id] = text.applying(edits.compactMap(\.self))
    for member in members {
      guard let place = member.event.identity.recurrenceID, let shift = followed(by: place),
        changes.replaced[member.id] != []
      else { continue }
      let edit = try moved(member, shift)
      changes.replaced[member.id] =
        changes.replaced[member.id].map { ComponentText($0).applying([edit]) }
        ?? member.text.revised([edit], stamp: stamp, raisesSequence: false)
    }
    return changes
  }
}

extension ComponentChanges {
  /// Adds the zone names of overrides that do not change otherwise.
  mutating func add(_ named: SeriesEditor, from original: SeriesEditor) {
    for (old, new) in zip(original.members, named.members)
    where old.text.bytes != new.text.bytes && replaced[old.id] == nil {
      replaced[old.id] = new.text.revised(from: old.text, stamp: named.stamp)
    }
  }
}

extension PropertyLine {
  fileprivate var isInUTC: Bool { value.last == UInt8(ascii: "Z") }
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
        content, of: series.event, startLine: series.text.startLine, zones: zones)
    }
    guard let line = text.startLine, let start = list(line.content)?.values.first?.time else {
      return nil
    }
    self.start = start
    self.viewer = viewer
    let rules = text.own("RRULE").compactMap {
      RuleLine($0.content).removing("UNTIL").rule(of: series.event)
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
