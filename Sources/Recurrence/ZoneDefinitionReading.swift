internal import CivilTime

/// One reading of a definition: from observances to changes of the clocks.
struct ZoneDefinitionReading {
  private let definition: ZoneDefinition
  private(set) var problems: [ZoneDefinitionProblem] = []
  private var onsets: [Onset] = []

  /// An observance that can be used.
  private struct Usable {
    let number: Int
    let observance: ZoneDefinition.Observance
    let start: CivilDateTime
    let offsetFrom: Int
    let type: LocalTimeType
    /// The rules of every year without end, in the form that a zone keeps.
    var yearly: [YearlyChange]

    func instant(of civil: CivilDateTime) -> Instant {
      Instant(utc: civil).adding(seconds: -offsetFrom)
    }
  }

  /// A moment at which an observance begins.
  private struct Onset {
    let instant: Instant
    let type: LocalTimeType
  }

  init(_ definition: ZoneDefinition) {
    self.definition = definition
  }

  mutating func zone() -> Zone? {
    var observances = definition.observances
    if observances.count > ZoneDefinition.mostObservances {
      problems.append(.tooManyObservances(observances.count))
      observances.removeLast(observances.count - ZoneDefinition.mostObservances)
    }
    let usable = usable(observances)
    guard let earliest = usable.min(by: { $0.instant(of: $0.start) < $1.instant(of: $1.start) })
    else {
      problems.append(.noObservance)
      return nil
    }
    remark(usable)

    let pair = lastingPair(usable)
    for one in usable {
      addOnsets(of: one, lasting: pair)
    }
    let initial = LocalTimeType(
      utcOffset: earliest.offsetFrom, isDaylight: false,
      abbreviation: usable.first { $0.type.utcOffset == earliest.offsetFrom }?.type.abbreviation
        ?? earliest.type.abbreviation)
    return Zone(
      name: definition.identifier, origin: .definition, initial: initial,
      changes: changes(after: initial), footer: pair?.footer)
  }

  // MARK: Observances

  private mutating func usable(_ observances: [ZoneDefinition.Observance]) -> [Usable] {
    var usable: [Usable] = []
    for (index, observance) in observances.enumerated() {
      let number = index + 1
      let component = observance.component
      guard let start = observance.start else {
        problems.append(.missingStart(observance: number, component: component))
        continue
      }
      guard let offsetTo = observance.offsetTo else {
        problems.append(.missingOffsetTo(observance: number, component: component))
        continue
      }
      guard isPossible(offsetTo, number, component) else { continue }
      var offsetFrom = observance.offsetFrom
      if let given = offsetFrom, !isPossible(given, number, component) { offsetFrom = nil }
      if observance.offsetFrom == nil {
        problems.append(.missingOffsetFrom(observance: number, component: component))
      }
      let before = offsetFrom ?? offsetBefore(observance, in: observances) ?? offsetTo
      usable.append(
        Usable(
          number: number, observance: observance, start: start, offsetFrom: before,
          type: LocalTimeType(
            utcOffset: offsetTo, isDaylight: observance.isDaylight,
            abbreviation: observance.name ?? definition.identifier),
          yearly: observance.rules.compactMap { YearlyChange($0, start: start) }))
    }
    return usable
  }

  private mutating func isPossible(_ offset: Int, _ number: Int, _ component: String) -> Bool {
    if LocalTimeType.possibleOffsets.contains(offset) { return true }
    problems.append(
      .offsetOutOfRange(observance: number, component: component, offset: offset))
    return false
  }

  /// The offset of the other kind of observance, for one that does not state the offset before it.
  private func offsetBefore(
    _ observance: ZoneDefinition.Observance, in all: [ZoneDefinition.Observance]
  ) -> Int? {
    all.last { other in
      other.isDaylight != observance.isDaylight
        && other.offsetTo.map(LocalTimeType.possibleOffsets.contains) ?? false
    }?.offsetTo
  }

  private mutating func remark(_ usable: [Usable]) {
    let standard = usable.filter { !$0.type.isDaylight }
    let daylight = usable.filter { $0.type.isDaylight }
    if standard.isEmpty { problems.append(.onlyDaylight) }
    if standard.count == 1, daylight.count == 1,
      standard[0].type.utcOffset == daylight[0].type.utcOffset
    {
      problems.append(.identicalOffsets(standard[0].type.utcOffset))
    }
  }

  // MARK: The rule of every year

