internal import CivilTime
internal import Recurrence

/// The components that messages can refer to: by kind and UID, then by source, and within a source
/// by the occurrence that they replace.
struct NamedComponents {
  /// The components of a source with one UID, by their index among the events.
  struct Members {
    let source: Int
    let calendar: String
    var masters: [Int] = []
    private(set) var allOverrides: [Int] = []
    private var overrides: [Place: [Int]] = [:]
    private var matcher: TimeMatcher?

    init(source: Int, _ members: [Int], of events: [Event]) {
      self.source = source
      calendar = members.first.map { events[$0].calendar } ?? ""
      masters = members.filter { events[$0].identity.recurrenceID == nil }
      let start = masters.lazy.compactMap { events[$0].start }.first
      matcher = start.map { TimeMatcher(start: $0, viewer: .utc) }
      for index in members {
        guard let moment = events[index].identity.recurrenceID else { continue }
        allOverrides.append(index)
        overrides[place(of: moment), default: []].append(index)
      }
    }

    /// The overrides of an occurrence.
    func overrides(at moment: EventTime) -> [Int] { overrides[place(of: moment)] ?? [] }

    /// A key that is equal for the same occurrence, whatever zone it is written in.
    func place(of moment: EventTime) -> Place {
      guard let matcher else {
        return Place(
          isDay: moment.isDate, key: moment.instant(for: .utc).secondsSinceEpoch)
      }
      return Place(isDay: matcher.isDate || moment.isDate, key: matcher.key(moment))
    }
  }

  struct Place: Hashable {
    let isDay: Bool
    let key: Int
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

  private struct CalendarKey: Hashable {
    let key: Key
    let calendar: String
  }

  private var members: [Key: [Members]] = [:]
  private var highestSequence: [CalendarKey: Int] = [:]
  private var shared: [CalendarKey: EventsSharingUID] = [:]
  /// The masters with the highest SEQUENCE that the calendar does not show, because another one with
  /// the same start has a later stamp.
  private var outdated: Set<Int> = []

  init(_ events: [Event]) {
    var indices: [Key: [Int]] = [:]
    for (index, event) in events.enumerated() {
      let key = Key(event)
      indices[key, default: []].append(index)
      guard event.identity.recurrenceID == nil else { continue }
      let calendarKey = CalendarKey(key: key, calendar: event.calendar)
      let highest = highestSequence[calendarKey] ?? .min
      highestSequence[calendarKey] = max(highest, event.version.sequence)
    }
    for (key, indices) in indices {
      let bySource = Dictionary(grouping: indices) { events[$0].reference.source }
      members[key] = bySource.sorted { $0.key < $1.key }.map {
        Members(source: $0.key, $0.value, of: events)
      }
    }
    for (key, sources) in members {
      for (calendar, sources) in Dictionary(grouping: sources, by: \.calendar) {
        let calendarKey = CalendarKey(key: key, calendar: calendar)
        let sequence = highestSequence[calendarKey] ?? 0
        shared[calendarKey] = EventsSharingUID(sources, shownSequence: sequence, of: events)
        noteOutdated(
          sources.flatMap(\.masters).filter { events[$0].version.sequence == sequence },
          of: events)
      }
    }
  }

  private mutating func noteOutdated(_ masters: [Int], of events: [Event]) {
    guard masters.count > 1 else { return }
    let byStart = Dictionary(grouping: masters) { events[$0].start.map(ComparedStart.init) }
    for masters in byStart.values {
      let newest = masters.lazy.map { events[$0].version }.max()
      outdated.formUnion(masters.filter { events[$0].version != newest })
    }
  }

  /// Whether a master is a version that the calendar shows.
  func isCurrent(_ master: Int, of events: [Event]) -> Bool {
    events[master].version.sequence == currentSequence(of: events[master])
      && !outdated.contains(master)
  }

  /// The components of each source with the UID and kind of a message.
  func members(named message: Event) -> [Members] { members[Key(message)] ?? [] }

  /// The masters that a message without RECURRENCE-ID is about, and their overrides.
  func targets(
    of message: Event, in members: Members
  ) -> (masters: [Int], overrides: [Int]) {
    let key = CalendarKey(key: Key(message), calendar: members.calendar)
    return shared[key]?.targets(of: message, in: members.source)
      ?? (members.masters, members.allOverrides)
  }

  /// The SEQUENCE of the series' version that the calendar shows.
  func currentSequence(of master: Event) -> Int {
    highestSequence[CalendarKey(key: Key(master), calendar: master.calendar)]
      ?? master.version.sequence
  }
}
