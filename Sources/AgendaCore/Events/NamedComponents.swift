internal import CivilTime
internal import Recurrence

/// The components that messages can refer to: by kind, UID and calendar. Within a calendar it doesn't
/// matter which source has a series and which one its overrides.
struct NamedComponents {
  /// The components of a source with one UID, by their index among the events.
  struct Members {
    let source: Int
    let masters: [Int]
    let allOverrides: [Int]

    init(source: Int, _ members: [Int], of events: [Event]) {
      self.source = source
      masters = members.filter { events[$0].identity.recurrenceID == nil }
      allOverrides = members.filter { events[$0].identity.recurrenceID != nil }
    }
  }

  /// The components of a calendar with one UID.
  struct Group {
    let sources: [Members]
    /// The series that the calendar shows.
    fileprivate let owners: OverrideOwners
    fileprivate let places: [Int: OccurrencePlaces]
    fileprivate let overrides: [Place: [Int]]
    /// The overrides with RANGE, by their series.
    fileprivate let ranges: [Int: RangeOverrides]
    fileprivate let shared: EventsSharingUID?
    fileprivate let highestSequence: Int?
    /// The masters that the calendar shows.
    fileprivate let current: [Int]

    fileprivate init(_ sources: [Members], of events: [Event], looks: inout Int) {
      self.sources = sources
      let masters = sources.flatMap(\.masters)
      let highest = masters.lazy.map { events[$0].version.sequence }.max()
      highestSequence = highest
      shared = EventsSharingUID(sources, shownSequence: highest ?? 0, of: events)
      let current = Self.newest(
        masters.filter { events[$0].version.sequence == highest }, of: events)
      self.current = current
      owners = OverrideOwners(current, of: events)
      places = Dictionary(
        current.compactMap { index in
          events[index].start.map { (index, OccurrencePlaces(of: events[index], start: $0)) }
        }, uniquingKeysWith: { first, _ in first })
      var overrides: [Place: [Int]] = [:]
      var rangesOfSeries: [Int: [Int]] = [:]
      for index in sources.flatMap(\.allOverrides) {
        guard
          let place = Self.place(of: events[index], owners: owners, places, looks: &looks)
        else { continue }
        overrides[place, default: []].append(index)
        if let series = place.series, events[index].identity.includesFollowing {
          rangesOfSeries[series, default: []].append(index)
        }
      }
      self.overrides = overrides
      ranges = Dictionary(
        uniqueKeysWithValues: rangesOfSeries.map { series, overrides in
          (series, RangeOverrides(overrides, start: events[series].start, of: events))
        })
    }

    /// Of events with the same start, the newest ones.
    private static func newest(_ masters: [Int], of events: [Event]) -> [Int] {
      guard masters.count > 1 else { return masters }
      var newest: [ComparedStart?: EventVersion] = [:]
      for index in masters {
        let version = events[index].version
        let start = events[index].start.map(ComparedStart.init)
        newest[start] = max(newest[start] ?? version, version)
      }
      return masters.filter {
        events[$0].version == newest[events[$0].start.map(ComparedStart.init)]
      }
    }

    /// A key that is equal for the same occurrence of the same series.
    fileprivate func place(of override: Event, looks: inout Int) -> Place? {
      Self.place(of: override, owners: owners, places, looks: &looks)
    }

    private static func place(
      of override: Event, owners: OverrideOwners, _ places: [Int: OccurrencePlaces],
      looks: inout Int
    ) -> Place? {
      guard let moment = override.identity.recurrenceID else { return nil }
      guard let owner = owners.owner(of: override, looks: &looks), let places = places[owner]
      else { return Place(series: nil, occurrence: .withoutSeries(ComparedStart(moment))) }
      return Place(series: owner, occurrence: places.place(of: moment, looks: &looks))
    }
  }

  struct Place: Hashable {
    let series: Int?
    let occurrence: OccurrencePlaces.Place
  }

  /// A hostile source can have thousands of events and of messages with one UID. So many pairs of a
  /// message and an event with its UID are compared.
  static let mostPairs = 1_000_000

  private struct Key: Hashable {
    let kind: Event.Kind
    let uid: String

    init(_ event: Event) {
      kind = event.kind
      uid = event.identity.uid
    }
  }

  private var groups: [Key: [Group]] = [:]
  private var highestSequence: [Key: [String: Int]] = [:]
  private var current: Set<Int> = []
  /// The remaining number of checks of rules.
  private var looks = OverrideOwners.mostLooks

  init(_ events: [Event]) {
    for (key, indices) in Dictionary(grouping: events.indices, by: { Key(events[$0]) }) {
      let byCalendar = Dictionary(grouping: indices) { events[$0].calendar }
      groups[key] = byCalendar.sorted { $0.key < $1.key }.map { calendar, indices in
        let bySource = Dictionary(grouping: indices) { events[$0].reference.source }
        let sources = bySource.sorted { $0.key < $1.key }.map {
          Members(source: $0.key, $0.value, of: events)
        }
        let group = Group(sources, of: events, looks: &looks)
        highestSequence[key, default: [:]][calendar] = group.highestSequence
        current.formUnion(group.current)
        return group
      }
    }
  }

  /// The components of each calendar with the UID and kind of a message.
  func groups(named message: Event) -> [Group] { groups[Key(message)] ?? [] }

  /// The overrides of the occurrence that a message names with its RECURRENCE-ID. An override with
  /// RANGE is one of them only if the message has RANGE too, or if the series is missing.
  mutating func overrides(
    namedBy message: Event, in group: Group, of events: [Event]
  ) -> [Int] {
    guard let place = group.place(of: message, looks: &looks) else { return [] }
    let named = group.overrides[place] ?? []
    if message.identity.includesFollowing || place.series == nil { return named }
    let range = named.lazy.filter { events[$0].identity.includesFollowing }
      .map { events[$0].version.sequence }.max()
    return named.filter {
      !events[$0].identity.includesFollowing && events[$0].version.sequence >= range ?? .min
    }
  }

  /// The override with RANGE that changes the occurrence that a message names.
  mutating func range(namedBy message: Event, in group: Group) -> Int? {
    guard let moment = message.identity.recurrenceID,
      let series = group.place(of: message, looks: &looks)?.series
    else { return nil }
    return group.ranges[series]?.range(of: moment)
  }

  /// A key that is equal for the same occurrence of a series.
  mutating func place(of moment: EventTime, in series: Int, of group: Group) -> Place {
    let place = group.places[series]?.place(of: moment, looks: &looks)
    return Place(series: series, occurrence: place ?? .withoutSeries(ComparedStart(moment)))
  }

  /// The masters of a source that a message without RECURRENCE-ID is about, and their overrides.
  func targets(
    of message: Event, in members: Members, of group: Group
  ) -> (masters: [Int], overrides: [Int]) {
    group.shared?.targets(of: message, in: members.source)
      ?? (members.masters, members.allOverrides)
  }

  /// Whether a master is a version that the calendar shows: none has a higher SEQUENCE, and none with
  /// the same start has a later stamp.
  func isCurrent(_ master: Int) -> Bool { current.contains(master) }

  /// The SEQUENCE of the series' version that the calendar shows.
  func currentSequence(of master: Event) -> Int {
    highestSequence[Key(master)]?[master.calendar] ?? master.version.sequence
  }
}
