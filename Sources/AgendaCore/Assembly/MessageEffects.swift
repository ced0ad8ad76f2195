internal import CivilTime
internal import Recurrence

internal import struct Platform.StableDigest

/// Applies messages to the series of a calendar with one kind and UID: first the cancellations, then the
/// replies, then the tasks that the user completes, and last what the user hides. Their order does not
/// matter.
///
/// A message is about what the calendar shows, whatever source that comes from. With a RECURRENCE-ID it
/// is about that occurrence: its override where there is one, otherwise the occurrence of the series,
/// which then gets an override. Without one it is about the event; if different events have the UID and
/// some of them begin at its DTSTART, only about these.
struct MessageEffects {
  var drafts: [UIDVersions.Draft]
  var hidden: Set<EventReference> = []
  private(set) var outcomes: [EventReference: Message.Outcome] = [:]
  var derivations: [EventReference: Derivation] = [:]
  var budget: WorkBudget
  let reading: any ComponentReading

  private let owners: OverrideOwners
  private let draftOfMaster: [Int: Int]
  private var starts = NamedStarts()
  private var draftsOfStart: [ComparedStart: [Int]] = [:]
  /// The occurrences of each draft.
  private var occurrences: [Occurrences]
  private var alone: [ComparedStart: [Int]] = [:]

  /// What finds the overrides of a series.
  private struct Occurrences {
    var places: OccurrencePlaces?
    /// The overrides of one occurrence, by what they replace.
    var singles: [OccurrencePlaces.Place: Int] = [:]
    /// Those with RANGE.
    var ranges: [OccurrencePlaces.Place: Int] = [:]
    var following: RangeOverrides
  }

  /// An event of a draft.
  struct Target: Hashable {
    let draft: Int
    /// `nil` for the master.
    var override: Int?
  }

  /// The occurrence that a message names.
  struct NamedOccurrence: Hashable {
    let draft: Int
    let place: OccurrencePlaces.Place
    /// A RECURRENCE-ID that names it.
    let moment: EventTime

    static func == (left: NamedOccurrence, right: NamedOccurrence) -> Bool {
      left.draft == right.draft && left.place == right.place
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(draft)
      hasher.combine(place)
    }
  }

  init(on versions: UIDVersions, _ reading: any ComponentReading, _ budget: WorkBudget) {
    drafts = versions.drafts
    owners = versions.owners
    draftOfMaster = versions.draftOfMaster
    self.reading = reading
    self.budget = budget
    occurrences = []
    for (number, draft) in drafts.enumerated() {
      occurrences.append(
        Occurrences(
          places: draft.isAlone
            ? nil : draft.master.start.map { OccurrencePlaces(of: draft.master, start: $0) },
          following: RangeOverrides(
            Array(draft.overrides.indices), start: draft.master.start, of: draft.overrides)))
      for override in draft.overrides.indices {
        index(override, of: number)
      }
      if draft.isAlone {
        if let moment = draft.master.identity.recurrenceID {
          alone[ComparedStart(moment), default: []].append(number)
        }
      } else if let start = draft.master.start {
        starts.add(start)
        draftsOfStart[ComparedStart(start), default: []].append(number)
      }
    }
  }

  private mutating func index(_ override: Int, of draft: Int) {
    let identity = drafts[draft].overrides[override].identity
    guard let moment = identity.recurrenceID,
      let place = occurrences[draft].places?.place(of: moment, &budget)
    else { return }
    if identity.includesFollowing {
      occurrences[draft].ranges[place] = override
    } else {
      occurrences[draft].singles[place] = override
    }
  }

  mutating func apply(_ messages: [Message]) {
    // In an order that does not depend on theirs, so that a budget that runs out always leaves out the
    // same ones.
    let ordered = messages.map { (message: $0, rank: Rank($0.event)) }.sorted { $0.rank < $1.rank }
      .map(\.message)
    cancel(ordered.filter { $0.method == .cancel && !$0.hides })
    for draft in drafts.indices {
      occurrences[draft].following = RangeOverrides(
        Array(drafts[draft].overrides.indices), start: drafts[draft].master.start,
        of: drafts[draft].overrides)
    }
    answer(ordered.filter { $0.method == .reply && !$0.completes })
    complete(ordered.filter(\.completes))
    hide(ordered.filter(\.hides))
  }

  private struct Rank: Comparable {
    let moment: Int
    let version: EventVersion
    let reference: EventReference

    init(_ message: Event) {
      moment = message.identity.recurrenceID?.instant(for: .utc).secondsSinceEpoch ?? .min
      version = message.version
      reference = message.reference
    }

    /// The newest one of a moment comes first.
    static func < (left: Rank, right: Rank) -> Bool {
      if left.moment != right.moment { return left.moment < right.moment }
      if left.version != right.version { return left.version > right.version }
      return left.reference < right.reference
    }

    static func == (left: Rank, right: Rank) -> Bool { left.reference == right.reference }
  }

  // MARK: What messages name

  func event(_ target: Target) -> Event {
    let draft = drafts[target.draft]
    return target.override.map { draft.overrides[$0] } ?? draft.master
  }

  mutating func change(_ target: Target, _ body: (inout Event) -> Void) {
    if let override = target.override {
      body(&drafts[target.draft].overrides[override])
    } else {
      body(&drafts[target.draft].master)
    }
  }

  mutating func note(_ outcome: Message.Outcome, _ message: Message) {
    let reference = message.event.reference
    outcomes[reference] = max(outcomes[reference] ?? outcome, outcome)
  }

  /// The drafts that a message without RECURRENCE-ID is about.
  func draftsNamed(by message: Message) -> [Int] {
    guard starts.count > 1, let start = message.event.start else { return Array(drafts.indices) }
    let named = starts.named(by: start)
    if named.isEmpty { return Array(drafts.indices) }
    return named.flatMap { draftsOfStart[$0] ?? [] }.sorted()
  }

