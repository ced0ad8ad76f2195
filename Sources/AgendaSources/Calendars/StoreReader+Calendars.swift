internal import AgendaCore
package import AgendaStore
internal import ICalendar

extension StoreReader {
  /// The calendars by name, their sources by location, without counts.
  package func calendars() throws(StoreError) -> [CalendarSummary] {
    try store.reading { () throws(StoreError) in
      let colors = try store.calendarColors()
      let names = try store.calendarNames()
      var sources: [String: [SourceSummary]] = [:]
      for source in try presentSources() {
        for name in names[source.id] ?? [] {
          sources[name, default: []].append(
            SourceSummary(source, calendar: name, color: colors[name]))
        }
      }
      return sources.sorted { $0.key < $1.key }.map { name, sources in
        CalendarSummary(
          name: name, color: colors[name],
          sources: sources.sorted { $0.source.location < $1.source.location })
      }
    }
  }

  /// The same with the counts of what each calendar shows.
  package func countedCalendars() throws(StoreError) -> [CalendarSummary] {
    try store.reading { () throws(StoreError) in
      var calendars = try calendars()
      let counts = try shownCounts()
      for index in calendars.indices {
        for place in calendars[index].sources.indices {
          let owner = SourceCalendar(
            source: calendars[index].sources[place].number, calendar: calendars[index].name)
          guard let own = counts[owner] else { continue }
          calendars[index].sources[place].events = own[.event]
          calendars[index].sources[place].tasks = own[.task]
          calendars[index].sources[place].journals = own[.journal]
          calendars[index].sources[place].freeBusy = own.freeBusy
          calendars[index].sources[place].hidden = own.hidden
        }
      }
      try addServerStates(to: &calendars)
      return calendars
    }
  }

  /// What waits for servers.
  private func addServerStates(to calendars: inout [CalendarSummary]) throws(StoreError) {
    let rows = try store.serverCalendars()
    guard !rows.isEmpty else { return }
    let waiting = try store.waitingCounts()
    let conflicts = try openConflicts()
    for index in calendars.indices {
      for place in calendars[index].sources.indices {
        let number = calendars[index].sources[place].number
        guard let row = rows[number] else { continue }
        calendars[index].sources[place].isServerWritable = row.isWritable
        calendars[index].sources[place].waiting = waiting[number] ?? 0
        calendars[index].sources[place].conflicts = conflicts.count { $0.source == number }
      }
    }
  }

  /// The sources without a calendar: their messages are about the events of all calendars.
  package func messageSources() throws(StoreError) -> [SourceSummary] {
    try presentSources().filter { $0.source.calendar.isEmpty && $0.source.kind != .decisions }
      .map { SourceSummary($0, calendar: "", color: nil) }
      .sorted { $0.source.location < $1.source.location }
  }

  /// Whether a source was ever imported that has a calendar.
  package func hasHadCalendars() throws(StoreError) -> Bool {
    try store.sources(includingRemoved: true).contains { !$0.source.calendar.isEmpty }
  }

  /// Whether it has messages of which the calendar is not known.
  package func hasMessages() throws(StoreError) -> Bool { try !messageSources().isEmpty }

  /// A source with its counts; `nil` for a location that is not a source.
  package func source(at location: String) throws(StoreError) -> SourceSummary? {
    try store.reading { () throws(StoreError) in
      guard let stored = try store.source(at: location) else { return nil }
      var summary = SourceSummary(
        stored, calendar: stored.source.calendar, color: stored.source.color)
      for (owner, counts) in try shownCounts(ofSources: [stored.id]) where owner.source == stored.id
      {
        summary.events += counts[.event]
        summary.tasks += counts[.task]
        summary.journals += counts[.journal]
        summary.freeBusy += counts.freeBusy
        summary.hidden += counts.hidden
      }
      return summary
    }
  }

  /// A calendar of a source.
  private struct SourceCalendar: Hashable {
    let source: Int
    let calendar: String
  }

  private struct ShownCounts {
    private var entries: [Event.Kind: Int] = [:]
    var freeBusy = 0
    var hidden = 0

    subscript(kind: Event.Kind) -> Int {
      get { entries[kind] ?? 0 }
      set { entries[kind] = newValue }
    }
  }

