package import AgendaCore
package import CivilTime
internal import ICalendar
internal import Recurrence

extension Store {
  /// The difference between the store at that moment and the present store. An event that was added
  /// and removed again is not listed, nor are invisible differences such as a SEQUENCE. Without a
  /// moment, the changes of the last import. The result is sorted by calendar, time and title.
  /// Floating times and dates are those of `viewer`.
  package func changes(
    since moment: Instant?, viewer: Zone = .utc
  ) throws(StoreError) -> [Change] {
    try connection.reading { () throws(StoreError) in
      guard let first = try firstGeneration(since: moment) else { return [] }
      return try changes(from: first, viewer: viewer)
    }
  }

  /// The difference that the imports from a generation on made, in the same way.
  package func changes(
    from first: Int, viewer: Zone
  ) throws(StoreError) -> [Change] {
    try changes(of: StoreCommand(firstGeneration: first, end: .max), viewer: viewer)
  }

  /// The changes of one command, without those of later commands.
  package func changes(of command: StoreCommand, viewer: Zone) throws(StoreError) -> [Change] {
    let (first, end) = (command.firstGeneration, command.end)
    return try connection.reading { () throws(StoreError) in
      var rows = ChangedRows(
        removed: try changedRows(
          "component.removed >= ?1 AND component.removed < ?2 AND component.added < ?1", first,
          end),
        written: try changedRows(
          """
          component.id >= ?1 AND component.id < ?2
          AND (component.removed IS NULL OR component.removed >= ?3)
          """, try firstComponent(of: first), try firstComponent(of: end), end))
      var series: [SourceUID: [SeriesTimes]] = [:]
      for change in try resolveVersions(in: &rows, of: command) {
        let times = change.after.filter { $0.identity.recurrenceID == nil }.compactMap {
          SeriesTimes($0, viewer: viewer)
        }
        for source in change.sources {
          series[SourceUID(source: source, uid: change.uid)] = times
        }
      }
      var (removed, written) = (rows.removed, rows.written)
      let split = rows.splitSeries(viewer: viewer)
      for split in split { written[split.new] = nil }
      var changes = wholeSeries(.removed, &removed, unlessIn: written)
      changes += wholeSeries(.added, &written, unlessIn: removed)
      for split in split {
        if let change = try difference(split.before, split.after, viewer) { changes.append(change) }
      }
      for moved in movedOverrides(removed, written, split) {
        guard let before = removed.removeValue(forKey: moved.from)?.first,
          let after = written.removeValue(forKey: moved.to)?.first
        else { continue }
        if let change = try difference(before, after, viewer) { changes.append(change) }
      }
      for (key, events) in written {
        var old = removed.removeValue(forKey: key) ?? []
        for event in events {
          // If several have the same identity, the one with the same start comes first.
          let index = old.firstIndex { $0.start == event.start } ?? old.indices.first
          let before = index.map { old.remove(at: $0) }
          if let change = try change(from: before, to: event, viewer, &series) {
            changes.append(change)
          }
        }
        if !old.isEmpty { removed[key] = old }
      }
      for event in removed.values.flatMap({ $0 }) {
        if let change = try change(without: event, viewer, &series) { changes.append(change) }
      }
      return sorted(withoutExclusions(ofRemovedIn: changes, viewer))
    }
  }

  /// If an occurrence with an override is removed, its series gets an EXDATE. That is the same change,
  /// so only the removal is listed.
  private func withoutExclusions(ofRemovedIn changes: [Change], _ viewer: Zone) -> [Change] {
    struct Place: Hashable {
      var source: Int
      var uid: String
      var moment: Instant
    }
    func place(_ event: Event, _ time: EventTime) -> Place {
      Place(
        source: event.reference.source, uid: event.identity.uid, moment: time.instant(for: viewer))
    }
    let removed = Set(
      changes.compactMap { change in
        guard change.kind == .removed, let event = change.before else { return Place?.none }
        return event.identity.recurrenceID.map { place(event, $0) }
      })
    if removed.isEmpty { return changes }
    return changes.compactMap { change in
      var change = change
      guard let series = change.after, !change.excluded.isEmpty else { return change }
      change.excluded.removeAll { removed.contains(place(series, $0)) }
      if change.excluded.isEmpty, change.restored.isEmpty {
        change.properties.removeAll { $0 == "EXDATE" }
      }
      return change.kind == .changed && change.properties.isEmpty ? nil : change
    }
  }

  /// The first of the generations that are listed.
  func firstGeneration(since moment: Instant?) throws(StoreError) -> Int? {
    guard let moment else {
      return try connection.integer(
        "SELECT min(id) FROM generation WHERE run = (SELECT next_run - 1 FROM store)")
    }
    return try connection.integer(
      "SELECT min(id) FROM generation WHERE moment >= ?1", moment.secondsSinceEpoch)
  }