  /// The occurrence that a message with RECURRENCE-ID names, whether its series has it or not; `nil` if
  /// there is no series.
  mutating func occurrence(namedBy message: Event) -> NamedOccurrence? {
    guard let moment = message.identity.recurrenceID,
      let draft = owners.owner(of: message, &budget).flatMap({ draftOfMaster[$0] })
    else { return nil }
    return occurrence(at: moment, of: draft, otherZone: message.dayZone)
  }

  mutating func occurrence(
    at time: EventTime, of draft: Int, otherZone: Zone? = nil
  ) -> NamedOccurrence? {
    guard let places = occurrences[draft].places else { return nil }
    let moment = places.named(by: time, otherZone: otherZone, &budget)
    return NamedOccurrence(
      draft: draft, place: places.place(of: moment, &budget), moment: moment)
  }

  /// The overrides without a series that a message names.
  func overridesAlone(namedBy message: Event) -> [Target] {
    guard let moment = message.identity.recurrenceID else { return [] }
    return (alone[ComparedStart(moment)] ?? []).map { Target(draft: $0) }
  }

  /// The override of one occurrence.
  func single(at occurrence: NamedOccurrence) -> Target? {
    occurrences[occurrence.draft].singles[occurrence.place]
      .map { Target(draft: occurrence.draft, override: $0) }
  }

  /// The override with RANGE that begins at an occurrence.
  func range(at occurrence: NamedOccurrence) -> Target? {
    occurrences[occurrence.draft].ranges[occurrence.place]
      .map { Target(draft: occurrence.draft, override: $0) }
  }

  /// The override with RANGE that changes an occurrence.
  func range(over occurrence: NamedOccurrence) -> Target? {
    occurrences[occurrence.draft].following.range(of: occurrence.moment)
      .map { Target(draft: occurrence.draft, override: $0) }
  }

  /// The overrides that a message about an occurrence changes. If the message has RANGE, these are also
  /// one with RANGE, and those of all later occurrences.
  mutating func overrides(at occurrence: NamedOccurrence, for message: Event) -> [Target] {
    var targets: [Target] = []
    if let single = single(at: occurrence) { targets.append(single) }
    if message.identity.includesFollowing {
      if let range = range(at: occurrence) { targets.append(range) }
      targets += overrides(after: occurrence, besides: Set(targets))
    }
    return targets
  }

  private mutating func overrides(
    after occurrence: NamedOccurrence, besides known: Set<Target>
  ) -> [Target] {
    let overrides = drafts[occurrence.draft].overrides
    guard let start = drafts[occurrence.draft].master.start,
      budget.spend(overrides.count, on: .comparisons)
    else { return [] }
    let matcher = TimeMatcher(start: start, viewer: .utc)
    let first = matcher.key(occurrence.moment)
    return overrides.indices.filter { number in
      overrides[number].identity.recurrenceID.map { matcher.key($0) > first } ?? false
    }.map { Target(draft: occurrence.draft, override: $0) }.filter { !known.contains($0) }
  }

  /// The first occurrence that a message with RANGE changes, if its series lacks the one that it names.
  mutating func firstOccurrence(after occurrence: NamedOccurrence) -> NamedOccurrence? {
    drafts[occurrence.draft].master.occurrence(after: occurrence.moment).flatMap {
      self.occurrence(at: $0, of: occurrence.draft)
    }
  }

  // MARK: What messages make

  /// Adds an override that messages made. The same one has the same reference in every assembly.
  mutating func add(
    _ made: Event, at occurrence: NamedOccurrence, _ derivation: Derivation
  ) -> Target {
    let master = drafts[occurrence.draft].master
    var override = made
    override.recurrence = nil
    override.calendar = master.calendar
    override.sharesUID = master.sharesUID
    override.sharesStart = master.sharesStart
    override.sharedTitleContent = master.sharedTitleContent
    override.reference = reference(ofOverrideAt: occurrence, made)
    derivations[override.reference] = derivation
    let position = drafts[occurrence.draft].overrides.count
    drafts[occurrence.draft].overrides.append(override)
    index(position, of: occurrence.draft)
    if override.identity.includesFollowing {
      let moment = override.identity.recurrenceID ?? occurrence.moment
      occurrences[occurrence.draft].following.insert(position, at: moment)
    }
    return Target(draft: occurrence.draft, override: position)
  }

  /// No component has a negative number.
  private func reference(
    ofOverrideAt occurrence: NamedOccurrence, _ override: Event
  ) -> EventReference {
    let series = drafts[occurrence.draft].master.reference
    var digest = StableDigest()
    digest.add(series.component)
    occurrence.place.add(to: &digest)
    digest.add(override.identity.includesFollowing ? 1 : 0)
    let number = Int(truncatingIfNeeded: digest.value >> 1)
    return EventReference(source: series.source, component: ~number)
  }

  mutating func remove(drafts removed: Set<Int>, overrides: Set<Target>) {
    for draft in drafts.indices {
      drafts[draft].overrides = drafts[draft].overrides.indices.filter {
        !overrides.contains(Target(draft: draft, override: $0))
      }.map { drafts[draft].overrides[$0] }
    }
    drafts = drafts.indices.filter { !removed.contains($0) }.map { drafts[$0] }
  }
}

extension OccurrencePlaces.Place {
  fileprivate func add(to digest: inout StableDigest) {
    switch self {
    case .occurrence(let key): digest.add(key)
    case .moment(let key):
      digest.add(1)
      digest.add(key)
    case .day(let date):
      digest.add(2)
      digest.add(Int(date.dayNumber))
    case .withoutSeries: digest.add(3)
    }
  }
}
