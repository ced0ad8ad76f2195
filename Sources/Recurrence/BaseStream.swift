internal import CivilTime

/// What the rules and dates of a series give between two keys, less its exclusions, in order and
/// without duplicates.
struct BaseStream: Sendable {
  private let prepared: PreparedRecurrence
  private let low: Int
  private let high: Int
  private let mostSteps: Int
  private let mostExcluded: Int
  private var returned = 0
  private var rules = RuleStreams()
  private var exceptions = RuleStreams()
  /// Those of the set, and the ones among them that are not before `low`.
  private var dates: ArraySlice<Candidate> = []
  private var latest = Int.min
  private var isAtEnd = false
  /// Whether it ended for having gone through too many.
  private(set) var wasCut = false
  /// How many occurrences of rules it has gone through, with those that are excluded or duplicates.
  var steps: Int { rules.steps + exceptions.steps }

  init(
    _ prepared: PreparedRecurrence, from low: Int, before high: Int,
    mostSteps: Int = RecurrenceSet.excludedCeiling, mostExcluded: Int = .max
  ) {
    self.prepared = prepared
    self.mostExcluded = mostExcluded
    self.mostSteps = mostSteps
    self.low = low
    self.high = high
    guard low < high else { return }
    let matcher = prepared.matcher
    let from = CivilDateTime(civilSeconds: matcher.civilLowest(ofKey: max(low, -1 << 40)))
    rules = RuleStreams(
      of: prepared.set.rules, start: prepared.set.start, zone: matcher.zone, from: from)
    exceptions = RuleStreams(
      of: prepared.set.exceptionRules, start: prepared.set.start, zone: matcher.zone, from: from,
      givesStart: false)
    let all = prepared.dates
    let first = all.partitioningIndex { $0.key >= low }
    dates = all[first...].prefix(upTo: max(first, all.partitioningIndex { $0.key >= high }))
  }

  /// The single dates of a set, in order.
  static func dates(of set: RecurrenceSet, _ matcher: TimeMatcher) -> [Candidate] {
    if !set.rules.isEmpty, set.dates.isEmpty { return [] }
    var dates: [Candidate] = []
    func add(_ time: EventTime, date: Int?) {
      let key = matcher.key(time)
      dates.append(Candidate(key: key, civil: matcher.civil(ofKey: key), date: date))
    }
    if set.rules.isEmpty { add(set.start, date: nil) }
    for (index, date) in set.dates.enumerated() where matcher.isDate || !date.start.isDate {
      add(date.start, date: index)
    }
    // An occurrence with an explicit length comes before an equal one without.
    return dates.sorted {
      $0.key != $1.key ? $0.key < $1.key : set.hasExtent($0) && !set.hasExtent($1)
    }
  }

  mutating func next() -> Candidate? {
    while !isAtEnd, let candidate = nextAlsoExcluded() {
      guard candidate.key < high else { break }
      guard !hasTooMany else { break }
      guard candidate.key >= low else { continue }
      if prepared.exclusions.contains(candidate) || isException(candidate) { continue }
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
    if rules.count == 1, dates.isEmpty {
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
      if let date = dates.first {
        let wins = least.map {
          date.key < $0.key || (date.key == $0.key && prepared.set.hasExtent(date))
        }
        if wins ?? true {
          least = date
          isDate = true
        }
      }
      guard let least, !hasTooMany else { return least }
      if isDate { dates.removeFirst() } else { rules.advance() }
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
    let set = prepared.set
    if let date = candidate.date, !prepared.matcher.isDate { return set.dates[date].start }
    guard let civil = CivilDateTime(civilSeconds: candidate.civil) else { return set.start }
    return set.start.at(civil)
  }

  /// The length of an RDATE that is a period.
  func length(of candidate: Candidate) -> OccurrenceLength? {
    guard let index = candidate.date else { return nil }
    let date = prepared.set.dates[index]
    return date.extent.map { OccurrenceLength(from: date.start, $0, viewer: prepared.viewer) }
  }
}

extension RecurrenceSet {
  /// Whether it is an RDATE that is a period.
  fileprivate func hasExtent(_ candidate: Candidate) -> Bool {
    candidate.date.map { dates[$0].extent != nil } ?? false
  }
}