  /// Removes each series from `events` whose master is in `events` and not in `others`, with its
  /// overrides. It was added or removed as a whole.
  private func wholeSeries(
    _ kind: Change.Kind, _ events: inout [ChangeKey: [Event]],
    unlessIn others: [ChangeKey: [Event]]
  ) -> [Change] {
    func uid(_ key: ChangeKey) -> SourceUID {
      SourceUID(source: key.source, uid: key.identity.uid)
    }
    let known = Set(others.keys.filter(\.identity.isMaster).map(uid))
    var overrides: [SourceUID: [ChangeKey]] = [:]
    for key in events.keys where !key.identity.isMaster {
      overrides[uid(key), default: []].append(key)
    }
    var changes: [Change] = []
    for (key, masters) in events where key.identity.isMaster && !known.contains(uid(key)) {
      guard let own = overrides[uid(key)] else { continue }
      let first = changes.count
      changes += masters.map { master in
        Change(
          kind: kind, before: kind == .removed ? master : nil,
          after: kind == .added ? master : nil, properties: [])
      }
      for override in own {
        changes[first].overrides += events.removeValue(forKey: override)?.count ?? 0
      }
      events[key] = nil
    }
    return changes
  }

  /// The overrides of series that moved as a whole, or whose rest did: their RECURRENCE-IDs moved
  /// along, and each is still one override.
  private func movedOverrides(
    _ removed: [ChangeKey: [Event]], _ written: [ChangeKey: [Event]], _ split: [SplitSeries]
  ) -> [(from: ChangeKey, to: ChangeKey)] {
    struct Place: Hashable {
      var series: SourceUID
      var recurrenceID: EventTime
    }
    func series(_ key: ChangeKey) -> SourceUID {
      SourceUID(source: key.source, uid: key.identity.uid)
    }
    var targets: [SourceUID: (series: SourceUID, shift: Int)] = [:]
    for (key, masters) in written where key.identity.isMaster && masters.count == 1 {
      guard let old = removed[key], old.count == 1, let before = old[0].start,
        let after = masters[0].start, before.hasSameForm(as: after), before != after
      else { continue }
      targets[series(key)] = (
        series(key), after.civil.civilSeconds &- before.civil.civilSeconds
      )
    }
    for split in split { targets[split.old] = (series(split.new), split.shift) }
    guard !targets.isEmpty else { return [] }
    let moved = Set(targets.values.map(\.series))
    var places: [Place: ChangeKey] = [:]
    for (key, events) in written where events.count == 1 {
      guard moved.contains(series(key)), let place = events[0].identity.recurrenceID else {
        continue
      }
      places[Place(series: series(key), recurrenceID: place)] = key
    }
    return removed.compactMap { key, events in
      guard events.count == 1, let target = targets[series(key)],
        let place = events[0].identity.recurrenceID,
        let to = places[
          Place(series: target.series, recurrenceID: place.shifted(by: target.shift))]
      else { return nil }
      return (key, to)
    }
  }

  private func changedRows(
    _ condition: String, _ values: Int...
  ) throws(StoreError) -> [ChangeKey: [Event]] {
    let rows = try connection.statement(
      """
      SELECT \(EventReader.columns), calendar.name AS calendar FROM component
      JOIN source ON source.id = component.source JOIN calendar ON calendar.id = source.calendar
      WHERE \(condition)
      """)
    for (index, value) in values.enumerated() { rows.bind(Int32(index + 1), value) }
    let reader = EventReader(rows, context)
    var events: [ChangeKey: [Event]] = [:]
    while try rows.step() {
      let event = try event(reader, calendar: rows.text("calendar"))
      let identity = IdentityKey(event, key: key).ofOccurrence
      events[ChangeKey(source: event.reference.source, identity: identity), default: []]
        .append(event)
    }
    return events
  }

  private func change(
    from before: Event?, to after: Event, _ viewer: Zone,
    _ series: inout [SourceUID: [SeriesTimes]]
  ) throws(StoreError) -> Change? {
    if let before { return try difference(before, after, viewer) }
    guard let replaced = try replacedOccurrence(after, viewer, &series) else {
      return Change(kind: .added, before: nil, after: after, properties: [])
    }
    return try difference(replaced, after, viewer, comparingText: false)
  }

  /// The change of an event that its source no longer contains. Without its override, an occurrence
  /// is as the series defines it, if the series has it.
  private func change(
    without event: Event, _ viewer: Zone, _ series: inout [SourceUID: [SeriesTimes]]
  ) throws(StoreError) -> Change? {
    if let other = try overrideOfSameOccurrence(event) {
      return event.version > other.version ? try difference(event, other, viewer) : nil
    }
    guard let occurrence = try replacedOccurrence(event, viewer, &series) else {
      return Change(kind: .removed, before: event, after: nil, properties: [])
    }
    return try difference(event, occurrence, viewer, comparingText: false)
  }

