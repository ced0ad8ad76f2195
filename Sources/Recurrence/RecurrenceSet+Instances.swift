internal import CivilTime

extension RecurrenceSet {
  /// The occurrences in a window, in order of begin.
  ///
  /// Dates of the rules are made lazily. Single dates (overrides, RDATEs of another type) and
  /// what an override moved with all that follow it is placed at once, sorted, and merged in.
  public struct Instances: Sequence, IteratorProtocol, Sendable {
    /// Why the window was not gone through to its end, if it was not; known when it has ended.
    public private(set) var cut: Cut?

    private let window: Range<Instant>
    private let criterion: RecurrenceSet.Criterion
    private let viewer: Zone
    /// The occurrences of rules and dates: by date if that is enough, otherwise by period.
    private var run: DateRun?
    private var base: BaseStream?
    /// DTSTART. All other times have its form.
    private let form: EventTime
    private let length: OccurrenceLength
    private var head: Instance?
    private var placed: [Instance] = []
    private var nextPlaced = 0
    private let limit: Int
    private var given = 0
    private var followingSteps = 0
    /// How many occurrences of rules were gone through, with those that are excluded or duplicates.
    package var steps: Int { followingSteps + (base?.steps ?? 0) }

    init(
      _ set: RecurrenceSet, _ criterion: RecurrenceSet.Criterion, window: Range<Instant>,
      viewer: Zone,
      atMost limit: Int, mostExcluded: Int
    ) {
      self.criterion = criterion
      self.limit = Swift.min(limit, RecurrenceSet.ceiling)
      self.window = window
      self.viewer = viewer
      form = set.start
      let matcher = TimeMatcher(start: set.start, viewer: viewer)
      length = OccurrenceLength(from: set.start, set.extent, viewer: viewer)
      var longestDate = 0
      var shortest = length.atLeast
      for date in set.dates {
        guard let extent = date.extent else { continue }
        let length = OccurrenceLength(from: date.start, extent, viewer: viewer)
        longestDate = Swift.max(longestDate, length.atMost)
        shortest = Swift.min(shortest, length.atLeast)
      }
      let exclusions = Exclusions(set, matcher)
      let following =
        set.overrides.isEmpty
        ? []
        : set.overrides.indices.filter { set.overrides[$0].includesFollowing }
          .map { (key: matcher.key(set.overrides[$0].recurrenceID), override: $0) }
          .sorted { ($0.key, $0.override) < ($1.key, $1.override) }

      let reach = Swift.max(length.atMost, longestDate)
      let low = matcher.lowestKey(touching: window, reach: reach)
      let end = matcher.endKey(of: window).subtracting(criterion == .ending ? shortest : 0)
      let high = Swift.min(end, following.first?.key ?? .max)
      cut = set.cutByTable(window, viewer: viewer)
      run = DateRun(set, matcher, exclusions, from: low, before: high)
      if run == nil {
        base = BaseStream(
          set, matcher, exclusions, from: low, before: high,
          mostSteps: RecurrenceSet.mostSteps(for: limit), mostExcluded: mostExcluded)
      }

      let singles = following.isEmpty ? [] : Self.singles(of: set, matcher)
      for index in set.overrides.indices {
        // Its first occurrence was changed separately.
        if !singles.isEmpty, set.overrides[index].includesFollowing,
          singles.contains(
            matcher.key(matcher.written(set.overrides[index].recurrenceID, as: set.start)))
        {
          continue
        }
        let start = set.overrides[index].start
        var instance = Instance(
          start, OccurrenceLength(from: start, set.overrides[index].extent, viewer: viewer),
          recurrenceID: start, override: index, viewer: viewer)
        guard instance.meets(criterion, window) else { continue }
        instance.recurrenceID = matcher.written(
          set.overrides[index].recurrenceID, as: set.start)
        placed.append(instance)
      }
      let dates = following.isEmpty ? [] : BaseStream.dates(of: set, matcher)
      for (place, segment) in following.enumerated() {
        let end = place + 1 < following.count ? following[place + 1].key : Int.max
        placeFollowing(
          set, matcher, exclusions, override: segment.override, from: segment.key, before: end,
          dates: dates, longestDate: longestDate)
        if cut == .tooMany || cut == .tooManyExcluded { break }
      }
      if !matcher.isDate { placeWholeDays(set, exclusions) }
      placed.sort {
        ($0.begin, $0.finish, $0.override ?? -1) < ($1.begin, $1.finish, $1.override ?? -1)
      }
      advance()
    }

    /// The occurrences that overrides without RANGE replace.
    private static func singles(of set: RecurrenceSet, _ matcher: TimeMatcher) -> Set<Int> {
      Set(
        set.overrides.lazy.filter { !$0.includesFollowing }
          .map { matcher.key(matcher.written($0.recurrenceID, as: set.start)) })
    }

