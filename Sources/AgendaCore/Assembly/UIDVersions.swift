internal import CivilTime
internal import Recurrence

/// Which of the components count that a calendar has of one kind with one UID, and which override
/// belongs to which series. Messages come later; see `MessageEffects`.
///
/// - Different events that share a UID are all kept, with a warning.
/// - An override without its master is a single event, or a series if it has a rule.
/// - An override is not shown if a newer version of its series has no occurrence there.
/// - An override at a midnight that the series does not have replaces the occurrence of that date, if
///   there is exactly one. Exchange writes such a RECURRENCE-ID.
struct UIDVersions {
  /// A series that the calendar shows.
  struct Draft {
    var master: Event
    /// Each replaces another occurrence, or one and all that follow.
    var overrides: [Event] = []
    /// Whether it is an override whose series is missing.
    var isAlone = false
  }

  private(set) var drafts: [Draft] = []
  private(set) var problems: [(finding: Finding, events: [EventReference])] = []
  private(set) var superseded: [EventReference] = []
  /// The overrides that are not shown because a newer version of their series has no occurrence there.
  private(set) var stale: [EventReference] = []
  /// Decides which series has an occurrence.
  private(set) var owners: OverrideOwners
  /// The positions in `drafts`, by the index of the master.
  private(set) var draftOfMaster: [Int: Int] = [:]

  private let events: [Event]
  /// The indices of the events from this one on are those that METHOD:ADD adds.
  private let firstAdded: Int
  private let reading: any ComponentReading
  private var contents: [Int: EventContent] = [:]

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

  /// `group` has the indices of the components among the events.
  init(
    _ group: [Int], of events: [Event], firstAdded: Int, hasMessages: Bool,
    _ reading: any ComponentReading, _ budget: inout WorkBudget
  ) {
    self.events = events
    self.firstAdded = firstAdded
    self.reading = reading
    owners = OverrideOwners([], of: [])
    let versions = group.filter { events[$0].identity.recurrenceID == nil }
    var masters = currentMasters(versions)
    noteReplacedEvents(versions, by: masters)
    var overrides = group.filter { events[$0].identity.recurrenceID != nil }
    if masters.isEmpty, overrides.contains(where: { events[$0].repeats }) {
      overrides = currentOverrides(overrides.map { ($0, Self.placeWithoutSeries(events[$0])) })
      masters = overrides.filter { events[$0].repeats }
      overrides.removeAll { events[$0].repeats }
    }
    if masters.count > 1, let first = masters.first {
      problems.append(
        (
          .sharedUID(events[first], count: masters.count),
          masters.map { events[$0].reference }
        ))
    }
    let countOfStart = Dictionary(grouping: masters) {
      events[$0].start.map(ComparedStart.init)
    }.mapValues(\.count)
    let countOfTitle =
      masters.count > countOfStart.count
      ? Dictionary(grouping: masters) { TitledStart(events[$0]) }.mapValues(\.count) : [:]
    if !overrides.isEmpty || hasMessages {
      var owned = masters
      if masters.count > countOfStart.count {
        // The choice of the series for an override must not depend on the order of the sources.
        owned = masters.map { (content: content($0), index: $0) }.sorted { $0 < $1 }.map(\.index)
      }
      owners = OverrideOwners(owned, of: events)
    }
    var overridesOfMaster: [Int: [Int]] = [:]
    var orphans: [Int] = []
    for override in overrides {
      if let master = owners.owner(of: events[override], &budget) {
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
        master.sharedTitleContent = UInt32(truncatingIfNeeded: content(index).lasting)
      }
      draftOfMaster[index] = drafts.count
      var draft = Draft(master: master)
      if let own = overridesOfMaster[index], let start = master.start {
        draft.overrides = replacing(own, in: master, from: start, &budget)
      }
      drafts.append(draft)
    }
    let single = currentOverrides(orphans.map { ($0, Self.placeWithoutSeries(events[$0])) })
    drafts += single.map { Draft(master: events[$0].alone, isAlone: true) }
  }

  private mutating func content(_ index: Int) -> EventContent {
    if let known = contents[index] { return known }
    let content = reading.content(of: events[index])
    contents[index] = content
    return content
  }

  // MARK: Overrides of a series

