internal import struct Platform.StableDigest

/// The times at which the clocks of a zone change, in order. The last of them can repeat every 400 years,
/// as the calendar does. Immutable: any number of threads may ask at once.
///
/// A class, so that no look-up copies it.
final class ZoneTransitions: Sendable {
  /// The type before the first transition.
  private let initial: LocalTimeType
  private let initialOffset: Int
  private let types: [LocalTimeType]
  private let listed: [Listed]
  /// How many of the last transitions repeat; 0 if the type of the last one stays.
  private let repeating: Int

  /// The smallest and the largest offset of all types.
  let offsets: ClosedRange<Int>
  private let firstInstant: Int
  let lastInstant: Int
  private let firstRepeated: Int
  /// For each stretch of `1 << shift` seconds from the first transition on, the last transition
  /// at or before its beginning: a look-up begins there instead of halving the whole list.
  private let buckets: [Int32]
  private let shift: Int

  private struct Listed: Equatable {
    let instant: Int
    /// The offset after it.
    let offset: Int32
    /// Index of the type after it.
    let type: Int32
  }

  /// They take two kilobytes, and leave a few transitions to look at in each.
  private static let mostBuckets = 512
  /// No zone is further from UTC.
  private static let largestOffset = 26 * 3600
  /// Beyond it an instant is taken for this one, so that no sum overflows.
  private static let farthest = ZoneFile.farthestInstant * 2

  /// `transitions` ascend; types are indexes into `types`, of which `initial` is one. All instants of the
  /// `repeating` last transitions are within 400 years.
  init(
    types: [LocalTimeType], initial: Int, transitions: [ZoneFile.Transition], repeating: Int = 0
  ) {
    self.initial = types[initial]
    initialOffset = types[initial].utcOffset
    self.types = types
    let all = types.map(\.utcOffset)
    offsets = (all.min() ?? 0)...(all.max() ?? 0)
    listed = transitions.map {
      Listed(
        instant: $0.instant, offset: Int32(types[$0.type].utcOffset), type: Int32($0.type))
    }
    // What never changes needs no repetition.
    let repeated = transitions.suffix(repeating)
    self.repeating = repeated.allSatisfy { $0.type == repeated.first?.type } ? 0 : repeating
    let firstInstant = transitions.first?.instant ?? .max
    self.firstInstant = firstInstant
    lastInstant = transitions.last?.instant ?? .min
    firstRepeated = transitions.suffix(self.repeating).first?.instant ?? .max

    var buckets: [Int32] = []
    var shift = 0
    if !listed.isEmpty {
      let span = lastInstant - firstInstant
      while span >> shift >= Self.mostBuckets { shift += 1 }
      let count = (span >> shift) + 2
      buckets.reserveCapacity(count)
      var last = 0
      for bucket in 0..<count {
        let begin = firstInstant + bucket << shift
        while last + 1 < listed.count, listed[last + 1].instant <= begin { last += 1 }
        buckets.append(Int32(last))
      }
    }
    self.buckets = buckets
    self.shift = shift
  }

  /// The same transitions, and after the last one those of a rule.
  func continued(by footer: ZoneFooter) -> ZoneTransitions {
    let begin = listed.isEmpty ? Self.beginning : lastInstant
    let (type, changes) = footer.changes(after: begin)
    func index(_ type: LocalTimeType) -> Int { types.firstIndex(of: type) ?? 0 }
    // The rule also gives the type after the last transition.
    var transitions = listed.dropLast().map {
      ZoneFile.Transition(instant: $0.instant, type: Int($0.type))
    }
    if !listed.isEmpty {
      transitions.append(ZoneFile.Transition(instant: begin, type: index(type)))
    }
    transitions += changes.map {
      ZoneFile.Transition(instant: $0.instant, type: index($0.type))
    }
    return ZoneTransitions(
      types: types, initial: index(listed.isEmpty ? type : initial), transitions: transitions,
      repeating: changes.count)
  }

  /// Before the year 1. Rules without listed transitions are worked out from here.
  private static let beginning = -6 * GregorianCycle.seconds

  var hasDaylight: Bool {
    offsets.count > 1 && types.contains(where: \.isDaylight)
  }

  // MARK: Look-ups

