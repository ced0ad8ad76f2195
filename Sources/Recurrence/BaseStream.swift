internal import CivilTime

/// What the rules and dates of a series give between two keys, less its exclusions, in order and
/// without duplicates.
struct BaseStream: Sendable {
  let set: RecurrenceSet
  private let matcher: TimeMatcher
  private let exclusions: Exclusions
  private let low: Int
  private let high: Int
  private let mostSteps: Int
  private let mostExcluded: Int
  private var returned = 0
  private var rules = RuleStreams()
  private var exceptions = RuleStreams()
  private var dates: [Candidate] = []
  private var nextDate = 0
  private var latest = Int.min
  private var isAtEnd = false
  /// Whether it ended for having gone through too many.
  private(set) var wasCut = false
  /// How many occurrences of rules it has gone through, with those that are excluded or duplicates.
  var steps: Int { rules.steps + exceptions.steps }

  init(
    _ set: RecurrenceSet, _ matcher: TimeMatcher, _ exclusions: Exclusions, from low: Int,
    before high: Int, mostSteps: Int = RecurrenceSet.excludedCeiling, mostExcluded: Int = .max
  ) {
    self.set = set
    self.mostExcluded = mostExcluded
    self.mostSteps = mostSteps
    self.matcher = matcher
    self.exclusions = exclusions
    self.low = low
    self.high = high
    guard low < high else { return }
    let from = CivilDateTime(civilSeconds: matcher.civilLowest(ofKey: max(low, -1 << 40)))
    rules = RuleStreams(
      set.rules.map { RuleStream($0, start: set.start, zone: matcher.zone, from: from) })
    exceptions = RuleStreams(
      set.exceptionRules.map {
        RuleStream($0, start: set.start, zone: matcher.zone, from: from, givesStart: false)
      })
    if set.rules.isEmpty { add(set.start, date: nil) }
    for (index, date) in set.dates.enumerated() where matcher.isDate || !date.start.isDate {
      add(date.start, date: index)
    }
    // An occurrence with an explicit length comes before an equal one without.
    dates = dates.sorted {
      $0.key != $1.key ? $0.key < $1.key : hasExtent($0) && !hasExtent($1)
    }
  }

  private mutating func add(_ time: EventTime, date: Int?) {
    let key = matcher.key(time)
    guard key >= low, key < high else { return }
    dates.append(Candidate(key: key, civil: matcher.civil(ofKey: key), date: date))
  }

  private func hasExtent(_ candidate: Candidate) -> Bool {
    candidate.date.map { set.dates[$0].extent != nil } ?? false
  }

  mutating func next() -> Candidate? {
    while !isAtEnd, let candidate = nextAlsoExcluded() {
      guard candidate.key < high else { break }
      guard !hasTooMany else { break }
      guard candidate.key >= low else { continue }
      if exclusions.contains(candidate) || isException(candidate) { continue }
      guard !hasTooMany else { break }
      returned += 1
      return candidate
    }
    wasCut = wasCut || hasTooMany
    isAtEnd = true
    return nil
  }

  private var hasTooMany: Bool { steps > mostSteps || steps - returned > mostExcluded }

  /// The next of all candidates, including excluded ones, without duplicates.
  private mutating func nextAlsoExcluded() -> Candidate? {
    if rules.count == 1, nextDate == dates.count {
      // The usual case: one rule and nothing else.
      while let candidate = rules.head {
        rules.advance()
        if candidate.key > latest {
          latest = candidate.key
          return candidate
        }
      }
      return nil
    }
    while true {
      var least = rules.head
      var isDate = false
      if nextDate < dates.count {
        let date = dates[nextDate]
        let wins = least.map { date.key < $0.key || (date.key == $0.key && hasExtent(date)) }
        if wins ?? true {
          least = date
          isDate = true
        }
      }
      guard let least, !hasTooMany else { return least }
      if isDate { nextDate += 1 } else { rules.advance() }
      if least.key > latest {
        latest = least.key
        return least
      }
    }
  }

  private mutating func isException(_ candidate: Candidate) -> Bool {
    while let head = exceptions.head, head.key < candidate.key, !hasTooMany {
      exceptions.advance()
    }
    return exceptions.head?.key == candidate.key
  }

  /// The start that the rule or the RDATE gives.
  func time(of candidate: Candidate) -> EventTime {
    if let date = candidate.date, !matcher.isDate { return set.dates[date].start }
    guard let civil = CivilDateTime(civilSeconds: candidate.civil) else { return set.start }
    return set.start.at(civil)
  }

  /// The length of an RDATE that is a period.
  func length(of candidate: Candidate, viewer: Zone) -> OccurrenceLength? {
    guard let index = candidate.date, let extent = set.dates[index].extent else { return nil }
    return OccurrenceLength(from: set.dates[index].start, extent, viewer: viewer)
  }
}
