internal import CivilTime
internal import Recurrence

/// Combines the components of calendars to series, by calendar, kind and UID, whatever sources they
/// come from. `ComponentVersions` decides which versions count.
///
/// - Different events that share a UID are all kept, with a warning.
/// - An override without its master is a single event, or a series if it has a rule.
/// - An override is not shown if a newer version of its series has removed the occurrence.
package struct SeriesAssembly: Sendable {
  /// In the order in which they first appear.
  package private(set) var series: [Series] = []
  package var findings: [Finding] { problems.map(\.finding) }
  /// The findings, each with its events.
  package private(set) var problems: [(finding: Finding, events: [EventReference])] = []
  /// The remaining number of checks of rules, to decide which series has an override.
  private var remainingLooks = OverrideOwners.mostLooks
  /// The versions that a later one, or an exact duplicate, replaces.
  package private(set) var superseded: Set<EventReference> = []

  private struct Key: Hashable {
    let kind: Event.Kind
    let calendar: String
    let uid: String
  }

  /// What an override replaces.
  private struct Replaced: Hashable {
    let place: OccurrencePlaces.Place
    /// Whether it also changes the occurrences that follow. Another override can change the first of
    /// them separately.
    let includesFollowing: Bool
  }

  private struct TitledStart: Hashable {
    let start: ComparedStart?
    let title: String

    init(_ event: Event) {
      start = event.start.map(ComparedStart.init)
      title = event.title
    }
  }

  /// `content` is called only for components with equal versions, or with the same UID, start and
  /// title.
  package init<Failure: Error>(
    _ events: [Event], content: (Event) throws(Failure) -> EventContent
  ) throws(Failure) {
    var groupOfKey: [Key: Int] = [:]
    groupOfKey.reserveCapacity(events.count)
    // Nearly all components have a separate UID, so a list is made only for a repeated one.
    var first: [Int] = []
    first.reserveCapacity(events.count)
    var others: [Int: [Int]] = [:]
    for (index, event) in events.enumerated() {
      let key = Key(
        kind: event.kind, calendar: event.calendar, uid: event.identity.uid)
      if let group = groupOfKey[key] {
        others[group, default: []].append(index)
      } else {
        groupOfKey[key] = first.count
        first.append(index)
      }
    }
    series.reserveCapacity(first.count)
    for (group, index) in first.enumerated() {
      if let more = others[group] {
        try assemble([index] + more, of: events, content)
      } else {
        series.append(Series(events[index]))
      }
    }
  }

  private mutating func assemble<Failure: Error>(
    _ group: [Int], of events: [Event], _ read: (Event) throws(Failure) -> EventContent
  ) throws(Failure) {
    var contents: [Int: EventContent] = [:]
    func content(_ index: Int) throws(Failure) -> EventContent {
      if let known = contents[index] { return known }
      let content = try read(events[index])
      contents[index] = content
      return content
    }
    let versions = group.filter { events[$0].identity.recurrenceID == nil }
    var masters = try currentMasters(versions, of: events, content)
    try noteReplacedEvents(versions, by: masters, of: events, content)
    var overrides = group.filter { events[$0].identity.recurrenceID != nil }
    if masters.isEmpty, overrides.contains(where: { events[$0].repeats }) {
      overrides = try currentOverrides(overrides, of: events, content, Self.placesWithoutSeries)
      masters = overrides.filter { events[$0].repeats }
      overrides.removeAll { events[$0].repeats }
    }
    if masters.count > 1, let index = masters.first {
      problems.append(
        (
          Self.finding(sharedBy: events[index], count: masters.count),
          masters.map { events[$0].reference }
        ))
    }
    let countOfStart = Dictionary(grouping: masters) {
      events[$0].start.map(ComparedStart.init)
    }.mapValues(\.count)
    let countOfTitle =
      masters.count > countOfStart.count
      ? Dictionary(grouping: masters) { TitledStart(events[$0]) }.mapValues(\.count) : [:]
    var owned = masters
    if masters.count > countOfStart.count, !overrides.isEmpty {
      // The choice of the series for an override must not depend on the order of imports.
      var ordered: [(content: EventContent, index: Int)] = []
      for index in masters { ordered.append((try content(index), index)) }
      owned = ordered.sorted { $0 < $1 }.map(\.index)
    }
    var overridesOfMaster: [Int: [Int]] = [:]
    var orphans: [Int] = []
    let owners = OverrideOwners(owned, of: events)
    for override in overrides {
      if let master = owners.owner(of: events[override], looks: &remainingLooks) {
        overridesOfMaster[master, default: []].append(override)
      } else {
        orphans.append(override)
      }
    }
    for index in masters {
      var master = events[index]
      master.sharesUID = masters.count > 1
      master.sharesStart = countOfStart[master.start.map(ComparedStart.init), default: 1] > 1
      if master.sharesStart, countOfTitle[TitledStart(master), default: 1] > 1 {
        master.sharedTitleContent = UInt32(truncatingIfNeeded: try content(index).lasting)
      }
      guard let own = overridesOfMaster[index], let start = master.start else {
        series.append(Series(master))
        continue
      }
      let places = OccurrencePlaces(of: master, start: start)
      func place(_ override: Event, _ looks: inout Int) -> OccurrencePlaces.Place {
        places.place(of: override.identity.recurrenceID ?? start, looks: &looks)
      }
      var kept = try currentOverrides(own, of: events, content) { override, looks in
        Replaced(
          place: place(override, &looks),
          includesFollowing: override.identity.includesFollowing)
      }
      let ranges = kept.filter { events[$0].identity.includesFollowing }
      if !ranges.isEmpty, kept.count > 1 {
        var sequences: [OccurrencePlaces.Place: Int] = [:]
        for index in ranges {
          sequences[place(events[index], &remainingLooks)] = events[index].version.sequence
        }
        let outdated = kept.indices.filter { position in
          let override = events[kept[position]]
          let newest = sequences[place(override, &remainingLooks)]
          return override.version.sequence < newest ?? .min
        }
        kept = remove(outdated, from: kept, of: events)
      }
      let removed = RemovedOccurrences(of: master, start: start)
      var replacing: [Event] = []
      for index in kept {
        var override = events[index]
        if override.version.sequence < master.version.sequence,
          let recurrenceID = override.identity.recurrenceID,
          removed.contains(recurrenceID, looks: &remainingLooks)
        {
          problems.append((Self.finding(stale: override), [override.reference]))
          continue
        }
        if missesOccurrence(override, of: master, start: start) {
          problems.append((Self.finding(missing: override), [override.reference]))
        }
        // The master has the rule.
        override.recurrence = nil
        override.sharesUID = master.sharesUID
        override.sharesStart = master.sharesStart
        override.sharedTitleContent = master.sharedTitleContent
        replacing.append(override)
      }
      series.append(Series(master, overrides: replacing))
    }
    let single = try currentOverrides(orphans, of: events, content, Self.placesWithoutSeries)
    for orphan in single { series.append(Series(events[orphan])) }
  }

  /// A finding about different events with one UID.
  package static func finding(
    sharedBy event: Event, count: Int, lines: [Int] = []
  ) -> Finding {
    finding(sharedBy: event, count: count, .lines(listed(lines)), line: lines.first)
  }

  /// The same for events of several files; `places` are their files and lines.
  package static func finding(
    sharedBy event: Event, places: [String]
  ) -> Finding {
    finding(sharedBy: event, count: places.count, .files(listed(places)))
  }

  private static func finding(
    sharedBy event: Event, count: Int, _ positions: Finding.Positions, line: Int? = nil
  ) -> Finding {
    Finding(
      .warning, .sharedUID(count: count, positions), line: line, component: event.kind.component,
      uid: event.identity.uid, property: "UID")
  }

  private static func listed<Position>(_ positions: [Position]) -> [Position] {
    Array(positions.prefix(Finding.Positions.most))
  }

  private mutating func noteReplacedEvents<Failure: Error>(
    _ versions: [Int], by masters: [Int], of events: [Event],
    _ content: (Int) throws(Failure) -> EventContent
  ) throws(Failure) {
    guard versions.count > masters.count else { return }
    let candidates = versions.map {
      Self.candidate(events[$0], at: $0, events[$0].start.map(ComparedStart.init))
    }
    let replacement = try ComponentVersions.replacement(among: candidates) {
      position throws(Failure) in try content(versions[position])
    }
    guard let replacement else { return }
    problems.append(
      (
        Self.finding(replacement, by: events[versions[replacement.newer]]),
        ([replacement.newer] + replacement.replaced).map { events[versions[$0]].reference }
      ))
  }

  /// A finding about an event that replaces several different events with its UID, which are on
  /// `lines`.
  package static func finding(
    _ replacement: ComponentVersions.Replacement, by event: Event, line: Int? = nil,
    lines: [Int] = []
  ) -> Finding {
    Finding(
      .warning,
      .replacedEvents(
        count: replacement.replaced.count, byStamp: replacement.isByStamp,
        .lines(listed(lines))),
      line: line, component: event.kind.component, uid: event.identity.uid,
      property: replacement.isByStamp ? "DTSTAMP" : "SEQUENCE")
  }

  /// A finding about events of several files, with the files and lines of these events. The first
  /// place is that of `event`.
  package static func finding(
    _ finding: Finding, about event: Event, places: [String]
  ) -> Finding {
    switch finding.kind {
    case .sharedUID: return self.finding(sharedBy: event, places: places)
    case .replacedEvents(let count, let byStamp, _):
      var finding = finding
      finding.kind = .replacedEvents(
        count: count, byStamp: byStamp, .files(listed(Array(places.dropFirst()))))
      return finding
    default: return finding
    }
  }

  /// Whether the RECURRENCE-ID is the midnight before the only occurrence of its date, as some
  /// programs write it. Such an override replaces nothing.
  private mutating func missesOccurrence(
    _ override: Event, of master: Event, start: EventTime
  ) -> Bool {
    guard let moment = override.identity.recurrenceID, !moment.isDate, !start.isDate,
      moment.zone != .utc, moment.civil.time == .midnight, start.civil.time != .midnight,
      remainingLooks > 0
    else { return false }
    remainingLooks -= master.costOfLook
    return !master.hasOccurrence(at: moment)
      && master.hasOccurrence(at: .date(moment.civil.date))
  }

  private static func finding(missing override: Event) -> Finding {
    warning(of: override, .overrideAtMidnight)
  }

  private static func finding(stale override: Event) -> Finding {
    warning(of: override, .staleOverride)
  }

  private static func warning(of override: Event, _ kind: Finding.Kind) -> Finding {
    Finding(
      .warning, kind, component: override.kind.component, uid: override.identity.uid,
      property: "RECURRENCE-ID")
  }

  private mutating func currentMasters<Failure: Error>(
    _ masters: [Int], of events: [Event], _ content: (Int) throws(Failure) -> EventContent
  ) throws(Failure) -> [Int] {
    let outdated = try ComponentVersions.supersededMasters(
      masters.map { index in
        Self.candidate(events[index], at: index, events[index].start.map(ComparedStart.init))
      }
    ) { position throws(Failure) in try content(masters[position]) }
    return remove(outdated, from: masters, of: events)
  }

  /// `place` gets the remaining number of checks of rules.
  private mutating func currentOverrides<Place: Hashable, Failure: Error>(
    _ overrides: [Int], of events: [Event], _ content: (Int) throws(Failure) -> EventContent,
    _ place: (Event, inout Int) -> Place
  ) throws(Failure) -> [Int] {
    // Nearly all series have at most one.
    guard overrides.count > 1 else { return overrides }
    let candidates = overrides.map { index in
      Self.candidate(events[index], at: index, place(events[index], &remainingLooks))
    }
    let outdated = try ComponentVersions.supersededOverrides(candidates) {
      position throws(Failure) in try content(overrides[position])
    }
    return remove(outdated, from: overrides, of: events)
  }

  private static func placesWithoutSeries(
    _ override: Event, looks: inout Int
  ) -> OccurrencePlaces.Place? {
    override.identity.recurrenceID.map { .withoutSeries(ComparedStart($0)) }
  }

  private static func candidate<Place>(
    _ event: Event, at index: Int, _ place: Place
  ) -> ComponentVersions.Candidate<Place> {
    ComponentVersions.Candidate(
      place: place, version: event.version, source: event.reference.source, order: index)
  }

  private mutating func remove(
    _ outdated: [Int], from indices: [Int], of events: [Event]
  ) -> [Int] {
    if outdated.isEmpty { return indices }
    superseded.formUnion(outdated.map { events[indices[$0]].reference })
    let outdated = Set(outdated)
    return indices.indices.filter { !outdated.contains($0) }.map { indices[$0] }
  }
}
