internal import AgendaCore
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Changes to a whole series, or to all occurrences from one of them on.
extension SeriesEditor {
  /// Edits the series. Its exclusions and the RECURRENCE-IDs of its overrides move with it. The
  /// overrides keep their own values.
  func editAll(_ edit: EventEdit) throws(WritingError) -> ComponentChanges {
    guard let master, let start = master.event.start else {
      throw .invalid("the series of this occurrence is missing")
    }
    let place = (occurrence.recurrenceID ?? start).converted(like: start, viewer: viewer)
    let shift = shift(edit, of: place)
    var changes = try replacing(master, by: edited(master, edit, shift: shift))
    for member in members where member.event.identity.recurrenceID != nil {
      let text = try followed(member, edit, shift)
      if text != member.text.bytes { changes.replaced[member.number] = text }
    }
    return changes
  }

  /// Ends the series before the occurrence, and continues it as a new one with the edit. Overrides
  /// of later occurrences move to the new series.
  func split(_ edit: EventEdit) throws(WritingError) -> ComponentChanges {
    guard let master, let start = master.event.start, let recurrenceID = occurrence.recurrenceID
    else { throw .invalid("the series of this occurrence is missing") }
    let place = recurrenceID.converted(like: start, viewer: viewer)
    let uid = NewUID.make(now: now)
    let continued = try continuation(of: master, from: place)
    let shift = shift(edit, of: place)
    let new = try edited(continued, edit, shift: shift)
    guard new != continued.text.bytes else { return ComponentChanges() }
    var changes = ComponentChanges()
    changes.newUID = uid
    changes.newSeries = [try named(ComponentText(new), uid, isNew: true)]
    changes.replaced[master.number] = try cut(master, before: recurrenceID)
    for member in overrides(from: recurrenceID) {
      let text = ComponentText(try followed(member, edit, shift))
      changes.newSeries.append(try named(text, uid, isNew: false))
      changes.replaced[member.number] = []
    }
    return changes
  }

  /// The shift of a series if its occurrence at `place` gets a new start: all occurrences move by
  /// the same difference, even if an override had moved that occurrence.
  private func shift(_ edit: EventEdit, of place: EventTime) -> TimeShift {
    let own = occurrence.start.converted(like: place, viewer: viewer)
    let shift = TimeShift(
      from: own, to: PropertyEditor.start(edit, replacing: own, viewer: viewer), viewer: viewer)
    return TimeShift(from: place, to: shift.moved(place) ?? place, viewer: viewer)
  }

  /// An override after its series moved. It keeps its own values, unless it is the occurrence that is
  /// edited.
  private func followed(
    _ member: Member, _ edit: EventEdit, _ shift: TimeShift
  ) throws(WritingError) -> [UInt8] {
    let isMeant = member.number == override?.number
    let own = isMeant ? try edited(member, edit.withoutRepetition) : member.text.bytes
    if shift.isNone { return own }
    return ComponentText(own).revised(
      [try moved(member, shift)], stamp: stamp, raisesSequence: false)
  }

  /// The RECURRENCE-ID of an override after its series moved.
  private func moved(
    _ member: Member, _ shift: TimeShift
  ) throws(WritingError) -> PropertyEdit {
    guard let old = member.event.identity.recurrenceID, let moved = shift.moved(old),
      let line = member.text.own("RECURRENCE-ID").first
    else { throw Self.damaged("RECURRENCE-ID") }
    let isSame = shift.from.isDate == shift.to.isDate && !old.isDate
    let written = isSame ? moved.converted(like: old, viewer: viewer) : moved
    let new = TimeLine.line(
      "RECURRENCE-ID", written, replacing: PropertyLine(line.content), at: old)
    guard let edit = PropertyEdit("RECURRENCE-ID", lines: [new.content]) else {
      throw Self.damaged("RECURRENCE-ID")
    }
    return edit
  }

  private func named(
    _ text: ComponentText, _ uid: String, isNew: Bool
  ) throws(WritingError) -> [UInt8] {
    var edits = [PropertyEdit("UID", text: uid)]
    if isNew {
      edits.append(PropertyEdit("CREATED", text: stamp))
      // A new series starts without SEQUENCE.
      edits.append(PropertyEdit("SEQUENCE", lines: []))
    }
    return text.applying(edits.compactMap(\.self))
  }

  // MARK: Splitting

