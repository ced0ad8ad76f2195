package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Changes the components of one UID as text. Everything else keeps its bytes.
package struct SeriesEditor {
  /// One component of the UID.
  package struct Member {
    let id: ID
    let event: Event
    let text: ComponentText
    /// Whether the text differs from that in the file: messages changed it, or it lost what has no
    /// meaning. An edit of the event writes it.
    let differsFromFile: Bool

    /// Where a component is.
    package enum ID: Hashable, Sendable {
      /// In a document, by its number there.
      case component(Int, document: Int)
      /// In no document, because only messages make it: an override of a series in that document.
      case message(Int, document: Int)
      /// In a document that agenda does not write, by its number among these.
      case foreign(Int)
      /// In no document yet.
      case new

      /// The number of the document.
      var document: Int? {
        switch self {
        case .component(_, let document), .message(_, let document): document
        case .foreign, .new: nil
        }
      }
    }

    /// Its number in its document; `nil` if no document has it.
    var number: Int? { if case .component(let number, _) = id { number } else { nil } }

    var isInFile: Bool { number != nil }

    /// Whether both are versions of one override.
    func replacesSameOccurrence(as other: Member, _ viewer: Zone) -> Bool {
      let (own, theirs) = (event.identity, other.event.identity)
      guard let place = own.recurrenceID, let otherPlace = theirs.recurrenceID else { return false }
      return own.includesFollowing == theirs.includesFollowing
        && otherPlace.isSameStart(as: place, viewer: viewer)
    }

    init(id: ID, event: Event, text: [UInt8], differsFromFile: Bool = false) {
      self.id = id
      self.event = event
      self.text = ComponentText(text)
      self.differsFromFile = differsFromFile
    }

    /// Without a RECURRENCE-ID that has no meaning: next to a rule, if the series is missing.
    var withoutUnusedRecurrenceID: Member {
      guard event.identity.recurrenceID == nil, !text.own("RECURRENCE-ID").isEmpty else {
        return self
      }
      let edits = [PropertyEdit("RECURRENCE-ID", lines: [])].compactMap(\.self)
      return Member(id: id, event: event, text: text.applying(edits), differsFromFile: true)
    }
  }

  private(set) var members: [Member]
  /// The occurrence that the user chose.
  let occurrence: Occurrence
  let viewer: Zone
  let now: Instant
  let zones: ZoneDatabase
  /// Files of the same folder that have other events with the UID.
  var otherFiles: [String] = []
  /// Whether SEQUENCE and the stamps stay: with a newer version, the event would replace other events
  /// with the same UID.
  var keepsVersion = false
  /// Whether other sources of the calendar have the event. The changed one is shown instead of them
  /// only if its version is newer, so its SEQUENCE grows also if no people are invited.
  var hasCopies = false
  /// The highest SEQUENCE of overrides in other sources, which those of the series has to exceed.
  var sequenceOfOthers = 0
  /// Whether overrides get another start with their series, as in a copy. Otherwise they keep theirs.
  var movesOverrides = false
  /// Whether exceptions and other dates name their zone.
  var namesZones = false

  var stamp: String { TimeLine.stamp(now) }

  var master: Member? { members.first { $0.event.identity.recurrenceID == nil } }

  /// The override that replaces the occurrence: the newest of its versions, and of equal ones the last.
  var override: Member? { versionsOfOverride.newest }

  private var versionsOfOverride: [Member] {
    membersAtPlace.filter { !$0.event.identity.includesFollowing }
  }

  /// What a RECURRENCE-ID of the occurrence names; `nil` for a task without a date. An event that does not
  /// recur can have an override of its own start.
  private var place: EventTime? {
    if let recurrenceID = occurrence.recurrenceID { return recurrenceID }
    return master.flatMap { $0.event.repeats ? nil : $0.event.start }
  }

  /// The components whose RECURRENCE-ID names the occurrence.
  private var membersAtPlace: [Member] {
    guard let place else { return [] }
    return members.filter {
      $0.event.identity.recurrenceID?.isSameStart(as: place, viewer: viewer) == true
    }
  }

  /// Whether a change needs a scope, because the event has several occurrences.
  package var isSeries: Bool { occurrence.recurrenceID != nil && master?.event.repeats == true }

  /// The component that invites to the occurrence, possibly together with all later ones.
  var invitation: Member? { membersAtPlace.newest ?? single }

  /// The component that the occurrence comes from.
  var single: Member? { override ?? master ?? members.first }

  private var isFirst: Bool {
    guard let event = master?.event, let start = event.start, let place = occurrence.recurrenceID
    else { return true }
    let begin = place.instant(for: viewer)
    let isEarlier = { (time: EventTime) in time.instant(for: viewer) < begin }
    if members.contains(where: { $0.event.identity.recurrenceID.map(isEarlier) == true }) {
      return false
    }
    let recurrence = event.recurrence
    return !RecurrenceSet(
      start: start, extent: .unstated, rules: recurrence?.rules ?? [],
      exceptionRules: recurrence?.exceptionRules ?? [], dates: recurrence?.dates ?? [],
      exceptionDates: recurrence?.exceptionDates ?? []
    ).instances(touching: Zone.utc.startOfDay(.first)..<begin, viewer: viewer)
      .contains { isEarlier($0.recurrenceID) }
  }

  /// The component that an answer to this occurrence alone is about.
  func ownInvitation() throws(WritingError) -> Member? {
    if let override { return override }
    return isSeries ? try newOverride() : single
  }

  func scope(_ wanted: SeriesScope?) throws(WritingError) -> SeriesScope? {
    guard isSeries || !otherFiles.isEmpty else { return nil }
    guard let wanted else { throw .needsScope }
    if let other = otherFiles.first, wanted != .only {
      throw .invalid(because: .seriesAlsoIn(other))
    }
    return wanted == .following && isFirst ? .all : wanted
  }

  // MARK: Changes

  /// Sets properties.
  package func edit(
    _ edit: EventEdit, _ scope: SeriesScope?
  ) throws(WritingError) -> ComponentChanges {
    guard let single else { return ComponentChanges() }
    let edit = edit.movingStart(of: single.event).givingStartATime(in: single.event)
    let scope = try self.scope(scope)
    if scope == .following || scope == .all && edit.zone != nil, !namesZones {
      return try namingZones().edit(edit, scope)
    }
    try checkRanges(edit, scope)
    switch scope {
    case nil: return try replacing(single, by: edited(single, edit))
    case .only: return try editOne(edit).of(.only)
    case .all: return try editAll(edit).of(.all)
    case .following: return try split(edit).of(.following)
    }
  }

  private func editOne(_ edit: EventEdit) throws(WritingError) -> ComponentChanges {
    guard edit.repetition == nil else { throw .invalid(because: .repetitionOfOneOccurrence) }
    if let override { return try replacing(override, by: edited(override, edit)) }
    let new = try newOverride()
    let text = try edited(new, edit)
    guard text != new.text.bytes else { return ComponentChanges() }
    return ComponentChanges(added: [text])
  }

  /// The editor of the same series, whose exceptions and other dates name their zone. Without one they
  /// would be on the clocks of the zone that the series gets, or of none in a comparison.
  func namingZones() throws(WritingError) -> SeriesEditor {
    var editor = self
    editor.members = try members.namingZoneOfSeries()
    editor.namesZones = true
    return editor
  }

  /// The overrides that change all later occurrences too (RFC 5545 3.2.13).
  private var ranges: [Member] { members.filter(\.event.identity.includesFollowing) }

  /// Whether the occurrence has the values of an override that changes all later ones too.
  private var isInRange: Bool {
    guard let place = occurrence.recurrenceID?.instant(for: viewer) else { return false }
    return ranges.contains {
      $0.event.identity.recurrenceID.map { $0.instant(for: viewer) <= place } ?? false
    }
  }

  private func checkRanges(_ edit: EventEdit, _ scope: SeriesScope?) throws(WritingError) {
    guard let scope, !ranges.isEmpty, scope != .only || override == nil else { return }
    let moves =
      edit.start != nil || edit.startShift != nil || edit.zone != nil || edit.repetition != nil
    if isInRange || scope != .only && moves { throw Self.hasRange }
  }

  private static let hasRange = WritingError.invalid(because: .overrideOfFollowing)

  /// Removes an event, or occurrences of a series.
  package func remove(_ scope: SeriesScope?) throws(WritingError) -> ComponentChanges {
    let scope = try self.scope(scope)
    if scope == .following, !namesZones { return try namingZones().remove(scope) }
    switch scope {
    case nil: return removingSingle
    case .all: return removingAll.of(.all)
    case .only: return try removeOne().of(.only)
    case .following:
      guard let master, let recurrenceID = occurrence.recurrenceID else { return removingAll }
      var changes = ComponentChanges()
      changes.replaced[master.id] = try cut(master, before: recurrenceID)
      for override in overrides(from: recurrenceID) { changes.replaced[override.id] = [] }
      return changes.of(.following)
    }
  }

  private func removeOne() throws(WritingError) -> ComponentChanges {
    guard let master, let recurrenceID = occurrence.recurrenceID else {
      guard let other = otherFiles.first else { return removingSingle }
      throw .invalid(because: .seriesIn(other))
    }
    if membersAtPlace.contains(where: \.event.identity.includesFollowing) { throw Self.hasRange }
    if !hasOccurrences(without: recurrenceID, of: master) { return removingAll }
    let excluded = revised(
      master, [try exclusion(of: recurrenceID, in: master)], raisesSequence: true)
    var changes = ComponentChanges(replaced: [master.id: excluded])
    for override in versionsOfOverride { changes.replaced[override.id] = [] }
    return changes
  }

  /// Whether anything of a series is left without one of its occurrences.
  private func hasOccurrences(without recurrenceID: EventTime, of master: Member) -> Bool {
    var rest = master.event
    rest.recurrence?.exceptionDates.append(recurrenceID)
    let others = members.filter { $0.id != master.id && $0.id != override?.id }
    var occurrences = Series(rest, overrides: others.map(\.event)).occurrences(
      touching: Zone.utc.startOfDay(.first)..<Zone.utc.startOfDay(.afterLast), viewer: viewer)
    return occurrences.next() != nil
  }

  private var removingAll: ComponentChanges { removing(members) }

  /// Without the event. Overrides of other dates are events too if their series is missing, or does not
  /// recur, and stay.
  private var removingSingle: ComponentChanges {
    if master == nil || occurrence.recurrenceID != nil { return removing(membersAtPlace) }
    guard let place else { return removingAll }
    return removing(
      members.filter {
        $0.event.identity.recurrenceID?.isSameStart(as: place, viewer: viewer) ?? true
      })
  }

  private func removing(_ members: [Member]) -> ComponentChanges {
    ComponentChanges(
      replaced: Dictionary(members.map { ($0.id, []) }, uniquingKeysWith: { $1 }))
  }

  /// Marks a task as completed; in a series, only this occurrence.
  package func complete() throws(WritingError) -> ComponentChanges {
    guard occurrence.event.kind == .task, let single else {
      throw .invalid(because: .notATask)
    }
    if single.event.status == .cancelled {
      throw .invalid(because: .cancelledTask)
    }
    let target = isSeries && override == nil ? try newOverride() : single
    if target.event.status == .completed, target.text.own("COMPLETED").first != nil {
      return ComponentChanges()
    }
    let text = revised(target, CompletedText.edits(stamp), raisesSequence: false)
    if isSeries, override == nil { return ComponentChanges(added: [text]).of(.only) }
    return replacing(target, by: text).of(isSeries ? .only : nil)
  }

  /// Records the answer of an invited person: PARTSTAT in capitals. With `only`, it is for this
  /// occurrence alone, which gets an override.
  package func answer(
    address: String, participation: String, only: Bool = false
  ) throws(WritingError) -> ComponentChanges {
    guard let single = only ? try ownInvitation() : invitation else { return ComponentChanges() }
    let lines = try single.text.own("ATTENDEE").map { (line) throws(WritingError) in
      var attendee = PropertyLine(line.content)
      guard attendee.isAddress(address) else { return line.content }
      attendee["PARTSTAT"] = participation
      attendee["RSVP"] = nil
      return attendee.content
    }
    guard let edit = PropertyEdit("ATTENDEE", lines: lines) else { throw Self.damaged("ATTENDEE") }
    let text = revised(single, [edit], raisesSequence: false)
    if single.id == .new { return ComponentChanges(added: [text]).of(.only) }
    let isOne = single.event.identity.recurrenceID != nil
    return replacing(single, by: text).of(isSeries ? isOne ? .only : .all : nil)
  }

  // MARK: Parts

  func replacing(_ member: Member, by text: [UInt8]) -> ComponentChanges {
    text == member.text.bytes
      ? ComponentChanges() : ComponentChanges(replaced: [member.id: text])
  }

  func revised(
    _ member: Member, _ edits: [PropertyEdit], raisesSequence: Bool
  ) -> [UInt8] {
    keepsVersion
      ? member.text.applying(edits)
      : member.text.revised(
        edits, stamp: stamp, raisesSequence: raisesSequence, hasCopies: hasCopies,
        above: sequenceOfOthers)
  }

  /// A component with the properties of `edit`, as a new revision.
  func edited(
    _ member: Member, _ edit: EventEdit, shift: TimeShift? = nil
  ) throws(WritingError) -> [UInt8] {
    let editor = PropertyEditor(
      member, edit: edit, viewer: viewer, zones: zones, stamp: stamp)
    let text = try editor.text(shift: shift ?? self.shift(edit, of: member))
    return ComponentText(text).revised(
      from: member.text, stamp: stamp, hasCopies: hasCopies, above: sequenceOfOthers)
  }

  /// The shift of the component itself.
  private func shift(_ edit: EventEdit, of member: Member) -> TimeShift? {
    guard let start = member.event.start else { return nil }
    return TimeShift(
      from: start, to: PropertyEditor.start(edit, replacing: start, viewer: viewer), viewer: viewer,
      isWithoutZone: member.text.startIsWithoutZone)
  }

  /// An override with the same content as the series has for this occurrence.
  func newOverride() throws(WritingError) -> Member {
    guard let master, let start = master.event.start, let recurrenceID = occurrence.recurrenceID
    else { throw .invalid(because: .missingSeries) }
    if isInRange { throw Self.hasRange }
    let placed = recurrenceID.converted(like: start, viewer: viewer)
    let shift = TimeShift(from: start, to: placed, viewer: viewer)
    var event = master.event
    event.recurrence = nil
    event.identity.recurrenceID = placed
    var edit = EventEdit()
    let length = period(at: placed, of: master)
    if let length { edit.length = .length(length) }
    let editor = PropertyEditor(
      master, edit: edit, viewer: viewer, zones: zones, stamp: stamp)
    var edits = try editor.times(shift: shift, movesRule: false)
    edits += OverrideText.marks(placed, of: master.text, start: start)
    let text = master.text.applying(edits)
    event.start = placed
    event.extent = editor.extent(movedBy: shift)
    event.due = editor.due(movedBy: shift)
    if let length {
      let end = EventTime.utc(occurrence.finish.utc)
      let like = if case .end(let end) = master.event.extent { end } else { placed }
      event.extent =
        ComponentText(text).own("DURATION").isEmpty
        ? .end(end.converted(like: like, viewer: viewer)) : .duration(length)
    }
    return Member(id: .new, event: event, text: text)
  }

  /// The length of an RDATE that states it (RFC 5545 3.8.5.2).
  func period(at place: EventTime, of master: Member) -> EventDuration? {
    let dates = master.event.recurrence?.dates ?? []
    let isPeriod = dates.contains {
      $0.extent != nil && $0.start.isSameStart(as: place, viewer: viewer)
    }
    guard isPeriod else { return nil }
    if let days = occurrence.allDay {
      return EventDuration(days: days.lowerBound.days(until: days.upperBound), seconds: 0)
    }
    let seconds = occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch
    return EventDuration(days: 0, seconds: seconds)
  }

  /// EXDATE with one more date.
  private func exclusion(
    of recurrenceID: EventTime, in master: Member
  ) throws(WritingError) -> PropertyEdit {
    guard let start = master.event.start else {
      throw .invalid(because: .noOccurrences)
    }
    let line = TimeLine.line(
      "EXDATE", recurrenceID.converted(like: start, viewer: viewer),
      replacing: master.text.startLine, at: start)
    let lines = master.text.own("EXDATE").map(\.content) + [line.content]
    guard let edit = PropertyEdit("EXDATE", lines: lines) else { throw Self.damaged("EXDATE") }
    return edit
  }

  static func damaged(_ property: String) -> WritingError {
    .damaged(property: property)
  }

  /// The overrides of this occurrence and of later ones.
  func overrides(from recurrenceID: EventTime) -> [Member] {
    let first = recurrenceID.instant(for: viewer)
    return members.filter {
      $0.event.identity.recurrenceID.map { $0.instant(for: viewer) >= first } ?? false
    }
  }
}