  /// The two observances that go on for ever, and the rule that they make.
  private struct LastingPair {
    let standard: Int
    let daylight: Int
    let footer: ZoneFooter
    /// The date from which only the rule matters.
    var takesOver: CivilDate
  }

  /// `nil` unless exactly one STANDARD and one DAYLIGHT go on for ever, by one yearly rule each.
  private func lastingPair(_ usable: [Usable]) -> LastingPair? {
    let lasting = usable.filter { one in one.observance.rules.contains(where: \.isEndless) }
    guard lasting.count == 2,
      lasting.allSatisfy({ $0.yearly.count == 1 && $0.observance.rules.count == 1 }),
      let standard = lasting.first(where: { !$0.type.isDaylight }),
      let daylight = lasting.first(where: { $0.type.isDaylight })
    else { return nil }
    // A zone's rule is on the clocks of its two types; a definition may count from other ones.
    func change(_ one: Usable, clockOffset: Int) -> YearlyChange {
      YearlyChange(day: one.yearly[0].day, time: one.yearly[0].time + clockOffset - one.offsetFrom)
    }
    let footer = ZoneFooter(
      standard: standard.type,
      daylight: ZoneFooter.Daylight(
        type: daylight.type,
        start: change(daylight, clockOffset: standard.type.utcOffset),
        end: change(standard, clockOffset: daylight.type.utcOffset)))
    var last = max(standard.start.date, daylight.start.date)
    for one in usable where one.number != standard.number && one.number != daylight.number {
      last = max(last, one.start.date)
      for date in one.observance.dates { last = max(last, date.civil.date) }
      for rule in one.observance.rules {
        guard let bound = expansion(rule, of: one, from: nil)?.bound else { return nil }
        last = max(last, bound.date)
      }
    }
    for date in standard.observance.dates + daylight.observance.dates {
      last = max(last, date.civil.date)
    }
    // Two more changes of each kind make sure that the rule begins with the right offset.
    guard let takesOver = last.adding(years: 2) else { return nil }
    return LastingPair(
      standard: standard.number, daylight: daylight.number, footer: footer, takesOver: takesOver)
  }

  // MARK: Onsets

  private func expansion(
    _ rule: Rule, of one: Usable, from: CivilDateTime?
  ) -> RuleExpansion? {
    // An UNTIL in UTC is compared with onsets by the offset before them.
    guard let clock = Zone(name: definition.identifier, fixedOffset: one.offsetFrom) else {
      return nil
    }
    return RuleExpansion(rule, start: .floating(one.start), viewer: clock, from: from)
  }

  private mutating func addOnsets(of one: Usable, lasting pair: LastingPair?) {
    add(one.instant(of: one.start), one)
    for date in one.observance.dates.prefix(ZoneDefinition.mostOnsets) {
      switch date {
      case .utc(let civil): add(Instant(utc: civil), one)
      case .date, .floating, .zoned: add(one.instant(of: date.civil), one)
      }
    }
    let horizon =
      pair?.takesOver
      ?? CivilDate(year: ZoneDefinition.lastYear, month: 12, day: 31) ?? .last
    for rule in one.observance.rules {
      guard let onsets = expansion(rule, of: one, from: nil) else { continue }
      var count = 0
      for civil in onsets {
        if civil.date > horizon { break }
        count += 1
        if count > ZoneDefinition.mostOnsetsOfRule || self.onsets.count >= ZoneDefinition.mostOnsets
        {
          problems.append(
            .tooManyOnsets(observance: one.number, component: one.observance.component))
          break
        }
        add(one.instant(of: civil), one)
      }
    }
  }

  private mutating func add(_ instant: Instant, _ one: Usable) {
    guard onsets.count <= ZoneDefinition.mostOnsets else { return }
    onsets.append(Onset(instant: instant, type: one.type))
  }

  /// The onsets in order, without those that change nothing. Of two at one moment STANDARD counts:
  /// careless definitions begin both on the first of January.
  private func changes(
    after initial: LocalTimeType
  ) -> [(instant: Instant, type: LocalTimeType)] {
    let sorted = onsets.sorted { left, right in
      left.instant != right.instant
        ? left.instant < right.instant : left.type.isDaylight && !right.type.isDaylight
    }
    var changes: [(instant: Instant, type: LocalTimeType)] = []
    for onset in sorted {
      if changes.last?.instant == onset.instant { changes.removeLast() }
      if changes.last?.type ?? initial == onset.type { continue }
      changes.append((onset.instant, onset.type))
    }
    return changes
  }
}

extension Rule {
  fileprivate var isEndless: Bool { count == nil && until == nil }
}
