internal import CivilTime

/// One reading of a definition: from observances to changes of the clocks.
struct ZoneDefinitionReading {
  private let definition: ZoneDefinition
  private(set) var problems: [ZoneDefinitionProblem] = []
  private var types: [LocalTimeType] = []
  private var onsets: [Onset] = []
  /// The onsets after this one come again every 400 years.
  private var firstRepeated: Instant?

  /// An observance that can be used.
  private struct Usable {
    let number: Int
    let observance: ZoneDefinition.Observance
    let start: CivilDateTime
    let offsetFrom: Int
    /// Index of its type.
    let type: Int

    func instant(of civil: CivilDateTime) -> Instant {
      Instant(utc: civil).adding(seconds: -offsetFrom)
    }
  }

  /// A moment at which an observance begins.
  private struct Onset {
    let instant: Instant
    let isDaylight: Bool
    /// Index of the type that it begins.
    let type: Int
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

    let sameOffset = usable.first { types[$0.type].utcOffset == earliest.offsetFrom }
    let initial = typeIndex(
      of: LocalTimeType(
        utcOffset: earliest.offsetFrom, isDaylight: false,
        abbreviation: types[(sameOffset ?? earliest).type].abbreviation))
    addOnsets(of: usable)
    let changes = changes(after: initial)
    let repeating = firstRepeated.map { first in changes.count { $0.instant > first } }
    return Zone(
      name: definition.identifier, origin: .definition, types: types, initial: initial,
      changes: changes,
      repeating: repeating ?? 0)
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
          type: typeIndex(
            of: LocalTimeType(
              utcOffset: offsetTo, isDaylight: observance.isDaylight,
              abbreviation: observance.name ?? definition.identifier))))
    }
    return usable
  }

  private mutating func typeIndex(of type: LocalTimeType) -> Int {
    if let known = types.firstIndex(of: type) { return known }
    types.append(type)
    return types.count - 1
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
    let standard = usable.map { types[$0.type] }.filter { !$0.isDaylight }
    let daylight = usable.map { types[$0.type] }.filter(\.isDaylight)
    if standard.isEmpty { problems.append(.onlyDaylight) }
    if standard.count == 1, daylight.count == 1, standard[0].utcOffset == daylight[0].utcOffset {
      problems.append(.identicalOffsets(standard[0].utcOffset))
    }
  }

  // MARK: Onsets

  /// All onsets until only the rules without end are left, and then those of 400 years.
  private mutating func addOnsets(of usable: [Usable]) {
    var settled = CivilDate.first
    var areRepeating = true
    var endless: [(rule: Rule, one: Usable)] = []
    for one in usable {
      settled = ([one.start] + one.observance.dates.map(\.civil)).reduce(settled) {
        max($0, $1.date)
      }
      for rule in one.observance.rules {
        if let last = expansion(rule, of: one)?.bound?.date {
          if last > Self.lastDate { areRepeating = false } else { settled = max(settled, last) }
        } else {
          endless.append((rule, one))
          let cycle = RuleParts(rule, start: one.start, isDate: false).cycle
          if rule.count != nil || cycle != GregorianCycle.seconds { areRepeating = false }
        }
      }
    }
    // In UTC the dates of different offsets are no more than two days apart.
    let last = areRepeating ? settled.adding(days: 2) ?? .last : Self.lastDate
    for one in usable {
      add(one.instant(of: one.start), one)
      for date in one.observance.dates.prefix(ZoneDefinition.mostOnsets) {
        switch date {
        case .utc(let civil): add(Instant(utc: civil), one)
        case .date, .floating, .zoned: add(one.instant(of: date.civil), one)
        }
      }
      for rule in one.observance.rules { _ = add(rule, of: one) { civil, _ in civil.date <= last } }
    }

    guard areRepeating, let begin = last.adding(days: 1) else { return }
    let from = CivilDateTime(begin, .midnight)
    let first = endless.compactMap { rule, one in
      expansion(rule, of: one, from: from)?.first { _ in true }.map(one.instant(of:))
    }.min()
    guard let first else { return }
    let end = first.adding(seconds: GregorianCycle.seconds)
    for (rule, one) in endless {
      // A rule of every month fits.
      let most = GregorianCycle.months + 1
      if !add(rule, of: one, from: from, atMost: most, while: { $1 <= end }) {
        areRepeating = false
      }
    }
    if areRepeating, end < Instant(utc: CivilDateTime(.last, .midnight)) { firstRepeated = first }
  }

  /// Rules that do not repeat every 400 years are expanded up to here.
  private static let lastDate = CivilDate(year: 2200, month: 12, day: 31) ?? .last

  private func expansion(
    _ rule: Rule, of one: Usable, from: CivilDateTime? = nil
  ) -> RuleExpansion? {
    // An UNTIL in UTC is compared with onsets by the offset before them.
    guard let clock = Zone(name: definition.identifier, fixedOffset: one.offsetFrom) else {
      return nil
    }
    return RuleExpansion(rule, start: .floating(one.start), viewer: clock, from: from)
  }

  /// Returns whether all onsets were added.
  private mutating func add(
    _ rule: Rule, of one: Usable, from: CivilDateTime? = nil,
    atMost most: Int = ZoneDefinition.mostOnsetsOfRule,
    while isWanted: (CivilDateTime, Instant) -> Bool
  ) -> Bool {
    var count = 0
    guard let expansion = expansion(rule, of: one, from: from) else { return true }
    for civil in expansion {
      let instant = one.instant(of: civil)
      if !isWanted(civil, instant) { break }
      count += 1
      if count > most || onsets.count >= ZoneDefinition.mostOnsets {
        let problem = ZoneDefinitionProblem.tooManyOnsets(
          observance: one.number, component: one.observance.component)
        if !problems.contains(problem) { problems.append(problem) }
        return false
      }
      add(instant, one)
    }
    return true
  }

  private mutating func add(_ instant: Instant, _ one: Usable) {
    guard onsets.count <= ZoneDefinition.mostOnsets else { return }
    onsets.append(Onset(instant: instant, isDaylight: types[one.type].isDaylight, type: one.type))
  }

  /// The onsets in order, without those that change nothing. Of two at one moment STANDARD counts:
  /// careless definitions begin both on the first of January.
  private func changes(after initial: Int) -> [(instant: Instant, type: Int)] {
    let sorted = onsets.sorted { left, right in
      left.instant != right.instant
        ? left.instant < right.instant : left.isDaylight && !right.isDaylight
    }
    var changes: [(instant: Instant, type: Int)] = []
    for onset in sorted {
      if changes.last?.instant == onset.instant { changes.removeLast() }
      if changes.last?.type ?? initial == onset.type { continue }
      changes.append((onset.instant, onset.type))
    }
    return changes
  }
}