/// The changes to the components of a file.
package struct ComponentChanges {
  /// The new text by component; an empty one removes it.
  package var replaced: [SeriesEditor.Member.ID: [UInt8]] = [:]
  /// New components of the same UID.
  package var added: [[UInt8]] = []
  /// Components of a new UID, with that UID.
  package var newSeries: [[UInt8]] = []
  package var newUID: String?
  /// Whether a new series begins at another time than the old one would have had there.
  var movesNewSeries = false
  /// The RECURRENCE-ID of the edited occurrence after the change, if it moves with its series.
  var place: EventTime?
  /// The number of overrides that are removed because a new rule lacks their dates.
  var droppedOverrides = 0
  /// Which occurrences of a series the changes are for; `nil` for an event that is none.
  private(set) var scope: SeriesScope?

  func of(_ scope: SeriesScope?) -> ComponentChanges {
    var changes = self
    changes.scope = scope
    return changes
  }

  package var isEmpty: Bool { replaced.isEmpty && added.isEmpty && newSeries.isEmpty }

  /// The texts of an event after the changes.
  func texts(of members: [SeriesEditor.Member]) -> Set<[UInt8]> {
    Set(
      (members.map { replaced[$0.id] ?? $0.text.bytes } + added + newSeries).map(\.withoutLineEnd))
  }

  func removesAll(of members: [SeriesEditor.Member]) -> Bool {
    added.isEmpty && newSeries.isEmpty
      && members.allSatisfy { replaced[$0.id]?.isEmpty == true }
  }

  /// Whether older versions of an override would be shown after the changes: it is removed, or moves
  /// with its series to another date.
  func uncoversOlderVersions(of member: SeriesEditor.Member) -> Bool {
    guard member.event.identity.recurrenceID != nil, let text = replaced[member.id] else {
      return false
    }
    func place(_ text: ComponentText) -> [[UInt8]] { text.own("RECURRENCE-ID").map(\.content) }
    return place(ComponentText(text)) != place(member.text)
  }

  /// These changes, and the texts of members that differ from their file. A written file contains what
  /// messages changed, because an edit can raise the SEQUENCE, and then messages about earlier versions
  /// no longer apply.
  func writingOwnTexts(about members: [SeriesEditor.Member]) -> ComponentChanges {
    guard !isEmpty else { return self }
    var changes = self
    for member in members where member.differsFromFile {
      let text = replaced[member.id] ?? member.text.bytes
      if member.isInFile {
        changes.replaced[member.id] = text
      } else {
        changes.replaced[member.id] = nil
        if !text.isEmpty { changes.added.append(text) }
      }
    }
    return changes
  }

  /// These changes, where all components have a UID. agenda makes one for an event without a UID, but
  /// other programs need it in the text to know which series an override belongs to.
  func namingComponents(of members: [SeriesEditor.Member]) -> ComponentChanges {
    guard !isEmpty, let uid = members.first?.event.identity.uid else { return self }
    var changes = self
    for member in members where member.isInFile && !member.text.hasUID {
      let text = ComponentText(replaced[member.id] ?? member.text.bytes)
      if !text.bytes.isEmpty { changes.replaced[member.id] = text.named(uid) }
    }
    changes.added = added.map { ComponentText($0).named(uid) }
    return changes
  }
}

