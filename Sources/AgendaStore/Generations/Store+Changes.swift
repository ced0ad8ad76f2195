internal import AgendaCore
package import CivilTime
internal import Recurrence

extension Store {
  /// What the imports since that moment changed, all together: what came and went again is not
  /// told. Without a moment, what the last import changed. By calendar, time and title.
  package func changes(since moment: Instant?) throws(StoreError) -> [Change] {
    try connection.reading { () throws(StoreError) in
      guard let first = try firstGeneration(since: moment) else { return [] }
      let firstComponent =
        try integers("SELECT first_component FROM generation WHERE id = ?1", first).first ?? .max
      var removed = try changedRows(
        "component.removed >= ?1 AND component.added < ?1", first)
      var written = try changedRows(
        "component.id >= ?1 AND component.removed IS NULL", firstComponent)
      var changes = wholeSeries(.removed, &removed, unlessIn: written)
      changes += wholeSeries(.added, &written, unlessIn: removed)
      for (key, events) in written {
        var old = removed.removeValue(forKey: key) ?? []
        for event in events {
          // Of several with one identity the one that starts at the same time goes first.
          let index = old.firstIndex { $0.start == event.start } ?? old.indices.first
          let before = index.map { old.remove(at: $0) }
          if let change = try change(from: before, to: event) { changes.append(change) }
        }
        if !old.isEmpty { removed[key] = old }
      }
      for event in removed.values.flatMap({ $0 }) {
        changes.append(Change(kind: .removed, before: event, after: nil, properties: []))
      }
      return sorted(changes)
    }
  }

  /// The first of the generations that are told.
  func firstGeneration(since moment: Instant?) throws(StoreError) -> Int? {
    guard let moment else {
      return try connection.integer(
        "SELECT min(id) FROM generation WHERE run = (SELECT next_run - 1 FROM store)")
    }
    let row = try connection.statement("SELECT min(id) FROM generation WHERE moment >= ?1")
    row.bind(1, moment.secondsSinceEpoch)
    defer { row.reset() }
    return try row.step() ? row.integerIfAny(0) : nil
  }

  private struct ChangeKey: Hashable {
    var source: Int
    var identity: IdentityKey
  }

  /// Takes out the series of which `events` has the master and `others` has none, each with its
  /// overrides: they came, or went, as one.
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

  private struct SourceUID: Hashable {
    var source: Int
    var uid: Int
  }

  private func changedRows(
    _ condition: String, _ value: Int
  ) throws(StoreError) -> [ChangeKey: [Event]] {
    let rows = try connection.statement(
      """
      SELECT \(EventColumns.list), calendar.name FROM component
      JOIN source ON source.id = component.source JOIN calendar ON calendar.id = source.calendar
      WHERE \(condition)
      """)
    rows.bind(1, value)
    var events: [ChangeKey: [Event]] = [:]
    while try rows.step() {
      guard
        let event = EventColumns.event(
          rows, calendar: rows.text(EventColumns.count), context: context)
      else {
        let id = rows.integer(0)
        rows.reset()
        throw damaged(id)
      }
      let identity = IdentityKey(event, key: key).ofOccurrence
      events[ChangeKey(source: event.reference.source, identity: identity), default: []]
        .append(event)
    }
    return events
  }

  private func change(from before: Event?, to after: Event) throws(StoreError) -> Change? {
    guard let before else {
      guard let replaced = try replacedOccurrence(after) else {
        return Change(kind: .added, before: nil, after: after, properties: [])
      }
      return change(from: replaced, to: after, properties: replaced.properties(changedIn: after))
    }
    var properties = before.properties(changedIn: after)
    if let old = try details(component: before.reference.component),
      let new = try details(component: after.reference.component)
    {
      properties += old.properties(changedIn: new)
    }
    // The same was written anew, for reasons of the store's own.
    if properties.isEmpty, try isSameText(before, after) { return nil }
    return change(from: before, to: after, properties: properties)
  }

  private func change(from before: Event, to after: Event, properties: [String]) -> Change {
    let isCancelled = after.status == .cancelled && before.status != .cancelled
    let isMoved = properties.contains { Event.propertiesOfTime.contains($0) }
    return Change(
      kind: isCancelled ? .cancelled : isMoved ? .moved : .changed, before: before, after: after,
      properties: properties)
  }

  private func isSameText(_ before: Event, _ after: Event) throws(StoreError) -> Bool {
    try content(component: before.reference.component)
      == content(component: after.reference.component)
  }

