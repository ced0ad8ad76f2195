internal import CivilTime

extension RecurrenceSet {
  /// The occurrences in a window, in order of begin.
  ///
  /// Dates of the rules are made lazily. Single dates (overrides, RDATEs of another type) and
  /// what an override moved with all that follow it is placed at once, sorted, and merged in.
  public struct Instances: Sequence, IteratorProtocol, Sendable {
    /// Why the window was not gone through to its end, if it was not; known when it has ended.
    public private(set) var cut: Cut?

    private let prepared: PreparedRecurrence
    private let window: Range<Instant>
    private let criterion: RecurrenceSet.Criterion
    /// The occurrences of rules and dates.
    private var base: BaseStream
    private var head: Instance?
    private var placed: [Instance] = []
    private var nextPlaced = 0
    private let limit: Int
    private var given = 0
    private var followingSteps = 0
    /// How many occurrences of rules were gone through, with those that are excluded or duplicates.
    package var steps: Int { followingSteps + base.steps }

    init(
      _ prepared: PreparedRecurrence, _ criterion: RecurrenceSet.Criterion,
      window: Range<Instant>, atMost limit: Int, mostExcluded: Int
    ) {
      self.prepared = prepared
      self.criterion = criterion
      self.limit = Swift.min(limit, RecurrenceSet.ceiling)
      self.window = window
      let matcher = prepared.matcher
      let reach = Swift.max(prepared.length.atMost, prepared.longestDate)
      let low = matcher.lowestKey(touching: window, reach: reach)
      let end = matcher.endKey(of: window)
        .subtracting(criterion == .ending ? prepared.shortest : 0)
      let high = Swift.min(end, prepared.ranges.first?.keys.lowerBound ?? .max)
      cut = prepared.set.cutByTable(window, viewer: prepared.viewer)
      base = BaseStream(
        prepared, from: low, before: high, mostSteps: RecurrenceSet.mostSteps(for: limit),
        mostExcluded: mostExcluded)

      for override in prepared.overrides
      where criterion.isMet(by: override.begin, override.finish, window) {
        placed.append(
          prepared.set.instance(ofOverride: override.override, matcher, viewer: prepared.viewer))
      }
      for range in prepared.ranges {
        place(range)
        if cut == .tooMany || cut == .tooManyExcluded { break }
      }
      placed += prepared.wholeDays.lazy.filter { $0.meets(criterion, window) }
      placed.sort {
        ($0.begin, $0.finish, $0.override ?? -1) < ($1.begin, $1.finish, $1.override ?? -1)
      }
      advance()
    }

    /// Places the occurrences that an override with RANGE moves.
    private mutating func place(_ range: MovedRange) {
      let (set, matcher) = (prepared.set, prepared.matcher)
      // The clocks of two zones and their changes are at most two days apart.
      let slack = 2 * ClockTimes.secondsPerDay
      let low = matcher.lowestKey(
        touching: window, reach: Swift.max(range.length.atMost, prepared.longestDate) + slack)
      let high = matcher.endKey(of: window)
      let first = Swift.max(range.keys.lowerBound, low.subtracting(range.shift))
      let last = Swift.min(
        range.keys.upperBound, high.subtracting(range.shift).subtracting(-slack))
      // A series can have many such overrides.
      guard first < last else { return }
      var stream = BaseStream(
        prepared, from: first, before: last,
        mostSteps: RecurrenceSet.mostSteps(for: limit) - followingSteps)
      // The stream begins before the window and ends after it, by the slack: only what touches the
      // window counts, and the stream itself bounds the rest.
      while let candidate = stream.next() {
        guard placed.count <= set.overrides.count + limit else {
          cut = .tooMany
          break
        }
        guard let moved = range.moved(candidate) else { continue }
        let instance = Instance(
          set.overrides[range.override].start.at(moved),
          stream.length(of: candidate) ?? range.length, recurrenceID: stream.time(of: candidate),
          override: range.override, viewer: prepared.viewer)
        if instance.meets(criterion, window) { placed.append(instance) }
      }
      followingSteps += stream.steps
      if stream.wasCut, cut == nil { cut = .tooManyExcluded }
    }

    private mutating func advance() {
      head = nil
      while let candidate = base.next() {
        let length = base.length(of: candidate) ?? prepared.length
        if take(base.time(of: candidate), length) { return }
      }
      if base.wasCut, cut == nil { cut = .tooManyExcluded }
    }

    /// Whether what begins there is the next one.
    private mutating func take(_ start: EventTime, _ length: OccurrenceLength) -> Bool {
      let instance = Instance(
        start, length, recurrenceID: start, override: nil, viewer: prepared.viewer)
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
