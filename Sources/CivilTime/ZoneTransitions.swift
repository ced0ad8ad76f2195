internal import struct Platform.StableDigest

/// The listed transitions of a zone and the rule that follows them, ready for look-ups. Immutable:
/// any number of threads may ask at once.
///
/// A class, so that no look-up copies it.
final class ZoneTransitions: Sendable {
  /// The type before the first transition.
  private let initial: LocalTimeType
  private let types: [LocalTimeType]
  private let listed: [Listed]
  /// What holds after the last listed transition; `nil` if that transition's type stays.
  private let rule: YearlyRule?
  /// What the rule comes to, without its names.
  private let tail: Tail
  /// What the rule was made from.
  private let footer: ZoneFooter?
  private let initialOffset: Int
  /// The rule's patterns, if it has them.
  private let patterns: [YearlyRule.Pattern]
  /// Whether no time on the clocks is touched by more than one listed transition.
  private let isRegular: Bool

  private let firstInstant: Int
  private let lastInstant: Int
  /// For each stretch of `1 << shift` seconds from the first transition on, the last transition
  /// at or before its beginning: a look-up begins there instead of halving the whole list.
  private let buckets: [Int32]
  private let shift: Int

  /// What holds after the last listed transition.
  private enum Tail {
    /// One offset for ever.
    case offset(Int)
    /// A rule that has patterns.
    case patterns
    /// A rule that must be worked out.
    case rule
  }

  private struct Listed: Equatable {
    let instant: Int
    let before: Int32
    let after: Int32
    /// Index of a type.
    let type: Int32

    @inline(__always) var localStart: Int { instant + Int(min(before, after)) }
    @inline(__always) var localEnd: Int { instant + Int(max(before, after)) }
  }

  /// The smallest and the largest offset of all types.
  let offsets: ClosedRange<Int>

  var hasDaylight: Bool {
    offsets.lowerBound < offsets.upperBound
      && (footer?.daylight != nil || types.contains(where: \.isDaylight))
  }

  /// They take four kilobytes, and leave a few transitions to look at in each.
  private static let mostBuckets = 512
  /// No zone is further from UTC.
  private static let largestOffset = 26 * 3600
  /// Beyond it an instant is taken for this one, so that no sum overflows.
  private static let farthest = ZoneFile.farthestInstant * 2

  /// `transitions` ascend; types are indexes into `types`, of which `initial` is one.
  init(
    types: [LocalTimeType], initial: Int, transitions: [ZoneFile.Transition],
    footer: ZoneFooter?
  ) {
    var types = types
    let initialType = types[initial]
    let rule = footer.map(YearlyRule.init)
    var transitions = transitions
    if let rule, let last = transitions.last {
      // The rule applies from the last transition on, so it also gives the offset after it.
      let after = rule.type(at: last.instant)
      if types[last.type] != after {
        types.append(after)
        transitions[transitions.count - 1] = ZoneFile.Transition(
          instant: last.instant, type: types.count - 1)
      }
    }
    self.types = types
    self.footer = footer
    let ruleTypes = footer.map { [$0.standard] + ($0.daylight.map { [$0.type] } ?? []) } ?? []
    let all = (types + ruleTypes).map(\.utcOffset)
    offsets = (all.min() ?? 0)...(all.max() ?? 0)
    var listed: [Listed] = []
    listed.reserveCapacity(transitions.count)
    var offset = Int32(initialType.utcOffset)
    var isRegular = true
    var lastLocalEnd = Int.min
    for transition in transitions {
      let after = Int32(types[transition.type].utcOffset)
      let entry = Listed(
        instant: transition.instant, before: offset, after: after, type: Int32(transition.type))
      if entry.localStart < lastLocalEnd { isRegular = false }
      lastLocalEnd = entry.localEnd
      listed.append(entry)
      offset = after
    }
    if let last = listed.last, let next = rule?.transition(after: last.instant),
      next.instant.secondsSinceEpoch + min(next.before.utcOffset, next.after.utcOffset)
        < lastLocalEnd
    {
      isRegular = false
    }
    self.initial = initialType
    self.listed = listed
    self.rule = rule
    self.isRegular = isRegular
    firstInstant = listed.first?.instant ?? .max
    lastInstant = listed.last?.instant ?? .min

    initialOffset = initialType.utcOffset
    patterns = rule?.patterns ?? []
    if let rule {
      tail =
        rule.constant.map { .offset($0.utcOffset) } ?? (rule.patterns.isEmpty ? .rule : .patterns)
    } else {
      tail = .offset(listed.last.map { Int($0.after) } ?? initialType.utcOffset)
    }

    if listed.isEmpty {
      buckets = []
      shift = 0
      return
    }
    let span = lastInstant - firstInstant
    var shift = 0
    while span >> shift >= Self.mostBuckets { shift += 1 }
    self.shift = shift
    var buckets: [Int32] = []
    let count = (span >> shift) + 2
    buckets.reserveCapacity(count)
    var last = 0
    for bucket in 0..<count {
      let begin = firstInstant + bucket << shift
      while last + 1 < listed.count, listed[last + 1].instant <= begin { last += 1 }
      buckets.append(Int32(last))
    }
    self.buckets = buckets
  }

  /// The last listed transition at or before an instant, -1 where all come after it.
  @inline(__always)
  private func lastIndex(atOrBefore instant: Int) -> Int {
    guard instant >= firstInstant else { return -1 }
    guard instant < lastInstant else { return listed.count - 1 }
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
    return low
  }

  @inline(__always)
  private static func held(_ seconds: Int) -> Int { max(-farthest, min(seconds, farthest)) }