  /// The occurrence that a new override takes the place of, as its series had it.
  private func replacedOccurrence(_ override: Event) throws(StoreError) -> Event? {
    guard let recurrenceID = override.identity.recurrenceID else { return nil }
    let row = try connection.statement(
      """
      SELECT id FROM component
      WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL AND recurrence_form IS NULL
      """)
    row.bind(1, override.reference.source)
    row.bind(2, IdentityKey(override, key: key).uid)
    guard try row.step() else { return nil }
    let id = row.integer(0)
    row.reset()
    guard var occurrence = try event(component: id), let start = occurrence.start else {
      return nil
    }
    occurrence.identity = override.identity
    occurrence.recurrence = nil
    occurrence.extent = occurrence.extent.shifted(
      by: recurrenceID.civil.civilSeconds - start.civil.civilSeconds)
    occurrence.start = recurrenceID.isDate == start.isDate ? start.at(recurrenceID) : recurrenceID
    return occurrence
  }

  private func sorted(_ changes: [Change]) -> [Change] {
    func order(_ change: Change) -> (String, Int, String, String) {
      let event = change.after ?? change.before
      return (
        event?.calendar ?? "", event?.start?.instant(for: .utc).secondsSinceEpoch ?? .max,
        event?.title ?? "", event?.identity.uid ?? ""
      )
    }
    return changes.sorted { order($0) < order($1) }
  }
}

extension EventTime {
  /// The same moment as another time, written in this one's zone.
  fileprivate func at(_ other: EventTime) -> EventTime {
    switch (self, other) {
    case (.zoned(_, let zone), .zoned), (.zoned(_, let zone), .utc):
      .zoned(zone.civil(at: other.instant(for: .utc)), zone)
    case (.utc, .zoned): .utc(other.instant(for: .utc).utc)
    default: other
    }
  }

  fileprivate func shifted(by seconds: Int) -> EventTime {
    let moved = CivilDateTime(civilSeconds: civil.civilSeconds &+ seconds) ?? civil
    return switch self {
    case .date: .date(moved.date)
    case .floating: .floating(moved)
    case .zoned(_, let zone): .zoned(moved, zone)
    case .utc: .utc(moved)
    }
  }
}

extension Extent {
  fileprivate func shifted(by seconds: Int) -> Extent {
    if case .end(let time) = self { .end(time.shifted(by: seconds)) } else { self }
  }
}

// MARK: What differs

extension Event {
  fileprivate static let propertiesOfTime = ["DTSTART", "DTEND", "DUE"]

  /// The properties of the component that differ, by name.
  fileprivate func properties(changedIn other: Event) -> [String] {
    var names: [String] = []
    func compare(_ name: String, _ isSame: Bool) {
      if !isSame { names.append(name) }
    }
    compare("DTSTART", start == other.start)
    compare("DTEND", extent == other.extent)
    compare("DUE", due == other.due)
    compare("RRULE", recurrence?.rules ?? [] == other.recurrence?.rules ?? [])
    compare("RDATE", recurrence?.dates ?? [] == other.recurrence?.dates ?? [])
    compare("EXDATE", recurrence?.exceptionDates ?? [] == other.recurrence?.exceptionDates ?? [])
    compare("EXRULE", recurrence?.exceptionRules ?? [] == other.recurrence?.exceptionRules ?? [])
    compare("SUMMARY", title == other.title)
    compare("LOCATION", location == other.location)
    compare("STATUS", status == other.status)
    compare("CATEGORIES", categories == other.categories)
    compare("TRANSP", isTransparent == other.isTransparent)
    compare("COLOR", color == other.color)
    return names
  }
}

extension EventDetails {
  fileprivate func properties(changedIn other: EventDetails) -> [String] {
    var names: [String] = []
    func compare(_ name: String, _ isSame: Bool) {
      if !isSame { names.append(name) }
    }
    compare("DESCRIPTION", description == other.description)
    compare("URL", url == other.url)
    compare("CONFERENCE", conference == other.conference)
    compare("GEO", coordinates == other.coordinates)
    compare("ORGANIZER", organizer == other.organizer)
    compare("ATTENDEE", attendees == other.attendees)
    compare("ATTACH", attachments == other.attachments)
    compare("VALARM", alarms == other.alarms)
    compare("CLASS", classification == other.classification)
    compare("PRIORITY", priority == other.priority)
    compare("PERCENT-COMPLETE", percentComplete == other.percentComplete)
    compare("COMPLETED", completed == other.completed)
    return names
  }
}