  /// The last transition at or before an instant: its place in the list, -1 where all come after it, and
  /// how often 400 years have passed since it.
  @inline(__always)
  private func find(_ instant: Int) -> (place: Int, rounds: Int) {
    guard instant >= firstInstant else { return (-1, 0) }
    var (instant, rounds) = (instant, 0)
    if instant >= lastInstant, repeating > 0 {
      rounds = (instant - firstRepeated) / GregorianCycle.seconds
      instant -= rounds * GregorianCycle.seconds
    }
    guard instant < lastInstant else { return (listed.count - 1, rounds) }
    let bucket = (instant - firstInstant) >> shift
    var low = Int(buckets[bucket])
    var high = Int(buckets[bucket + 1])
    while low < high {
      let middle = (low + high + 1) / 2
      if listed[middle].instant <= instant {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return (low, rounds)
  }

  @inline(__always)
  private static func held(_ seconds: Int) -> Int { max(-farthest, min(seconds, farthest)) }

  func utcOffset(at instant: Int) -> Int {
    let place = find(Self.held(instant)).place
    return place < 0 ? initialOffset : Int(listed[place].offset)
  }

  func type(at instant: Int) -> LocalTimeType {
    let place = find(Self.held(instant)).place
    return place < 0 ? initial : types[Int(listed[place].type)]
  }

  /// The offset by which a local time is read: in a gap or a fold the one before it.
  func utcOffset(ofLocal local: Int) -> Int {
    let local = Self.held(local)
    let (place, rounds) = find(local + Self.largestOffset)
    guard place >= 0 else { return initialOffset }
    let last = listed[place]
    // Mostly no transition is within reach.
    if last.instant + rounds * GregorianCycle.seconds <= local - Self.largestOffset {
      return Int(last.offset)
    }
    switch resolution(ofLocal: local) {
    case .unique(let instant), .fold(let instant, _): return local - instant.secondsSinceEpoch
    case .gap(_, let before, _): return before
    }
  }

  /// Looks at every stretch between the transitions within reach, which need no minimum distance: some
  /// zones change their clocks again sooner than they move them.
  func resolution(ofLocal local: Int) -> LocalResolution {
    let local = Self.held(local)
    var number = number(atOrBefore: local - Self.largestOffset)
    let last = self.number(atOrBefore: local + Self.largestOffset)
    var offset = number < 0 ? initialOffset : Int(transition(number).offset)
    var begin = Int.min
    var first: Instant?
    var gap: LocalResolution?
    while true {
      let next = number < last ? transition(number + 1) : nil
      let instant = local - offset
      if instant >= begin, instant < next?.instant ?? .max {
        let found = Instant(secondsSinceEpoch: instant)
        if let first { return .fold(first: first, second: found) }
        first = found
      }
      guard let next else { break }
      let offsetAfter = Int(next.offset)
      if gap == nil, next.instant + offset <= local, local < next.instant + offsetAfter {
        gap = .gap(
          transition: Instant(secondsSinceEpoch: next.instant), offsetBefore: offset,
          offsetAfter: offsetAfter)
      }
      (offset, begin, number) = (offsetAfter, next.instant, number + 1)
    }
    return first.map { .unique($0) } ?? gap ?? .unique(Instant(secondsSinceEpoch: local - offset))
  }

  // MARK: Transitions by number

  /// The number of the last transition at or before an instant; -1 where all come after it. Repeated ones
  /// have numbers without end.
  private func number(atOrBefore instant: Int) -> Int {
    let (place, rounds) = find(instant)
    return place + rounds * repeating
  }

  private func transition(_ number: Int) -> Listed {
    guard number >= listed.count else { return listed[number] }
    let rounds = (number - listed.count) / repeating + 1
    let first = listed[number - rounds * repeating]
    return Listed(
      instant: first.instant + rounds * GregorianCycle.seconds, offset: first.offset,
      type: first.type)
  }

  /// `nil` if nothing changes there.
  private func change(_ number: Int) -> ZoneTransition? {
    let found = transition(number)
    let before = number == 0 ? initial : types[Int(transition(number - 1).type)]
    let after = types[Int(found.type)]
    guard before != after else { return nil }
    return ZoneTransition(
      instant: Instant(secondsSinceEpoch: found.instant), before: before, after: after)
  }

  func transition(after instant: Int) -> ZoneTransition? {
    let first = number(atOrBefore: Self.held(instant)) + 1
    return (first..<max(first, listed.count) + repeating).lazy.compactMap(change).first
  }

  func transition(before instant: Int) -> ZoneTransition? {
    let last = number(atOrBefore: Self.held(instant) - 1)
    return (0..<last + 1).reversed().lazy.compactMap(change).first
  }

  /// A digest of all offsets without the names of their types.
  var clockDigest: Int {
    // By then every zone of the database follows its rule, for 400 years.
    let end = CivilDate.dayNumber(year: 2500, month: 1, day: 1) * TimeOfDay.secondsPerCivilDay
    var digest = StableDigest()
    digest.add(initialOffset)
    var offset = initialOffset
    for number in 0..<number(atOrBefore: end) + 1 {
      let next = transition(number)
      guard Int(next.offset) != offset else { continue }
      offset = Int(next.offset)
      digest.add(next.instant)
      digest.add(offset)
    }
    return Int(truncatingIfNeeded: digest.value)
  }
}

extension ZoneTransitions: Equatable {
  static func == (left: ZoneTransitions, right: ZoneTransitions) -> Bool {
    left === right
      || left.initial == right.initial && left.types == right.types && left.listed == right.listed
        && left.repeating == right.repeating
  }
}