  /// The part of the series before an occurrence.
  func cut(
    _ master: Member, before recurrenceID: EventTime
  ) throws(WritingError) -> [UInt8] {
    let until = try last(before: recurrenceID, of: master)
    let rules = master.text.own("RRULE").map { line in
      var rule = RuleLine(line.content)
      rule.end(until: until)
      return rule.line.content
    }
    var edits = [PropertyEdit("RRULE", lines: rules)]
    let end = recurrenceID.instant(for: viewer)
    edits += try dates(of: master) { $0.instant(for: viewer) < end }
    return revised(master, edits.compactMap(\.self), raisesSequence: true)
  }

  /// The series from an occurrence on, still with the old UID.
  private func continuation(
    of master: Member, from place: EventTime
  ) throws(WritingError) -> Member {
    guard let start = master.event.start else { return master }
    var event = master.event
    var rules: [[UInt8]] = []
    var parsed: [Rule] = []
    for (line, rule) in zip(master.text.own("RRULE"), master.event.recurrence?.rules ?? []) {
      var changed = RuleLine(line.content)
      if let count = rule.count {
        let rest = count - occurrenceCount(of: rule, master.event, before: place)
        guard rest > 0 else { continue }
        changed.set("COUNT", "\(rest)")
      }
      rules.append(changed.line.content)
      parsed.append(rule)
    }
    let begin = place.instant(for: viewer)
    var edits = [PropertyEdit("RRULE", lines: rules)]
    edits += try dates(of: master) { $0.instant(for: viewer) >= begin }
    let editor = PropertyEditor(
      master, edit: EventEdit(), viewer: viewer, zones: zones, stamp: stamp)
    let shift = TimeShift(from: start, to: place, viewer: viewer)
    edits += try editor.times(shift: shift, movesRule: false)
    event.start = place
    event.extent = editor.extent(movedBy: shift)
    event.due = editor.due(movedBy: shift)
    event.recurrence?.rules = parsed
    return Member(
      number: .max, event: event, text: master.text.applying(edits.compactMap(\.self)))
  }

  /// RDATEs and EXDATEs with only some of their values.
  private func dates(
    of master: Member, where isKept: (EventTime) -> Bool
  ) throws(WritingError) -> [PropertyEdit?] {
    let startLine = master.text.own("DTSTART").first.map { PropertyLine($0.content) }
    var edits: [PropertyEdit?] = []
    for name: StaticString in ["RDATE", "EXDATE"] {
      let own = master.text.own(name)
      guard !own.isEmpty else { continue }
      let lines = try own.map { (line) throws(WritingError) in
        try DateList(
          line.content, start: master.event.start, startLine: startLine, zones: zones
        ).filtered(isKept)?.content
      }
      edits.append(PropertyEdit("\(name)", lines: lines.compactMap(\.self)))
    }
    return edits
  }

  /// The number of occurrences of a rule before one of them, including excluded ones.
  private func occurrenceCount(of rule: Rule, _ event: Event, before place: EventTime) -> Int {
    var event = event
    event.recurrence = Event.Recurrence(rules: [rule])
    let end = place.instant(for: viewer)
    let begin = event.start?.instant(for: viewer) ?? end
    guard begin < end else { return 0 }
    return Series(event).occurrences(touching: begin..<end, viewer: viewer).count {
      $0.begin < end
    }
  }

  /// UNTIL for a series that ends before an occurrence: the moment before it, as phones write it.
  private func last(
    before recurrenceID: EventTime, of master: Member
  ) throws(WritingError) -> Rule.Until {
    guard let start = master.event.start else { throw Self.damaged("DTSTART") }
    let place = recurrenceID.converted(like: start, viewer: viewer)
    switch (start, place) {
    case (.date, _):
      guard let date = place.civil.date.adding(days: -1) else { throw Self.damaged("DTSTART") }
      return .date(date)
    case (.floating, _):
      guard let civil = CivilDateTime(civilSeconds: place.civil.civilSeconds - 1) else {
        throw Self.damaged("DTSTART")
      }
      return .local(civil)
    default: return .utc(place.instant(for: viewer).adding(seconds: -1).utc)
    }
  }
}

/// UIDs of new events.
enum NewUID {
  static func make(now: Instant) -> String {
    let random = UInt64.random(in: .min ... .max)
    return "\(String(now.secondsSinceEpoch, radix: 16))-\(String(random, radix: 16))@agenda"
  }
}

extension EventEdit {
  /// The properties of the edit that an override can have.
  fileprivate var withoutRepetition: EventEdit {
    var edit = self
    edit.repetition = nil
    return edit
  }
}