  private mutating func replacing(
    _ own: [Int], in master: Event, from start: EventTime, _ budget: inout WorkBudget
  ) -> [Event] {
    let places = OccurrencePlaces(of: master, start: start)
    /// The overrides as they are read, with what they replace.
    var read: [Int: (event: Event, place: OccurrencePlaces.Place)] = [:]
    var midnights: [Int: OccurrencePlaces.Midnight] = [:]
    for index in own {
      var override = events[index]
      let time = places.onOwnClock(
        override.identity.recurrenceID ?? start, otherZone: override.dayZone, &budget)
      // A cancelled override without DTSTART is at its RECURRENCE-ID.
      let isUnplaced =
        override.status == .cancelled && override.start == override.identity.recurrenceID
      if override.identity.recurrenceID != nil { override.identity.recurrenceID = time }
      // What METHOD:ADD adds is at a time that the series does not have.
      if index < firstAdded, let midnight = places.midnight(time, &budget) {
        midnights[index] = midnight
        if case .occurrence(let named) = midnight { override.identity.recurrenceID = named }
      }
      if isUnplaced { override.start = override.identity.recurrenceID }
      // The master has the rule.
      override.recurrence = nil
      override.calendar = master.calendar
      override.sharesUID = master.sharesUID
      override.sharesStart = master.sharesStart
      override.sharedTitleContent = master.sharedTitleContent
      read[index] = (
        override, places.place(of: override.identity.recurrenceID ?? start, &budget)
      )
    }
    func replaced(_ index: Int) -> Replaced? {
      read[index].map {
        Replaced(place: $0.place, includesFollowing: $0.event.identity.includesFollowing)
      }
    }
    var kept = currentOverrides(own.map { ($0, replaced($0)) })
    let ranges = kept.filter { events[$0].identity.includesFollowing }
    if !ranges.isEmpty, kept.count > 1 {
      var sequences: [OccurrencePlaces.Place: Int] = [:]
      for index in ranges {
        if let place = read[index]?.place { sequences[place] = events[index].version.sequence }
      }
      let outdated = kept.indices.filter { position in
        let index = kept[position]
        let newest = read[index].flatMap { sequences[$0.place] }
        return events[index].version.sequence < newest ?? .min
      }
      kept = remove(outdated, from: kept)
    }
    let removed = RemovedOccurrences(of: master, start: start)
    var replacing: [Event] = []
    for index in kept {
      guard let (override, place) = read[index] else { continue }
      if override.version.sequence < master.version.sequence,
        let time = override.identity.recurrenceID,
        removed.contains(time, &budget)
          || index < firstAdded && lacks(time, at: place, master, &budget)
      {
        note(.staleOverride(override), override, of: master)
        stale.append(override.reference)
        continue
      }
      switch midnights[index] {
      case .occurrence:
        note(.overrideAtMidnight(override, isRead: true), override, of: master)
      case .several:
        note(.overrideAtMidnight(override, isRead: false), override, of: master)
      case nil: break
      }
      replacing.append(override)
    }
    completeCancelled(&replacing, of: master, from: start)
    return replacing
  }

  /// Programs write an override that cancels an occurrence without its SUMMARY or its times. Such
  /// a one is shown as a cancellation by mail.
  private func completeCancelled(
    _ overrides: inout [Event], of master: Event, from start: EventTime
  ) {
    let bare = overrides.indices.filter {
      let (override, moment) = (overrides[$0], overrides[$0].identity.recurrenceID)
      return override.status == .cancelled
        && (override.title.isEmpty || override.start == moment && override.extent == .unstated)
    }
    if bare.isEmpty { return }
    let following = RangeOverrides(Array(overrides.indices), start: start, of: overrides)
    for index in bare {
      let range = overrides[index].identity.recurrenceID.flatMap(following.range)
      let model = range.flatMap { $0 == index ? nil : overrides[$0] } ?? master
      overrides[index].complete(from: model, nil)
    }
  }

  /// The series has the problem too: it may come from another source.
  private mutating func note(_ finding: Finding, _ override: Event, of series: Event) {
    problems.append((finding, [override.reference, series.reference]))
  }

  /// Whether the series has no occurrence at a time: its rule, its COUNT or its time of day changed.
  private func lacks(
    _ time: EventTime, at place: OccurrencePlaces.Place, _ master: Event,
    _ budget: inout WorkBudget
  ) -> Bool {
    // In a floating series, the viewer's zone decides what a moment is.
    if case .moment = place { return false }
    guard budget.spend(master.costOfCheck, on: .ruleChecks) else { return false }
    return !master.hasOccurrence(at: time)
  }

  // MARK: Versions

  private mutating func currentMasters(_ masters: [Int]) -> [Int] {
    guard masters.count > 1 else { return masters }
    let outdated = ComponentVersions.supersededMasters(candidates(masters)) {
      content(masters[$0])
    }
    return remove(outdated, from: masters)
  }

  private func candidates(_ masters: [Int]) -> [ComponentVersions.Candidate<ComparedStart?>] {
    masters.map { candidate($0, events[$0].start.map(ComparedStart.init)) }
  }

  private mutating func noteReplacedEvents(_ versions: [Int], by masters: [Int]) {
    guard versions.count > masters.count else { return }
    let replacement = ComponentVersions.replacement(among: candidates(versions)) {
      content(versions[$0])
    }
    guard let replacement else { return }
    problems.append(
      (
        .replacedEvents(replacement, by: events[versions[replacement.newer]]),
        ([replacement.newer] + replacement.replaced).map { events[versions[$0]].reference }
      ))
  }

  private mutating func currentOverrides<Place: Hashable>(
    _ overrides: [(index: Int, place: Place)]
  ) -> [Int] {
    let indices = overrides.map(\.index)
    // Nearly all series have at most one.
    guard overrides.count > 1 else { return indices }
    let outdated = ComponentVersions.supersededOverrides(
      overrides.map { candidate($0.index, $0.place) },
      fileName: { reading.fileName(of: events[indices[$0]].reference) }
    ) { content(indices[$0]) }
    return remove(outdated, from: indices)
  }

  private static func placeWithoutSeries(_ override: Event) -> OccurrencePlaces.Place? {
    override.recurrenceIDAlone.map { .withoutSeries(ComparedStart($0)) }
  }

  private func candidate<Place>(
    _ index: Int, _ place: Place
  ) -> ComponentVersions.Candidate<Place> {
    ComponentVersions.Candidate(
      place: place, version: events[index].version, source: events[index].reference.source,
      order: index)
  }

  private mutating func remove(_ outdated: [Int], from indices: [Int]) -> [Int] {
    if outdated.isEmpty { return indices }
    superseded += outdated.map { events[indices[$0]].reference }
    let outdated = Set(outdated)
    return indices.indices.filter { !outdated.contains($0) }.map { indices[$0] }
  }
}
