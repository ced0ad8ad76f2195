internal import AgendaCore
internal import AgendaReader
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
      throw .invalid(because: .missingSeries)
    }
    let place = (occurrence.recurrenceID ?? start).converted(like: start, viewer: viewer)
    let shift = shift(edit, of: place)
    var changes = try replacing(master, by: edited(master, edit, shift: shift))
    changes.place = occurrence.recurrenceID == nil ? nil : shift.to
    let overrides = members.filter { $0.event.identity.recurrenceID != nil }
    let dropped = overridesWithoutDate(overrides, of: master, from: start, edit, shift)
    changes.droppedOverrides = dropped.count
    for member in overrides {
      if dropped.contains(member.id) {
        changes.replaced[member.id] = []
        continue
      }
      let text = try followed(member, edit, shift)
      if text != member.text.bytes { changes.replaced[member.id] = text }
    }
    return changes
  }

  /// Ends the series before the occurrence, and continues it as a new one with the edit. Overrides
  /// of later occurrences move to the new series.
  func split(_ edit: EventEdit) throws(WritingError) -> ComponentChanges {
    guard let master, let start = master.event.start, let recurrenceID = occurrence.recurrenceID
    else { throw .invalid(because: .missingSeries) }
    let place = recurrenceID.converted(like: start, viewer: viewer)
    let uid = NewUID.make(now: now)
    let continued = try continuation(of: master, from: place, edit)
    let shift = shift(edit, of: place)
    let new = try edited(continued, edit, shift: shift)
    guard new != continued.text.bytes else { return ComponentChanges() }
    var changes = ComponentChanges()
    changes.newUID = uid
    changes.movesNewSeries = !shift.isNone
    changes.place = shift.to
    changes.newSeries = [try named(ComponentText(new), uid, isNew: true)]
    changes.replaced[master.id] = try cut(master, before: recurrenceID)
    let overrides = overrides(from: recurrenceID)
    let dropped = overridesWithoutDate(overrides, of: master, from: place, edit, shift)
    changes.droppedOverrides = dropped.count
    for member in overrides {
      changes.replaced[member.id] = []
      if dropped.contains(member.id) { continue }
      let text = ComponentText(try followed(member, edit, shift))
      changes.newSeries.append(try named(text, uid, isNew: false))
    }
    return changes
  }

  /// The shift of a series if its occurrence at `place` gets a new start: all occurrences move by
  /// the same difference, even if an override had moved that occurrence.
  private func shift(_ edit: EventEdit, of place: EventTime) -> TimeShift {
    // A task is listed when it is due, so the start of its occurrence is not its DTSTART.
    let start = occurrence.event.kind == .task ? override?.event.start ?? place : occurrence.start
    let own = start.converted(like: place, viewer: viewer)
    let new = PropertyEditor.start(edit, replacing: own, viewer: viewer, ofSeries: true)
    let shift = TimeShift(from: own, to: new, viewer: viewer)
    return TimeShift(
      from: place, to: shift.moved(place) ?? place, viewer: viewer,
      isWithoutZone: master?.text.startIsWithoutZone ?? false)
  }

  /// An override after its series moved. It keeps its own values, unless it is the occurrence that is
  /// edited, or one of a copy.
  private func followed(
    _ member: Member, _ edit: EventEdit, _ shift: TimeShift
  ) throws(WritingError) -> [UInt8] {
    let isMeant = member.id == override?.id
    var own = isMeant ? try edited(member, edit.withoutRepetition) : member.text.bytes
    if shift.isNone { return own }
    // What messages made of an occurrence has no time of its own.
    var isMade = false
    if case .message = member.id { isMade = true }
    if movesOverrides || isMade, !isMeant, let start = member.event.start,
      let moved = shift.moved(start)
    {
      let new = shift.changesForm ? moved : moved.converted(like: start, viewer: viewer)
      own = try edited(
        member, EventEdit(), shift: TimeShift(from: start, to: new, viewer: viewer))
    }
    return ComponentText(own).revised(
      [try moved(member, shift)], stamp: stamp, raisesSequence: false)
  }

  /// The overrides whose dates a new rule lacks. Without their series they would be
  /// single events, which other programs do not show. `start` is the old start of what gets the
  /// rule.
  private func overridesWithoutDate(
    _ overrides: [Member], of master: Member, from start: EventTime, _ edit: EventEdit,
    _ shift: TimeShift
  ) -> Set<Member.ID> {
    guard let repetition = edit.repetition else { return [] }
    // What another program wrote without a date of the series stays as it is.
    var before = master.event
    before.recurrence?.exceptionDates = []
    var after = before
    after.start = shift.moved(start)
    var excepted: [CivilDate] = []
    if case .rule(let rule, let dates) = repetition {
      excepted = dates
      after.recurrence = Event.Recurrence(
        rules: [rule],
        dates: (before.recurrence?.dates ?? []).compactMap { date in
          shift.moved(date.start).map { RecurrenceDate(start: $0) }
        })
    }
    guard let old = SeriesTimes(before, viewer: viewer),
      let new = SeriesTimes(after, viewer: viewer)
    else { return [] }
    let lost = overrides.filter { override in
      guard let place = override.event.identity.recurrenceID, old.start(of: place) != nil else {
        return false
      }
      if repetition == .none { return true }
      guard let moved = shift.moved(place), let time = new.start(of: moved) else { return true }
      return excepted.contains(time.civil.date)
    }
    return Set(lost.map(\.id))
  }

  /// The RECURRENCE-ID of an override after its series moved.
  func moved(
    _ member: Member, _ shift: TimeShift
  ) throws(WritingError) -> PropertyEdit {
    guard let old = member.event.identity.recurrenceID, let moved = shift.moved(old),
      let line = member.text.own("RECURRENCE-ID").first.map({ PropertyLine($0.content) })
    else { throw Self.damaged("RECURRENCE-ID") }
    // Next to the DTSTART of the series after the move.
    var new = TimeLine.line(
      "RECURRENCE-ID", moved, replacing: master?.text.startLine, at: shift.from)
    if let range = line["RANGE"] { new["RANGE"] = range }
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
    let end = recurrenceID.instant(for: viewer)
    guard let start = master.event.start, end > start.instant(for: viewer) else {
      throw .invalid(because: .dateBeforeFirst)
    }
    let until = try last(before: recurrenceID, of: master)
    let parsed = master.event.recurrence?.rules ?? []
    let rules = master.text.own("RRULE").enumerated().map { index, line in
      // A rule that has ended by then keeps its end.
      if parsed.indices.contains(index),
        parsed[index].times(from: start, since: recurrenceID, viewer: viewer, atMost: 1).isEmpty
      {
        return line.content
      }
      var rule = RuleLine(line.content)
      rule.end(until: until, of: master.event, master.text.startLine)
      return rule.line.content
    }
    var edits = [PropertyEdit("RRULE", lines: rules)]
    edits += try dates(of: master) { $0.instant(for: viewer) < end }
    return revised(master, edits.compactMap(\.self), raisesSequence: true)
  }

  /// The series from an occurrence on, still with the old UID.
  private func continuation(
    of master: Member, from place: EventTime, _ edit: EventEdit
  ) throws(WritingError) -> Member {
    guard let start = master.event.start else { return master }
    var event = master.event
    if event.recurrence?.exceptionRules.isEmpty == false { throw PropertyEditor.fixedExceptions }
    if period(at: place, of: master) != nil {
      throw .invalid(because: .dateWithLength)
    }
    var rules: [[UInt8]] = []
    var parsed: [Rule] = []
    var explicit: [EventTime] = []
    for (line, rule) in zip(master.text.own("RRULE"), master.event.recurrence?.rules ?? [])
    where edit.repetition == nil {
      let rest = rule.times(from: start, since: place, viewer: viewer)
      guard let first = rest.first else { continue }
      let hasPlace = first.isSameStart(as: place, viewer: viewer)
      var changed = RuleLine(line.content)
      if let count = rule.count {
        // The new start counts, also if it is a date of an RDATE or of another rule.
        let before = occurrenceCount(of: rule, from: start, before: place)
        changed.set("COUNT", "\(count - before + (hasPlace ? 0 : 1))")
      }
      let wanted = ((hasPlace ? [] : [place]) + rest).prefix(Rule.mostCompared)
      let given = changed.rule(of: master.event).map { new in
        new.times(from: place, since: place, viewer: viewer)
      }
      if let given, given.count == wanted.count,
        zip(given, wanted).allSatisfy({ $0.isSameStart(as: $1, viewer: viewer) })
      {
        rules.append(changed.line.content)
        parsed.append(rule)
      } else if rest.count < Rule.mostCompared {
        explicit += rest
      } else {
        throw .invalid(because: .ruleCannotBegin)
      }
    }
    let begin = place.instant(for: viewer)
    var edits = [PropertyEdit("RRULE", lines: rules)]
    edits += try dates(of: master, adding: explicit) { $0.instant(for: viewer) >= begin }
    let editor = PropertyEditor(
      master, edit: EventEdit(), viewer: viewer, zones: zones, stamp: stamp)
    let shift = TimeShift(from: start, to: place, viewer: viewer)
    edits += try editor.times(shift: shift, movesRule: false)
    event.start = place
    event.extent = editor.extent(movedBy: shift)
    event.due = editor.due(movedBy: shift)
    event.recurrence?.rules = parsed
    return Member(
      id: .new, event: event, text: master.text.applying(edits.compactMap(\.self)))
  }

  /// RDATEs and EXDATEs with only some of their values. `adding` becomes an RDATE.
  private func dates(
    of master: Member, adding explicit: [EventTime] = [], where isKept: (EventTime) -> Bool
  ) throws(WritingError) -> [PropertyEdit?] {
    let startLine = master.text.own("DTSTART").first.map { PropertyLine($0.content) }
    var edits: [PropertyEdit?] = []
    for name: StaticString in ["RDATE", "EXDATE"] {
      let own = master.text.own(name)
      let added = "\(name)" == "RDATE" ? explicit : []
      guard !own.isEmpty || !added.isEmpty else { continue }
      var lines = try own.map { (line) throws(WritingError) in
        try DateList(
          line.content, of: master.event, startLine: startLine, zones: zones
        ).filtered(isKept)?.content
      }
      if let start = master.event.start,
        let line = TimeLine.line("RDATE", added, like: (startLine, start))
      {
        lines.append(line.content)
      }
      edits.append(PropertyEdit("\(name)", lines: lines.compactMap(\.self)))
    }
    return edits
  }

  /// The number of occurrences of a rule before one of them, including excluded ones.
  private func occurrenceCount(
    of rule: Rule, from start: EventTime, before place: EventTime
  ) -> Int {
    let end = place.instant(for: viewer)
    let begin = start.instant(for: viewer)
    guard begin < end else { return 0 }
    return RecurrenceSet(start: start, extent: .unstated, rules: [rule])
      .instances(touching: begin..<end, viewer: viewer)
      .count { $0.recurrenceID.instant(for: viewer) < end }
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

extension EventEdit {
  /// The properties of the edit that an override can have.
  fileprivate var withoutRepetition: EventEdit {
    var edit = self
    edit.repetition = nil
    return edit
  }
}
