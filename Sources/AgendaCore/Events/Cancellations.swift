internal import CivilTime
internal import Recurrence

/// What components whose METHOD is CANCEL (RFC 5546 3.2.5, 3.4.5) do to others of the same kind and
/// UID, whatever source they are in, unless their SEQUENCE is higher.
///
/// - Without RECURRENCE-ID it cancels the event with all of its overrides. If different events have
///   the UID and one of them begins at the cancellation's DTSTART, it cancels only that one.
/// - With one it cancels that occurrence: its override where there is one, else the occurrence that
///   the series has there, as a cancelled override would. What it leaves out is as in the series, as
///   long as there is room for copies.
///
/// The result does not depend on the order of the cancellations.
package struct Cancellations: Sendable {
  /// The override that cancels an occurrence in a source that has the series: in the calendar of that
  /// series, and with its title, length and place if the cancellation has none.
  package struct CancelledOccurrence: Sendable {
    /// With the reference of the series.
    package let override: Event
    /// The newest cancellation of the occurrence, by index.
    package let cancellation: Int
    /// The series, or its override with RANGE that changes the occurrence, by its index among the
    /// events.
    package let series: Int
    /// Whether it has what the series has and the cancellation leaves out.
    package let isComplete: Bool
  }

  /// Whether each of them cancelled anything that the calendar shows, in their order.
  package private(set) var hasEffect: [Bool]
  /// The cancellations of events that are missing, by index.
  package private(set) var ofMissingEvents: Set<Int> = []
  /// The cancellations of an occurrence that their series does not have, by index.
  package private(set) var withoutOccurrence: Set<Int> = []
  /// The cancellations beyond `NamedComponents.mostPairs`, by index.
  private var notCompared: Set<Int> = []
  /// Which of the events are cancelled now, by index.
  package private(set) var cancelled: Set<Int> = []
  /// In the order of the cancellations.
  package private(set) var occurrences: [CancelledOccurrence] = []
  /// What is left of it.
  package private(set) var room: CopyRoom

  private struct OccurrencePlace: Hashable {
    let series: Int
    let place: NamedComponents.Place
    let includesFollowing: Bool
  }

  /// `copiedSize` returns the size in bytes of what cancelled occurrences can take from an event, by
  /// its index.
  package init<Failure: Error>(
    _ cancellations: [Event], of events: [Event], room: CopyRoom = CopyRoom(),
    copiedSize: (Int) throws(Failure) -> Int
  ) throws(Failure) {
    self.room = room
    hasEffect = Array(repeating: false, count: cancellations.count)
    var components = NamedComponents(events)
    var newest: [OccurrencePlace: Int] = [:]
    /// The overrides with RANGE that change the occurrences.
    var models: [OccurrencePlace: Int] = [:]
    var search = OccurrenceSearch(events)
    var pairs = 0
    // In an order that doesn't depend on theirs, so that the limits always leave out the same ones.
    let order = cancellations.indices.sorted { one, other in
      let (one, other) = (cancellations[one], cancellations[other])
      return (one.identity.uid, one.identity.moment, other.version.sequence)
        < (other.identity.uid, other.identity.moment, one.version.sequence)
    }
    for number in order {
      let cancellation = cancellations[number]
      let groups = components.groups(named: cancellation)
      if groups.isEmpty { ofMissingEvents.insert(number) }
      for group in groups {
        if pairs > NamedComponents.mostPairs {
          notCompared.insert(number)
          break
        }
        var targets = components.overrides(namedBy: cancellation, in: group, of: events)
        let isNewRange =
          cancellation.identity.includesFollowing
          && !targets.contains { events[$0].identity.includesFollowing }
        if let moment = cancellation.identity.recurrenceID, targets.isEmpty || isNewRange {
          let range = components.range(namedBy: cancellation, in: group)
          for members in group.sources {
            pairs += members.masters.count
            let current = members.masters.filter {
              components.isCurrent($0)
                && events[$0].version.sequence <= cancellation.version.sequence
            }
            if current.isEmpty { continue }
            if let range, events[range].version.sequence > cancellation.version.sequence {
              continue
            }
            let places = current.map { components.place(of: moment, in: $0, of: group) }
            guard
              let last = current.indices.last(where: {
                search.finds(cancellation.identity, in: current[$0], at: places[$0])
              })
            else {
              withoutOccurrence.insert(number)
              continue
            }
            hasEffect[number] = true
            let place = OccurrencePlace(
              series: current[last], place: places[last],
              includesFollowing: cancellation.identity.includesFollowing)
            if let other = newest[place],
              !Self.isNewer(cancellation, than: cancellations[other])
            {
              continue
            }
            newest[place] = number
            models[place] = range
          }
          if targets.isEmpty { continue }
        }
        if cancellation.identity.recurrenceID == nil {
          targets = group.sources.flatMap { members in
            let (masters, overrides) = components.targets(of: cancellation, in: members, of: group)
            return masters + overrides
          }
        }
        pairs += targets.count
        for index in targets
        where events[index].version.sequence <= cancellation.version.sequence {
          // The calendar does not show an earlier version.
          if events[index].identity.recurrenceID != nil
            || events[index].version.sequence >= components.currentSequence(of: events[index])
          {
            hasEffect[number] = true
          }
          cancelled.insert(index)
        }
      }
    }
    let found = Dictionary(grouping: newest, by: \.value).mapValues { $0.map(\.key) }
    var sizes: [Int: Int] = [:]
    var dates = 0
    for number in order {
      for place in (found[number] ?? []).sorted(by: { $0.series < $1.series }) {
        let model = models[place]
        let series = model ?? place.series
        var size = sizes[series] ?? 0
        if sizes[series] == nil {
          size = try copiedSize(series)
          sizes[series] = size
        }
        if Self.isDateOfTime(cancellations[number], in: events[series]) { dates += 1 }
        let isComplete = dates <= Self.mostSearches && self.room.take(size)
        let occurrence = search.occurrence(
          cancellations[number].identity, of: place.series, at: place.place, as: model)
        occurrences.append(
          CancelledOccurrence(
            override: Self.override(
              cancellations[number], of: events[series], occurrence, isComplete: isComplete),
            cancellation: number, series: series, isComplete: isComplete))
      }
    }
    occurrences.sort { ($0.cancellation, $0.series) < ($1.cancellation, $1.series) }
  }

  /// The most occurrences that are searched in the rules of their series.
  private static let mostSearches = 1_000

  /// Whether the time of the occurrence has to be found by its date.
  private static func isDateOfTime(_ cancellation: Event, in series: Event) -> Bool {
    let start = cancellation.start ?? cancellation.identity.recurrenceID
    return start?.isDate != series.start?.isDate
  }

  /// The occurrences of series that cancellations name. Each one needs a search in the rule of its
  /// series.
  private struct OccurrenceSearch {
    private let events: [Event]
    /// As overrides; `nil` for those that their series does not have.
    private var known: [OccurrencePlace: Event?] = [:]

    init(_ events: [Event]) { self.events = events }

    mutating func finds(
      _ identity: EventIdentity, in series: Int, at place: NamedComponents.Place
    ) -> Bool {
      // With RANGE it also cancels the occurrences after that moment.
      guard let moment = identity.recurrenceID, !identity.includesFollowing else { return true }
      guard events[series].repeats else { return events[series].hasOccurrence(at: moment) }
      // Further occurrences are taken to exist.
      return occurrence(identity, of: series, at: place) != nil
        || known.count >= Cancellations.mostSearches && known[key(series, place)] == nil
    }

    /// `nil` also for an occurrence that was not searched for. `model` is the override with RANGE
    /// that changes it.
    mutating func occurrence(
      _ identity: EventIdentity, of series: Int, at place: NamedComponents.Place,
      as model: Int? = nil
    ) -> Event? {
      guard let moment = identity.recurrenceID else { return nil }
      if model == nil, let found = known[key(series, place)] { return found }
      if known.count >= Cancellations.mostSearches { return nil }
      var event = events[series]
      event.status = nil
      let found = event.override(at: moment, as: model.map { events[$0] })
      known[key(series, place)] = .some(found)
      return found
    }

    private func key(_ series: Int, _ place: NamedComponents.Place) -> OccurrencePlace {
      OccurrencePlace(series: series, place: place, includesFollowing: false)
    }
  }

  /// Of two cancellations that are equally new, any will do, but always the same.
  private static func isNewer(_ one: Event, than other: Event) -> Bool {
    (one.version, one.title) > (other.version, other.title)
  }

  /// Why a cancellation has no effect. A file and the store report the same.
  package enum Reason: String, Sendable {
    case missingEvent = "missing-event"
    case missingOccurrence = "missing-occurrence"
    case laterVersion = "later-version"
    case alreadyCancelled = "already-cancelled"
    case tooMany = "too-many"
  }

  /// Why a cancellation, by its index, has no effect; `nil` if it has one.
  package func reason(_ number: Int) -> Reason? {
    if hasEffect[number] { return nil }
    if ofMissingEvents.contains(number) { return .missingEvent }
    if notCompared.contains(number) { return .tooMany }
    return withoutOccurrence.contains(number) ? .missingOccurrence : .laterVersion
  }

  private static func override(
    _ cancellation: Event, of master: Event, _ occurrence: Event?, isComplete: Bool
  ) -> Event {
    var event = cancellation
    event.status = .cancelled
    event.calendar = master.calendar
    event.reference = master.reference
    if event.start == nil { event.start = event.identity.recurrenceID }
    guard isComplete else { return event }
    if event.title.isEmpty { event.title = master.title }
    if event.location == nil { event.location = master.location }
    event.completeTimes(from: master, occurrence)
    return event
  }
}
