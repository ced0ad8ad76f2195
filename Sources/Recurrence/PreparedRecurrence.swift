package import CivilTime

/// A set of occurrences for any number of windows: what does not depend on the window is worked out
/// once. A hostile series has as many exception dates and overrides as fit into a file.
package final class PreparedRecurrence: Sendable {
  let set: RecurrenceSet
  let viewer: Zone
  let matcher: TimeMatcher
  let exclusions: Exclusions
  let length: OccurrenceLength
  /// The greatest length of an RDATE that has its own.
  let longestDate: Int
  /// No occurrence is shorter.
  let shortest: Int
  /// The single dates, in order.
  let dates: [Candidate]
  /// The overrides at their own times.
  let overrides: [PlacedOverride]
  /// The overrides that also change the occurrences after their own, in order.
  let ranges: [MovedRange]
  /// The RDATEs that are dates in a timed series.
  let wholeDays: [RecurrenceSet.Instance]

  package init(_ set: RecurrenceSet, viewer: Zone) {
    self.set = set
    self.viewer = viewer
    let matcher = TimeMatcher(start: set.start, viewer: viewer)
    self.matcher = matcher
    let length = OccurrenceLength(from: set.start, set.extent, viewer: viewer)
    self.length = length
    var longestDate = 0
    var shortest = length.atLeast
    for date in set.dates {
      guard let extent = date.extent else { continue }
      let length = OccurrenceLength(from: date.start, extent, viewer: viewer)
      longestDate = max(longestDate, length.atMost)
      shortest = min(shortest, length.atLeast)
    }
    self.longestDate = longestDate
    self.shortest = shortest
    exclusions = Exclusions(set, matcher)
    dates = BaseStream.dates(of: set, matcher)
    ranges = MovedRange.all(of: set, matcher, viewer: viewer)
    overrides = PlacedOverride.all(of: set, matcher, ranges, viewer: viewer)
    wholeDays = set.wholeDays(matcher, exclusions, length, viewer: viewer)
  }

  /// As `RecurrenceSet.instances(touching:)`.
  package func instances(
    touching window: Range<Instant>, atMost limit: Int = RecurrenceSet.ceiling,
    mostExcluded: Int = .max
  ) -> RecurrenceSet.Instances {
    RecurrenceSet.Instances(
      self, .touching, window: window, atMost: limit, mostExcluded: mostExcluded)
  }

  /// As `RecurrenceSet.instances(ending:)`.
  package func instances(
    ending window: Range<Instant>, atMost limit: Int = RecurrenceSet.ceiling
  ) -> RecurrenceSet.Instances {
    RecurrenceSet.Instances(self, .ending, window: window, atMost: limit, mostExcluded: .max)
  }
}

/// An override at its own time.
struct PlacedOverride: Sendable {
  let begin: Instant
  let finish: Instant
  /// Its index.
  let override: Int

  fileprivate static func all(
    of set: RecurrenceSet, _ matcher: TimeMatcher, _ ranges: [MovedRange], viewer: Zone
  ) -> [PlacedOverride] {
    // The occurrences that overrides without RANGE replace.
    let singles =
      ranges.isEmpty
      ? []
      : Set(
        set.overrides.lazy.filter { !$0.includesFollowing }
          .map { matcher.key(matcher.written($0.recurrenceID, as: set.start)) })
    return set.overrides.indices.compactMap { index in
      // The first occurrence of a range can be changed separately.
      if !singles.isEmpty, set.overrides[index].includesFollowing,
        singles.contains(
          matcher.key(matcher.written(set.overrides[index].recurrenceID, as: set.start)))
      {
        return nil
      }
      let instance = set.instance(ofOverride: index, matcher, viewer: viewer)
      return PlacedOverride(begin: instance.begin, finish: instance.finish, override: index)
    }
  }
}