    private mutating func place(_ instance: Instance) {
      if instance.meets(criterion, window) { placed.append(instance) }
    }

    /// Moves what comes after an override as the override moved its own occurrence: by days and
    /// by time on the clock, in the zone of the override.
    private mutating func placeFollowing(
      _ set: RecurrenceSet, _ matcher: TimeMatcher, _ exclusions: Exclusions, override index: Int,
      from key: Int, before end: Int, dates: [Candidate], longestDate: Int
    ) {
      let override = set.overrides[index]
      let length = OccurrenceLength(from: override.start, override.extent, viewer: viewer)
      let zone: Zone = override.start.isDate ? matcher.zone : override.start.zone ?? viewer
      let sharesClock = !matcher.isDate && zone == matcher.zone
      /// What the clocks of the override's zone show. On the clocks of the series it is what the
      /// rule says, also in a gap, so that the day of the gap is shifted like its neighbours.
      func civil(ofKey key: Int, written: Int) -> Int {
        if sharesClock { return written }
        return matcher.isDate ? key : zone.civil(at: Instant(secondsSinceEpoch: key)).civilSeconds
      }
      let replaced = matcher.written(override.recurrenceID, as: set.start)
      let shift =
        override.start.civil.civilSeconds
        - civil(ofKey: matcher.key(replaced), written: replaced.civil.civilSeconds)
      // The clocks of two zones and their changes are at most two days apart.
      let slack = 2 * ClockTimes.secondsPerDay
      let low = matcher.lowestKey(
        touching: window, reach: Swift.max(length.atMost, longestDate) + slack)
      let high = matcher.endKey(of: window)
      let first = Swift.max(key, low.subtracting(shift))
      let last = Swift.min(end, high.subtracting(shift).subtracting(-slack))
      // A series can have many such overrides.
      guard first < last else { return }
      var stream = BaseStream(
        set, matcher, exclusions, from: first, before: last, dates: dates,
        mostSteps: RecurrenceSet.mostSteps(for: limit) - followingSteps)
      // The stream begins before the window and ends after it, by the slack: only what touches the
      // window counts, and the stream itself bounds the rest.
      while let candidate = stream.next() {
        guard placed.count <= set.overrides.count + limit else {
          cut = .tooMany
          break
        }
        let time = civil(ofKey: candidate.key, written: candidate.civil)
        guard let moved = CivilDateTime(civilSeconds: time + shift) else { continue }
        place(
          Instance(
            override.start.at(moved), stream.length(of: candidate, viewer: viewer) ?? length,
            recurrenceID: stream.time(of: candidate), override: index, viewer: viewer))
      }
      followingSteps += stream.steps
      if stream.wasCut, cut == nil { cut = .tooManyExcluded }
    }

    /// RDATEs that are dates in a timed series.
    private mutating func placeWholeDays(_ set: RecurrenceSet, _ exclusions: Exclusions) {
      var days: Set<CivilDate> = []
      for recurrenceDate in set.dates {
        guard case .date(let date) = recurrenceDate.start, days.insert(date).inserted,
          !exclusions.contains(day: Int(date.dayNumber))
        else { continue }
        let own = recurrenceDate.extent.map {
          OccurrenceLength(from: recurrenceDate.start, $0, viewer: viewer)
        }
        place(
          Instance(
            .date(date), own ?? length, recurrenceID: .date(date), override: nil, viewer: viewer))
      }
    }

    private mutating func advance() {
      head = nil
      while let candidate = run?.next() {
        guard let civil = CivilDateTime(civilSeconds: candidate.civil) else { continue }
        if take(form.at(civil), length) { return }
      }
      while let candidate = base?.next() {
        guard let start = base?.time(of: candidate) else { break }
        if take(start, base?.length(of: candidate, viewer: viewer) ?? length) { return }
      }
      if base?.wasCut == true, cut == nil { cut = .tooManyExcluded }
    }

    /// Whether what begins there is the next one.
    private mutating func take(_ start: EventTime, _ length: OccurrenceLength) -> Bool {
      let instance = Instance(
        start, length, recurrenceID: start, override: nil, viewer: viewer)
      if instance.meets(criterion, window) { head = instance }
      return head != nil
    }

    public mutating func next() -> Instance? {
      let waiting: Instance? = nextPlaced < placed.count ? placed[nextPlaced] : nil
      guard head != nil || waiting != nil else { return nil }
      guard given < limit else {
        cut = .tooMany
        return nil
      }
      given += 1
      if let waiting, head.map({ waiting.begin < $0.begin }) ?? true {
        nextPlaced += 1
        return waiting
      }
      defer { advance() }
      return head
    }
  }
}

extension Int {
  /// Without overflow.
  fileprivate func subtracting(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }
}