  func utcOffset(at instant: Int) -> Int {
    guard instant >= lastInstant else {
      let index = lastIndex(atOrBefore: instant)
      return index < 0 ? initialOffset : Int(listed[index].after)
    }
    switch tail {
    case .offset(let offset): return offset
    case .patterns: return YearlyRule.utcOffset(at: Self.held(instant), patterns)
    case .rule: return rule?.utcOffset(at: Self.held(instant)) ?? initialOffset
    }
  }

  func type(at instant: Int) -> LocalTimeType {
    if instant >= lastInstant, let rule { return rule.type(at: Self.held(instant)) }
    let index = lastIndex(atOrBefore: instant)
    return index < 0 ? initial : types[Int(listed[index].type)]
  }

  /// The offset by which a local time is read: in a gap or a fold the one before it.
  func utcOffset(ofLocal local: Int) -> Int {
    let local = Self.held(local)
    guard isRegular, !isJustAfterListed(local) else { return offsetByResolution(local) }
    guard local < lastInstant else {
      switch tail {
      case .offset(let offset): return offset
      case .patterns: return YearlyRule.utcOffset(ofLocal: local, patterns)
      case .rule: return rule?.utcOffset(ofLocal: local) ?? initialOffset
      }
    }
    var index = lastIndex(atOrBefore: local + Self.largestOffset)
    while index >= 0, listed[index].localEnd > local { index -= 1 }
    return index < 0 ? initialOffset : Int(listed[index].after)
  }

  private func offsetByResolution(_ local: Int) -> Int {
    switch resolution(ofLocal: local) {
    case .unique(let instant), .fold(let instant, _): return local - instant.secondsSinceEpoch
    case .gap(_, let before, _): return before
    }
  }

  /// Where the rule's view of the time before the last listed transition could still be seen.
  @inline(__always)
  private func isJustAfterListed(_ local: Int) -> Bool {
    !listed.isEmpty && abs(local - lastInstant) <= 2 * Self.largestOffset
  }

  func resolution(ofLocal local: Int) -> LocalResolution {
    let local = Self.held(local)
    if !listed.isEmpty, local <= lastInstant + 2 * Self.largestOffset {
      return resolutionNearListed(local)
    }
    if let rule { return rule.resolution(ofLocal: local) }
    return .unique(
      Instant(secondsSinceEpoch: local - (listed.last.map { Int($0.after) } ?? initialOffset)))
  }

  /// Looks at the transitions within reach of a local time, the rule's first ones among them.
  private func resolutionNearListed(_ local: Int) -> LocalResolution {
    let start = lastIndex(atOrBefore: local - Self.largestOffset)
    let end = lastIndex(atOrBefore: local + Self.largestOffset)
    var near: [(instant: Int, offset: Int)] = []
    if end > start {
      near = listed[(start + 1)...end].map { ($0.instant, Int($0.after)) }
    }
    let before = start < 0 ? initialOffset : Int(listed[start].after)
    if end == listed.count - 1, let rule {
      var last = lastInstant
      while let next = rule.transition(after: last), near.count < listed.count + 4,
        next.instant.secondsSinceEpoch <= local + Self.largestOffset
      {
        last = next.instant.secondsSinceEpoch
        near.append((last, next.after.utcOffset))
      }
    }
    return LocalResolution(ofLocal: local, offsetBeforeAll: before, changes: near)
  }

  func transition(after instant: Int) -> ZoneTransition? {
    let instant = Self.held(instant)
    var index = lastIndex(atOrBefore: instant) + 1
    while index < listed.count {
      if let found = transition(at: index) { return found }
      index += 1
    }
    return rule?.transition(after: max(instant, lastInstant))
  }

  func transition(before instant: Int) -> ZoneTransition? {
    let instant = Self.held(instant)
    if instant > lastInstant, let found = rule?.transition(before: instant),
      found.instant.secondsSinceEpoch > lastInstant
    {
      return found
    }
    var index = lastIndex(atOrBefore: instant &- 1)
    while index >= 0 {
      if let found = transition(at: index) { return found }
      index -= 1
    }
    return nil
  }

  /// `nil` if nothing changes at that place of the list.
  private func transition(at index: Int) -> ZoneTransition? {
    let before = index == 0 ? initial : types[Int(listed[index - 1].type)]
    let after = types[Int(listed[index].type)]
    guard before != after else { return nil }
    return ZoneTransition(
      instant: Instant(secondsSinceEpoch: listed[index].instant), before: before, after: after)
  }
}

extension ZoneTransitions {
  /// A digest of all offsets without the names of their types.
  var clockDigest: Int {
    var digest = StableDigest()
    digest.add(initialOffset)
    var last = initialOffset
    for entry in listed where entry.before != entry.after {
      digest.add(entry.instant)
      digest.add(Int(entry.after))
      last = Int(entry.after)
    }
    digest.add(footer?.standard.utcOffset ?? last)
    if let daylight = footer?.daylight {
      digest.add(daylight.type.utcOffset)
      for change in [daylight.start, daylight.end] {
        for weekday in Weekday.allCases {
          for leap in [false, true] {
            digest.add(change.seconds(leap: leap, firstWeekday: weekday))
          }
        }
      }
    }
    return Int(truncatingIfNeeded: digest.value)
  }
}

extension ZoneTransitions: Equatable {
  static func == (left: ZoneTransitions, right: ZoneTransitions) -> Bool {
    left === right
      || left.initial == right.initial && left.types == right.types && left.listed == right.listed
        && left.footer == right.footer
  }
}