  /// `nil` if the difference is invisible. The text of a series is not compared with that of one of
  /// its occurrences.
  private func difference(
    _ before: Event, _ after: Event, _ viewer: Zone, comparingText: Bool = true
  ) throws(StoreError) -> Change? {
    var details: Change.DetailsPair?
    if let old = try self.details(component: before.reference.component),
      let new = try self.details(component: after.reference.component)
    {
      details = (old, new)
    }
    var others: [String] = []
    if comparingText, let old = try text(of: before.reference),
      let new = try text(of: after.reference)
    {
      others = Self.properties(ofTextAlone: old, changedIn: new)
    }
    return Change(from: before, to: after, details: details, others: others, viewer: viewer)
  }

  /// The visible properties that the store has only as text; of an attachment, its bytes.
  private static func properties(
    ofTextAlone text: [UInt8], changedIn other: [UInt8]
  ) -> [String] {
    let names: [StaticString] = [
      "ATTACH", "COMMENT", "CONTACT", "IMAGE", "RELATED-TO", "RESOURCES",
    ]
    func lines(_ text: [UInt8]) -> [String: Set<[UInt8]>] {
      var lines: [String: Set<[UInt8]>] = [:]
      var depth = 0
      for line in FileLines(text).lines {
        if line.isProperty("BEGIN") { depth += 1 }
        if line.isProperty("END") { depth -= 1 }
        guard depth == 1, let name = names.first(where: line.isProperty) else { continue }
        lines[name.description, default: []].insert(line)
      }
      return lines
    }
    let (old, new) = (lines(text), lines(other))
    return names.map(\.description).filter { old[$0] != new[$0] }
  }

  /// Another version of the same override that the source still has.
  private func overrideOfSameOccurrence(_ override: Event) throws(StoreError) -> Event? {
    let id = try connection.integer(
      """
      SELECT other.id FROM component JOIN component AS other
        ON other.source = component.source AND other.uid_digest = component.uid_digest
        AND other.recurrence_form = component.recurrence_form
        AND other.recurrence_time = component.recurrence_time
        AND other.recurrence_zone IS component.recurrence_zone
        AND other.includes_following IS component.includes_following AND other.removed IS NULL
      WHERE component.id = ?1
      """, override.reference.component)
    guard let id else { return nil }
    return try event(component: id)
  }

  /// The occurrence that an override replaces, as the series defines it; `nil` if the series does not
  /// have it.
  private func replacedOccurrence(
    _ override: Event, _ viewer: Zone, _ series: inout [SourceUID: [SeriesTimes]]
  ) throws(StoreError) -> Event? {
    guard let recurrenceID = override.identity.recurrenceID else { return nil }
    let uid = SourceUID(
      source: override.reference.source, uid: IdentityKey(override, key: key).uid)
    if series[uid] == nil { series[uid] = try times(of: uid, viewer) }
    for times in series[uid] ?? [] {
      guard let start = times.start(of: recurrenceID) else { continue }
      let ranges = override.identity.includesFollowing ? [] : try self.ranges(of: uid)
      if !ranges.isEmpty,
        var occurrence = times.master.override(at: recurrenceID, among: ranges)
      {
        occurrence.identity = override.identity
        return occurrence
      }
      return times.master.occurrence(override.identity, at: start)
    }
    return nil
  }

  /// The overrides of a UID with RANGE in a source.
  private func ranges(of uid: SourceUID) throws(StoreError) -> [Event] {
    let ids = try connection.integers(
      """
      SELECT id FROM component
      WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL AND includes_following = 1
      """, uid.source, uid.uid)
    var ranges: [Event] = []
    for id in ids {
      if let range = try event(component: id) { ranges.append(range) }
    }
    return ranges
  }

  /// The components of a source with a UID and without a RECURRENCE-ID.
  private func times(of uid: SourceUID, _ viewer: Zone) throws(StoreError) -> [SeriesTimes] {
    let ids = try connection.integers(
      """
      SELECT id FROM component
      WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL AND recurrence_form IS NULL
      """, uid.source, uid.uid)
    var series: [SeriesTimes] = []
    for id in ids {
      if let master = try event(component: id), let times = SeriesTimes(master, viewer: viewer) {
        series.append(times)
      }
    }
    return series
  }

  private func sorted(_ changes: [Change]) -> [Change] {
    func order(_ change: Change) -> (String, Int, String, String) {
      let event = change.after ?? change.before
      return (
        event?.calendar ?? "", event?.start?.instant(for: .utc).secondsSinceEpoch ?? .max,
        event?.title ?? "", event?.identity.uid ?? ""
      )
    }
    // Indices are sorted faster than changes, which are large.
    let orders = changes.map(order)
    return changes.indices.sorted { orders[$0] < orders[$1] }.map { changes[$0] }
  }
}
