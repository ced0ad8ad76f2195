internal import CivilTime
internal import Recurrence

/// Puts the components of calendars together to series, by calendar, kind and UID, whichever sources
/// they come from. `ComponentVersions` decides which versions count.
///
/// - Different events that share a UID are all kept, with a warning.
/// - An override without its master is a single event, or a series if it has a rule.
/// - An override is not shown if a newer version of its series has removed the occurrence.
public struct SeriesAssembly: Sendable {
  /// In the order in which they first appear.
  public private(set) var series: [Series] = []
  public var findings: [Finding] { problems.map(\.finding) }
  /// The findings, each with the first event that it is about.
  package private(set) var problems: [(finding: Finding, event: EventReference)] = []
  /// Which of the given events a later version or an equal one replaces, by index, in order.
  public private(set) var superseded: [Int] = []

  private struct Key: Hashable {
    let kind: Event.Kind
    let calendar: String
    let uid: String
  }

  /// What an override replaces: a moment, or all of a date where its series is timed.
  private struct Replaced: Hashable {
    let isDay: Bool
    /// A moment in a zone, of a floating series: its local time depends on the zone of the viewer.
    let isMoment: Bool
    let key: Int
  }

  /// `content` identifies what a component says; it is only asked for components whose versions are
  /// equal.
  package init<Failure: Error>(
    _ events: [Event], content: (Event) throws(Failure) -> UInt64
  ) throws(Failure) {
    var groupOfKey: [Key: Int] = [:]
    groupOfKey.reserveCapacity(events.count)
    // Nearly all are alone: only where a UID comes again there is a list.
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
    superseded.sort()
  }

  private mutating func assemble<Failure: Error>(
    _ group: [Int], of events: [Event], _ content: (Event) throws(Failure) -> UInt64
  ) throws(Failure) {
    var masters = try currentMasters(
      group.filter { events[$0].identity.recurrenceID == nil }, of: events, content)
    var overrides = group.filter { events[$0].identity.recurrenceID != nil }
    if masters.isEmpty, overrides.contains(where: { events[$0].repeats }) {
      overrides = try currentOverrides(overrides, of: events, content) { index in
        events[index].identity.recurrenceID
      }
      masters = overrides.filter { events[$0].repeats }
      overrides.removeAll { events[$0].repeats }
    }
    if masters.count > 1, let index = masters.first {
      problems.append(
        (Self.finding(sharedBy: events[index], count: masters.count), events[index].reference))
    }
    let countOfStart = Dictionary(grouping: masters) { events[$0].start }.mapValues(\.count)
    var owned = masters
    if masters.count > countOfStart.count {
      // Which of them gets an override must not depend on the order of imports.
      var contents: [(content: UInt64, index: Int)] = []
      for index in masters { contents.append((try content(events[index]), index)) }
      owned = contents.sorted { $0 < $1 }.map(\.index)
    }
    var overridesOfMaster: [Int: [Int]] = [:]
    var orphans: [Int] = []
    let owners = Owners(owned, of: events)
    for override in overrides {
      if let master = owners.owner(of: events[override]) {
        overridesOfMaster[master, default: []].append(override)
      } else {
        orphans.append(override)
      }
    }
    for index in masters {
      var master = events[index]
      master.sharesUID = masters.count > 1
      master.sharesStart = countOfStart[master.start, default: 1] > 1
      guard let own = overridesOfMaster[index], let start = master.start else {
        series.append(Series(master))
        continue
      }
      let matcher = TimeMatcher(start: start, viewer: .utc)
      let kept = try currentOverrides(own, of: events, content) { index in
        let time = events[index].identity.recurrenceID ?? start
        return Replaced(
          isDay: time.isDate && !matcher.isDate,
          isMoment: start.zone == nil && time.zone != nil && !matcher.isDate,
          key: matcher.key(time))
      }
      let removed = RemovedOccurrences(of: master, start: start)
      var replacing: [Event] = []
      for index in kept {
        var override = events[index]
        if override.version.sequence < master.version.sequence,
          let recurrenceID = override.identity.recurrenceID, removed.contains(recurrenceID)
        {
          problems.append((Self.finding(stale: override), override.reference))
          continue
        }
        // A copy of the master's.
        override.recurrence = nil
        override.sharesUID = master.sharesUID
        override.sharesStart = master.sharesStart
        replacing.append(override)
      }
      series.append(Series(master, overrides: replacing))
    }
    let single = try currentOverrides(orphans, of: events, content) { index in
      events[index].identity.recurrenceID
    }
    for orphan in single { series.append(Series(events[orphan])) }
  }

