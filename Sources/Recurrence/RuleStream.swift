internal import CivilTime

/// One occurrence that a rule or an RDATE gives.
struct Candidate: Sendable {
  /// What orders and matches it: its instant; of a whole-day series its date, as seconds of civil
  /// time.
  let key: Int
  /// Seconds of civil time in the series' zone.
  let civil: Int
  /// The index of the RDATE, if it has an explicit start or length.
  var date: Int?
}

/// The occurrences of a rule in the order of their instants.
///
/// Civil times order instants but for those that fall into a gap: they move behind some that
/// come after them.
struct RuleStream: Sendable {
  private var iterator: RuleExpansion.Iterator
  private let zone: Zone
  /// Whether two occurrences can be less than a day apart, so that order matters in a gap.
  private let isDense: Bool
  private(set) var head: Candidate?
  /// Moved out of a gap, in order.
  private var moved: [Candidate] = []
  private var movedPlace = 0
  private var ahead: Candidate?

  init(
    _ rule: Rule, start: EventTime, zone: Zone, from: CivilDateTime?, givesStart: Bool = true
  ) {
    iterator = RuleExpansion(
      rule, start: start, viewer: zone, from: from, givesStart: givesStart
    ).makeIterator()
    self.zone = zone
    let hasTimes =
      rule.frequency < .daily || rule.byHour.count > 1 || rule.byMinute.count > 1
      || rule.bySecond.count > 1
    // DTSTART need not be at the time of day of the rest.
    let hasOwnTime = !rule.byHour.isEmpty || !rule.byMinute.isEmpty || !rule.bySecond.isEmpty
    isDense = zone != .utc && (hasTimes || hasOwnTime)
    advance()
  }

  mutating func advance() {
    head = isDense ? nextInOrder() : pull()
  }

  private mutating func pull() -> Candidate? {
    while let second = iterator.nextCivilSecond() {
      guard let civil = CivilDateTime(civilSeconds: second) else { continue }
      let key = zone == .utc ? second : zone.instant(of: civil).secondsSinceEpoch
      return Candidate(key: key, civil: second)
    }
    return nil
  }

  private mutating func nextInOrder() -> Candidate? {
    while ahead == nil, let candidate = pull() {
      let shown = zone.civil(at: Instant(secondsSinceEpoch: candidate.key)).civilSeconds
      if shown == candidate.civil {
        ahead = candidate
      } else {
        moved.append(candidate)
      }
    }
    if movedPlace < moved.count {
      let first = moved[movedPlace]
      if first.key <= ahead?.key ?? .max {
        movedPlace += 1
        return first
      }
    } else if !moved.isEmpty {
      moved.removeAll(keepingCapacity: true)
      movedPlace = 0
    }
    defer { ahead = nil }
    return ahead
  }
}