/// An override that moves what comes after its occurrence as it moved the occurrence: by days and by
/// time on the clock, in the zone of the override.
struct MovedRange: Sendable {
  /// The key of the first occurrence, and of the first one of the next range.
  let keys: Range<Int>
  /// The index of the override.
  let override: Int
  let length: OccurrenceLength
  /// How far it moves the occurrences, in seconds of civil time.
  let shift: Int
  private let zone: Zone
  private let isDate: Bool
  private let sharesClock: Bool

  private init(
    _ index: Int, keys: Range<Int>, of set: RecurrenceSet, _ matcher: TimeMatcher, viewer: Zone
  ) {
    let override = set.overrides[index]
    self.override = index
    self.keys = keys
    length = OccurrenceLength(from: override.start, override.extent, viewer: viewer)
    let zone = override.start.isDate ? matcher.zone : override.start.zone ?? viewer
    self.zone = zone
    isDate = matcher.isDate
    sharesClock = !matcher.isDate && zone == matcher.zone
    let replaced = matcher.written(override.recurrenceID, as: set.start)
    shift =
      override.start.civil.civilSeconds
      - Self.civil(
        ofKey: matcher.key(replaced), written: replaced.civil.civilSeconds, zone,
        isDate: isDate, sharesClock: sharesClock)
  }

  fileprivate static func all(
    of set: RecurrenceSet, _ matcher: TimeMatcher, viewer: Zone
  ) -> [MovedRange] {
    if set.overrides.isEmpty { return [] }
    let following = set.overrides.indices.filter { set.overrides[$0].includesFollowing }
      .map { (key: matcher.key(set.overrides[$0].recurrenceID), override: $0) }
      .sorted { ($0.key, $0.override) < ($1.key, $1.override) }
    return following.enumerated().map { place, segment in
      let end = place + 1 < following.count ? following[place + 1].key : Int.max
      return MovedRange(
        segment.override, keys: segment.key..<end, of: set, matcher, viewer: viewer)
    }
  }

  /// Where an occurrence of the series is moved to; `nil` beyond the calendar.
  func moved(_ candidate: Candidate) -> CivilDateTime? {
    CivilDateTime(
      civilSeconds: shift
        + Self.civil(
          ofKey: candidate.key, written: candidate.civil, zone, isDate: isDate,
          sharesClock: sharesClock))
  }

  /// What the clocks of the override's zone show. On the clocks of the series it is what the rule
  /// says, also in a gap, so that the day of the gap is shifted like its neighbours.
  private static func civil(
    ofKey key: Int, written: Int, _ zone: Zone, isDate: Bool, sharesClock: Bool
  ) -> Int {
    if sharesClock { return written }
    return isDate ? key : zone.civil(at: Instant(secondsSinceEpoch: key)).civilSeconds
  }
}

extension RecurrenceSet {
  /// An override at its own time.
  func instance(ofOverride index: Int, _ matcher: TimeMatcher, viewer: Zone) -> Instance {
    let override = overrides[index]
    return Instance(
      override.start, OccurrenceLength(from: override.start, override.extent, viewer: viewer),
      recurrenceID: matcher.written(override.recurrenceID, as: start), override: index,
      viewer: viewer)
  }

  fileprivate func wholeDays(
    _ matcher: TimeMatcher, _ exclusions: Exclusions, _ length: OccurrenceLength, viewer: Zone
  ) -> [Instance] {
    if matcher.isDate { return [] }
    var days: Set<CivilDate> = []
    var instances: [Instance] = []
    for recurrenceDate in dates {
      guard case .date(let date) = recurrenceDate.start, days.insert(date).inserted,
        !exclusions.contains(day: Int(date.dayNumber))
      else { continue }
      let own = recurrenceDate.extent.map {
        OccurrenceLength(from: recurrenceDate.start, $0, viewer: viewer)
      }
      instances.append(
        Instance(
          .date(date), own ?? length, recurrenceID: .date(date), override: nil, viewer: viewer))
    }
    return instances
  }
}