  /// The finding about different events with one UID.
  package static func finding(
    sharedBy event: Event, count: Int, lines: [Int] = []
  ) -> Finding {
    let listed = lines.prefix(linesInFinding).map(String.init).joined(separator: ", ")
    let more = lines.count > linesInFinding ? ", …" : ""
    return Finding(
      severity: .warning, line: lines.first, component: event.kind.component,
      uid: event.identity.uid, property: "UID",
      message: "\(count) different events have the same UID"
        + (lines.isEmpty ? "" : " (lines \(listed)\(more))"),
      action: "all kept")
  }

  private static let linesInFinding = 10

  private static func finding(stale override: Event) -> Finding {
    Finding(
      severity: .warning, component: override.kind.component, uid: override.identity.uid,
      property: "RECURRENCE-ID",
      message: "a newer version of the series has removed this occurrence",
      action: "override not shown")
  }

  private mutating func currentMasters<Failure: Error>(
    _ masters: [Int], of events: [Event], _ content: (Event) throws(Failure) -> UInt64
  ) throws(Failure) -> [Int] {
    let outdated = try ComponentVersions.supersededMasters(
      masters.map { index in Self.candidate(events[index], at: index, events[index].start) }
    ) { position throws(Failure) in try content(events[masters[position]]) }
    return remove(outdated, from: masters)
  }

  private mutating func currentOverrides<Place: Hashable, Failure: Error>(
    _ overrides: [Int], of events: [Event], _ content: (Event) throws(Failure) -> UInt64,
    place: (Int) -> Place
  ) throws(Failure) -> [Int] {
    let outdated = try ComponentVersions.supersededOverrides(
      overrides.map { index in Self.candidate(events[index], at: index, place(index)) }
    ) { position throws(Failure) in try content(events[overrides[position]]) }
    return remove(outdated, from: overrides)
  }

  private static func candidate<Place>(
    _ event: Event, at index: Int, _ place: Place
  ) -> ComponentVersions.Candidate<Place> {
    ComponentVersions.Candidate(
      place: place, version: event.version, source: event.reference.source, order: index)
  }

  private mutating func remove(_ outdated: [Int], from indices: [Int]) -> [Int] {
    if outdated.isEmpty { return indices }
    superseded += outdated.map { indices[$0] }
    let outdated = Set(outdated)
    return indices.indices.filter { !outdated.contains($0) }.map { indices[$0] }
  }

  /// Which of several masters with one UID an override belongs to: the last recurring one that
  /// begins before what it replaces.
  private struct Owners {
    private let only: Int?
    private let recurring: [(first: Instant, index: Int)]
    private let singles: [Instant: Int]

    /// Of masters that start at the same time, the last one owns.
    init(_ masters: [Int], of events: [Event]) {
      only = masters.count == 1 ? masters.first { events[$0].start != nil } : nil
      var recurring: [(first: Instant, index: Int)] = []
      var singles: [Instant: Int] = [:]
      for index in masters {
        guard let start = events[index].start?.instant(for: .utc) else { continue }
        if !events[index].repeats {
          singles[start] = index
        } else {
          recurring.append((start, index))
        }
      }
      self.recurring = recurring.enumerated().sorted {
        ($0.element.first, $0.offset) < ($1.element.first, $1.offset)
      }.map(\.element)
      self.singles = singles
    }

    func owner(of override: Event) -> Int? {
      if let only { return only }
      guard let moment = override.identity.recurrenceID?.instant(for: .utc) else { return nil }
      if let single = singles[moment] { return single }
      // A date counts from its midnight, before the time at which its series begins.
      let isDay = override.identity.recurrenceID?.isDate == true
      let end = moment.adding(seconds: isDay ? TimeOfDay.secondsPerCivilDay : 0)
      var (low, high) = (0, recurring.count)
      while low < high {
        let middle = (low + high) / 2
        if recurring[middle].first <= end { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? recurring[low - 1].index : recurring.first?.index
    }
  }
}
