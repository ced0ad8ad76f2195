package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import Recurrence

/// Changes to events whose source agenda cannot write. The store keeps them as adjustments, and
/// every import of the source applies them again.
extension EventWriter {
  /// Removes an event. If agenda cannot write its source, hides the event.
  package func remove(_ occurrence: Occurrence, _ scope: SeriesScope?) throws -> WriteResult {
    guard try isForeign(occurrence) else {
      return try change(occurrence, .removed) { editor in try editor.remove(scope) }
    }
    let origin = try store.origin(of: occurrence.event.reference)
    var result = try adjust(occurrence) { editor in
      (.hidden(editor.isSeries ? scope ?? .all : .all), try editor.remove(scope))
    }
    result.unchangedSource = origin?.place(inStore: store.path).source
    return result
  }

  func isForeign(_ occurrence: Occurrence) throws -> Bool {
    switch try store.origin(of: occurrence.event.reference)?.kind {
    case .file, .url, .standardInput: true
    case .folder, .local, nil: false
    }
  }

  func adjust(
    _ occurrence: Occurrence,
    _ make: (SeriesEditor) throws -> (Adjustment.Change, ComponentChanges)
  ) throws -> WriteResult {
    let event = occurrence.event
    let stored = try store.siblings(of: event.reference)
    // With the definitions of the source, so that the times stay in the same zones.
    let text = try calendar(
      of: stored, definedBy: store.calendarObject(of: event.reference)?.parts ?? [])
    let all = text.members(uid: event.identity.uid, kind: event.kind)
    let chosen = try chosen(occurrence)
    let members = all.members(of: chosen)
    var editor = editor(members, occurrence)
    editor.keepsVersion = members.count < all.count
    let (change, changes) = try make(editor)
    if changes.isEmpty { return WriteResult() }
    let new = try text.applying(
      changes, of: members, zones: NewDefinitions(zones: options.zones))
    let file = try new.map { try CalendarText($0, reader: reader(event.calendar), name: "").file }
    var result = WriteResult()
    result.events = file?.allEvents ?? []
    if changes.removesAll(of: members) { result.copies = try copies(of: occurrence) }
    result.files = [
      WriteResult.File(
        name: event.calendar, old: stored.flatMap(\.text), new: Self.components(of: new ?? []))
    ]
    if options.isDryRun { return result }
    try store.adjust(
      Adjustment(
        kind: event.kind, uid: event.identity.uid,
        event: members.count < all.count ? chosen : nil,
        recurrence: occurrence.recurrenceID.map(SourceAdjuster.text), change: change),
      file?.records(key: store.key).map(\.record) ?? [], of: event.reference,
      run: store.nextRun(), now: options.now)
    return result
  }
}

/// Applies adjustments to a source before it is imported.
struct SourceAdjuster {
  let adjustments: [Adjustment]
  let reader: CalendarReader
  let zones: ZoneDatabase
  let now: Instant

  /// The source with its adjustments, and the number of its events and tasks that they hide. An
  /// adjustment whose event no longer exists has no effect.
  func applied(to file: CalendarFile) throws -> (file: CalendarFile, hidden: Int)? {
    guard !adjustments.isEmpty else { return nil }
    var source = file.decodedSource
    var reader = reader
    reader.options.encoding = nil
    var current = file
    var isChanged = false
    for adjustment in adjustments {
      let text = try CalendarText(Array(source.bytes), reader: reader, name: file.name)
      let all = text.members(uid: adjustment.uid, kind: adjustment.kind)
      let members = adjustment.event.map(all.members) ?? all
      guard let changes = changes(adjustment, members), !changes.isEmpty else { continue }
      let bytes = try text.splicing(changes, of: members, zones: NewDefinitions(zones: zones))
      source = SourceBytes(bytes)
      current = try reader.read(source, name: file.name)
      isChanged = true
    }
    guard isChanged else { return nil }
    return (current, max(0, file.componentCount - current.componentCount))
  }

  private func changes(
    _ adjustment: Adjustment, _ members: [SeriesEditor.Member]
  ) -> ComponentChanges? {
    guard
      let event = (members.first { $0.event.identity.recurrenceID == nil } ?? members.first)?.event
    else { return nil }
    let place = adjustment.recurrence.flatMap { TimeLine.time($0, zone: nil) }
    let start = place ?? event.start ?? .utc(now.utc)
    let moment = start.instant(for: .utc)
    let occurrence = Occurrence(
      event: event, start: start, begin: moment, finish: moment, allDay: nil, recurrenceID: place)
    var editor = SeriesEditor(
      members: members, occurrence: occurrence, viewer: .utc, now: now, zones: zones)
    editor.keepsVersion = adjustment.event != nil
    switch adjustment.change {
    case .hidden(let scope): return try? editor.remove(editor.isSeries ? scope : nil)
    case .answered(let address, let participation, _, let sequence):
      // A new version asks everybody again (RFC 5546 2.1.4).
      if let sequence, let version = editor.invitation?.event.version, version.sequence > sequence {
        return nil
      }
      return try? editor.answer(address: address, participation: participation)
    }
  }

  /// A RECURRENCE-ID without a zone. A moment is written in UTC.
  static func text(_ time: EventTime) -> String {
    switch time {
    case .date, .floating, .utc: TimeLine.value(time)
    case .zoned(let civil, let zone): TimeLine.value(.utc(zone.instant(of: civil).utc))
    }
  }
}