extension [SeriesEditor.Member] {
  /// The newest version; of equal ones, the last.
  fileprivate var newest: SeriesEditor.Member? {
    reversed().max { $0.event.version < $1.event.version }
  }

  /// The members as an agenda shows them together.
  var onClocksOfSeries: [SeriesEditor.Member] {
    zip(self, map(\.event).onClocksOfSeries).map { member, event in
      SeriesEditor.Member(
        id: member.id, event: event, text: member.text.bytes,
        differsFromFile: member.differsFromFile
      ).withoutUnusedRecurrenceID
    }
  }
}

extension ComponentText {
  fileprivate var hasUID: Bool {
    own("UID").contains { !PropertyLine($0.content).value.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
  }

  /// The text with this UID, if it has none.
  fileprivate func named(_ uid: String) -> [UInt8] {
    hasUID ? bytes : applying([PropertyEdit("UID", text: uid)].compactMap(\.self))
  }
}

extension EventEdit {
  /// If a task begins when it is due, its start follows the new due date.
  fileprivate func movingStart(of task: Event) -> EventEdit {
    guard task.kind == .task, setsDue, start == nil, startShift == nil, task.start != nil,
      task.start == task.due
    else { return self }
    var edit = self
    (edit.start, edit.startShift) = (due, dueShift)
    (edit.due, edit.dueShift) = (nil, nil)
    return edit
  }

  /// A task that is due at a time begins at a time too (RFC 5545 3.8.2.3): a date becomes the
  /// beginning of that day. `task` is the edited one; `nil` if it is new.
  func givingStartATime(in task: Event? = nil) -> EventEdit {
    guard let due, !due.isDate else { return self }
    var edit = self
    switch start {
    case .date(let date) where task?.start?.isDate ?? true:
      edit.start = .time(CivilDateTime(date, .midnight))
    case nil:
      guard let task, task.kind == .task, case .date(let date) = task.start else { return self }
      edit.start = .clock(.midnight, on: date)
    case .date, .time, .clock: break
    }
    return edit
  }
}

extension EventEdit.When {
  fileprivate var isDate: Bool { if case .date = self { true } else { false } }
}