  /// What each calendar shows of each source, or of some sources. Only the components with a UID that
  /// several have are decoded: all others are shown.
  private func shownCounts(
    ofSources wanted: Set<Int>? = nil
  ) throws(StoreError) -> [SourceCalendar: ShownCounts] {
    var counts: [SourceCalendar: ShownCounts] = [:]
    func owner(_ source: Int, _ calendar: String?) throws(StoreError) -> SourceCalendar {
      if let calendar { return SourceCalendar(source: source, calendar: calendar) }
      let own = try self.source(source)?.source.calendar
      return SourceCalendar(source: source, calendar: own ?? "")
    }
    let hasNamedContexts = try store.hasNamedContexts()
    for row in try store.componentCounts(byCalendar: hasNamedContexts) where !row.kind.isMessage {
      counts[try owner(row.source, row.calendar), default: ShownCounts()][row.kind.eventKind] +=
        row.count
    }
    let excerpt = try excerpt(ofUIDs: try severalUIDs(ofSources: wanted))
    for event in excerpt.events where !excerpt.files.isMessage(event.reference) {
      counts[try owner(event.reference.source, event.calendar), default: ShownCounts()][
        event.kind] -= 1
    }
    for entry in excerpt.entries {
      counts[try owner(entry.source, entry.event.calendar), default: ShownCounts()][
        entry.event.kind] += 1
    }
    try addHidden(excerpt, to: &counts)
    for part in try store.otherParts() where part.bytes.isFreeBusy {
      let name =
        hasNamedContexts ? try store.contexts([part.context])[part.context]?.calendarName : nil
      counts[try owner(part.source, name), default: ShownCounts()].freeBusy += 1
    }
    return counts
  }

  private func severalUIDs(ofSources wanted: Set<Int>?) throws(StoreError) -> [Int] {
    guard let wanted else { return try store.uids(.ofSeveral) }
    var uids: Set<Int> = []
    for (source, several) in try store.uidsBySource(.ofSeveral) where wanted.contains(source) {
      uids.formUnion(several)
    }
    return Array(uids)
  }

  /// Counts the decisions that hide something. An event that its source does not have any more is not
  /// hidden.
  private func addHidden(
    _ excerpt: StoreExcerpt, to counts: inout [SourceCalendar: ShownCounts]
  ) throws(StoreError) {
    let decisions = try presentSources().first { $0.source.kind == .decisions }?.id
    var owners: [EventIdentity: [Event]] = [:]
    for event in excerpt.events where !excerpt.files.isMessage(event.reference) {
      owners[EventIdentity(uid: event.identity.uid), default: []].append(event)
    }
    // A decision that cancels hides, as the user can cancel nothing in such a source.
    for message in excerpt.events
    where message.reference.source == decisions && excerpt.files.isCancellation(message.reference)
      && excerpt.assembly.outcomes[message.reference]?.isEffective == true
    {
      let scope = excerpt.files.file(of: message.reference)?.messageScope
      let hidden = owners[EventIdentity(uid: message.identity.uid)]?.first { event in
        event.kind == message.kind
          && scope?.contains(calendar: event.calendar, ofMessage: message.calendar) == true
      }
      guard let hidden else { continue }
      counts[
        SourceCalendar(source: hidden.reference.source, calendar: hidden.calendar),
        default: ShownCounts()
      ].hidden += 1
    }
  }
}

extension StoreExcerpt {
  /// The events that count, each for a source: all versions that no other one replaces, except for
  /// hidden ones, and those that messages make, which count for the source of their series.
  var entries: [(event: Event, source: Int)] {
    var calendars: [EventReference: String] = [:]
    for event in events where !files.isMessage(event.reference) {
      calendars[event.reference] = event.calendar
    }
    var entries: [(event: Event, source: Int)] = []
    // What a mail adds to a series of another calendar.
    var elsewhere: Set<EventReference> = []
    for series in assembly.series {
      for event in [series.master] + series.overrides
      where calendars[event.reference] != event.calendar {
        elsewhere.insert(event.reference)
        entries.append((event, series.master.reference.source))
      }
    }
    for event in events
    where calendars[event.reference] != nil && !assembly.superseded.contains(event.reference)
      && !assembly.hidden.contains(event.reference) && !elsewhere.contains(event.reference)
    {
      entries.append((event, event.reference.source))
    }
    return entries
  }
}

extension [UInt8] {
  /// Whether it is the text of a VFREEBUSY.
  var isFreeBusy: Bool {
    FileLines(self).lines.first.map {
      String(decoding: $0, as: UTF8.self).trimmed.uppercased() == "BEGIN:VFREEBUSY"
    } ?? false
  }
}
