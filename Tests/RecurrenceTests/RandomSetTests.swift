import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Random recurrence sets against a naive one that is written from the definition of a set: all
/// that the rules and dates give is listed, then what is excluded is taken away, then each
/// override is put where it says.
@Suite struct RandomSetTests {
  // Checks RFC 5545: 3.3.10/29, 3.8.4.4/4, 3.8.4.4/5, 3.8.5.1/2, 3.8.5.2/2
  // Checks Decisions: Recurrence/3, Recurrence/6, Recurrence/7, Small decisions/5
  @Test(
    "random sets match listing, removing and moving by hand",
    arguments: [0, 1, 2, 3])
  func againstNaive(_ part: Int) {
    var generator = SeededGenerator(seed: 5545 + UInt64(part))
    var held = 0
    for _ in 0..<Counts.randomSets {
      let loose = LooseSet.random(using: &generator)
      guard let difference = loose.difference else {
        held += loose.naive.count
        continue
      }
      let smallest = loose.shrunk()
      Issue.record("\(smallest): \(smallest.difference ?? difference)")
      return
    }
    #expect(held > 2 * Counts.randomSets)
    Tally.report(
      "sets against a naive one", ["sets": Counts.randomSets, "occurrences": held])
  }

  @Test(
    "a rule gives the same dates in a short window as in a long one",
    arguments: [Rule.Frequency.daily, .weekly, .monthly, .yearly])
  func shortWindows(_ frequency: Rule.Frequency) throws {
    var generator = SeededGenerator(seed: 4747 + UInt64(frequency.rawValue))
    let zones = [RecurrenceSetTests.berlin, RecurrenceSetTests.newYork, .utc]
    var held = 0
    var dismissed = 0
    var dismissedByDateOfUTC = 0
    for _ in 0..<Counts.randomRulesOfEachFrequency / 10 {
      let loose = LooseRule.random(frequency, using: &generator)
      guard let rule = loose.rule else { continue }
      let viewer = zones.randomElement(using: &generator) ?? .utc
      let zone = zones.randomElement(using: &generator) ?? .utc
      var start = loose.startTime
      if !loose.isDate, generator.chance(80) { start = .zoned(start.civil, zone) }
      let isShort = generator.chance(60)
      let extent = Extent.duration(
        EventDuration(
          days: isShort ? 0 : generator.number(0...1),
          seconds: generator.number(0...(isShort ? 7200 : 90_000))))
      var set = RecurrenceSet(start: start, extent: extent, rules: [rule])
      let first = start.instant(for: viewer).adding(seconds: -3 * 86400)
      let long = first..<first.adding(seconds: 900 * 86400)
      let all = Array(set.instances(touching: long, viewer: viewer).prefix(3000))
      // An exclusion and an override now and then, each of what the rule gives.
      if generator.chance(30), let gone = all.randomElement(using: &generator) {
        set.exceptionDates = [gone.start]
      }
      if generator.chance(30), let moved = all.randomElement(using: &generator) {
        set.overrides = [.init(recurrenceID: moved.start, start: moved.start, extent: .unstated)]
      }
      let expected = Array(set.instances(touching: long, viewer: viewer).prefix(3000))
      let covered = expected.count < 3000 ? 860 : 30
      let prepared = PreparedRecurrence(set, viewer: viewer)
      for _ in 0..<12 {
        let begin = first.adding(seconds: generator.number(0...covered) * 86400)
        let window = begin..<begin.adding(seconds: generator.number(1...9) * 86400)
        let found = Array(prepared.instances(touching: window))
        let wanted = expected.filter { $0.touches(window) }
        held += wanted.count
        if set.surelyMisses(window, viewer: viewer) { #expect(wanted.isEmpty, "\(loose)") }
        let touched = TouchedDays(set)
        if !touched.meets(TouchedDays.Window(window).days) {
          #expect(wanted.isEmpty, "\(loose) \(set) in \(window) for \(viewer.name)")
          dismissed += 1
        }
        let parts = [0, 7, 24].map { hours in
          begin.adding(seconds: hours * 3600)..<begin.adding(seconds: hours * 3600 + 5 * 3600)
        }
        for part in parts + [window]
        where touched.knowsDateOfUTC && !touched.meets(datesOfUTCIn: part) {
          let lost = expected.filter { $0.touches(part) }
          #expect(lost.isEmpty, "\(loose) \(set) in \(part) for \(viewer.name)")
          dismissedByDateOfUTC += 1
        }
        guard found != wanted else { continue }
        Issue.record("\(loose) \(set) in \(window) for \(viewer.name): \(found), not \(wanted)")
        return
      }
    }
    #expect(held > Counts.randomRulesOfEachFrequency / 20)
    if frequency > .daily {
      #expect(dismissed > Counts.randomRulesOfEachFrequency / 30)
      #expect(dismissedByDateOfUTC > Counts.randomRulesOfEachFrequency / 30)
    }
  }
}

extension TouchedDays {
  fileprivate var knowsDateOfUTC: Bool { bits & Self.isOnDateOfUTC != 0 }

  /// As the store's query compares them.
  fileprivate func meets(_ other: TouchedDays) -> Bool {
    [Self.weekdays, Self.monthDays, Self.months].allSatisfy { bits & other.bits & $0 != 0 }
  }

  fileprivate func meets(datesOfUTCIn span: Range<Instant>) -> Bool {
    let window = TouchedDays.Window(span)
    return meets(window.datesOfUTC)
      && (bits & Self.lastHour >= window.beginHour || meets(window.laterDates))
      && (bits & Self.firstHour <= window.endHour || meets(window.earlierDates))
  }
}

/// A set in pieces, so that it can be made smaller.
private struct LooseSet: CustomStringConvertible {
  var start = EventTime.date(.first)
  var extent = Extent.unstated
  var rules: [LooseRule] = []
  var exceptions: [LooseRule] = []
  var dates: [RecurrenceDate] = []
  var exceptionDates: [EventTime] = []
  var overrides: [RecurrenceSet.Override] = []
  var viewer = Zone.utc
  var firstDay = 0
  var dayCount = 1

  static let zones = [RecurrenceSetTests.berlin, RecurrenceSetTests.newYork, .utc]
  static let day = 86400
  /// How many days after DTSTART the naive set is asked about.
  static let horizon = 110

  var set: RecurrenceSet {
    RecurrenceSet(
      start: start, extent: extent, rules: rules.compactMap(\.rule),
      exceptionRules: exceptions.compactMap(\.rule), dates: dates,
      exceptionDates: exceptionDates, overrides: overrides)
  }

  var window: Range<Instant> {
    let first = CivilDate(dayNumber: firstDay) ?? .first
    let end = CivilDate(dayNumber: firstDay + dayCount) ?? .last
    return viewer.startOfDay(first)..<viewer.startOfDay(end)
  }

  var description: String {
    func text(_ time: EventTime) -> String {
      "\(time.civil)[\(time.isDate ? "date" : time.zone?.name ?? "floating")]"
    }
    return """
      DTSTART \(text(start)) \(extent) RRULE \(rules.compactMap(\.rule)) EXRULE \
      \(exceptions.compactMap(\.rule)) RDATE \(dates.map { "\(text($0.start)) \($0.extent.map { "\($0)" } ?? "")" }) \
      EXDATE \(exceptionDates.map(text)) overrides \
      \(overrides.map { "\(text($0.recurrenceID))\($0.includesFollowing ? "+" : "") -> \(text($0.start)) \($0.extent)" }) \
      viewer \(viewer.name) window \(window.lowerBound) \(window.upperBound)
      """
  }

  // MARK: Naive

  struct Placed: Comparable, CustomStringConvertible {
    var begin: Int
    var finish: Int
    var start: EventTime
    var recurrenceID: EventTime
    var override: Int?

    var sortKey: [String] {
      [
        String(begin + 1_000_000_000_000), String(finish + 1_000_000_000_000), "\(start)",
        "\(recurrenceID.civil)", "\(override ?? -1)",
      ]
    }
    static func < (left: Placed, right: Placed) -> Bool {
      left.sortKey.lexicographicallyPrecedes(right.sortKey)
    }
    var description: String {
      "\(Instant(secondsSinceEpoch: begin))-\(Instant(secondsSinceEpoch: finish)) id \(recurrenceID.civil) override \(override ?? -1)"
    }
  }

  var zone: Zone { start.isDate ? .utc : start.zone ?? viewer }

  /// The date that a moment means in a series of whole days: that of the nearest midnight.
  func date(_ time: EventTime) -> CivilDate {
    guard case .utc(let civil) = time else { return time.civil.date }
    return Self.nearestMidnight(civil)
  }

  static func nearestMidnight(_ civil: CivilDateTime) -> CivilDate {
    civil.time.hour < 12 ? civil.date : civil.date.adding(days: 1) ?? civil.date
  }

  /// What is compared: the moment, or the midnight of the date.
  func key(_ time: EventTime) -> Int {
    if start.isDate { return Int(date(time).dayNumber) * Self.day }
    if case .date(let date) = time {
      return zone.instant(of: CivilDateTime(date, .midnight)).secondsSinceEpoch
    }
    return time.instant(for: viewer).secondsSinceEpoch
  }

  /// A civil time in the form of DTSTART.
  func like(_ form: EventTime, _ civil: CivilDateTime) -> EventTime {
    switch form {
    case .date: .date(civil.date)
    case .floating: .floating(civil)
    case .zoned(_, let zone): .zoned(civil, zone)
    case .utc: .utc(civil)
    }
  }

  func civil(_ seconds: Int) -> CivilDateTime {
    CivilDateTime(civilSeconds: seconds) ?? CivilDateTime(.first, .midnight)
  }

  func normalized(_ time: EventTime) -> EventTime {
    if start.isDate { return .date(date(time)) }
    if case .date(let date) = time { return like(start, CivilDateTime(date, start.civil.time)) }
    if time.zone == start.zone { return like(start, time.civil) }
    return like(start, zone.civil(at: Instant(secondsSinceEpoch: key(time))))
  }

  static func seconds(of loose: LooseRule, start: Int, isDate: Bool, givesStart: Bool) -> [Int] {
    guard let rule = loose.rule else { return [] }
    let brute = BruteForce(rule, start: start, isDate: isDate)
    var found = brute.expand(throughDay: start / day + horizon + 10, most: 5000).seconds
    switch rule.until {
    case .date(let date): found.removeAll { $0 / day > Int(date.dayNumber) && $0 > start }
    case .utc(let civil) where isDate && civil.time.second == 0 && civil.time.minute % 15 == 0:
      let last = Int(nearestMidnight(civil).dayNumber)
      found.removeAll { $0 / day > last && $0 > start }
    case .local(let civil), .utc(let civil):
      found.removeAll {
        $0 > start
          && (isDate ? $0 / day > Int(civil.date.dayNumber) : $0 > civil.civilSeconds)
      }
    case nil: break
    }
    // The rules here have no times but DTSTART's, so that its day decides whether it is included.
    if !givesStart, !brute.satisfies(brute.startDay) { found.removeAll { $0 == start } }
    return isDate ? Set(found.map { $0 / day * day }).sorted() : found
  }

  /// How long something lasts: days on the calendar, then seconds.
  func length(_ start: EventTime, _ extent: Extent) -> (days: Int, seconds: Int) {
    switch extent {
    case .unstated: return start.isDate ? (1, 0) : (0, 0)
    case .end(let end):
      if start.isDate { return (max(1, start.civil.date.days(until: end.civil.date)), 0) }
      let finish =
        end.isDate
        ? (start.zone ?? viewer).instant(of: CivilDateTime(end.civil.date, .midnight))
        : end.instant(for: viewer)
      return (0, max(0, finish.secondsSinceEpoch - start.instant(for: viewer).secondsSinceEpoch))
    case .duration(let duration):
      if start.isDate {
        return (max(1, duration.days + (duration.seconds + Self.day - 1) / Self.day), 0)
      }
      return (duration.days, duration.seconds)
    }
  }

  func place(
    _ start: EventTime, _ length: (days: Int, seconds: Int), _ id: EventTime, _ override: Int?
  ) -> Placed? {
    var length = length
    if start.isDate, length.seconds > 0 {
      length = (length.days + (length.seconds + Self.day - 1) / Self.day, 0)
    }
    if start.isDate { length.days = max(1, length.days) }
    let begin = start.instant(for: viewer)
    let finish: Instant
    if start.isDate {
      finish = viewer.startOfDay(start.civil.date.adding(days: length.days) ?? .last)
    } else if length.days == 0 {
      finish = begin.adding(seconds: length.seconds)
    } else {
      let end = CivilDateTime(
        start.civil.date.adding(days: length.days) ?? .last, start.civil.time)
      finish = (start.zone ?? viewer).instant(of: end).adding(seconds: length.seconds)
    }
    let held = max(begin, finish)
    let touches =
      held == begin
      ? window.contains(begin) : begin < window.upperBound && held > window.lowerBound
    guard touches else { return nil }
    return Placed(
      begin: begin.secondsSinceEpoch, finish: held.secondsSinceEpoch, start: start,
      recurrenceID: id, override: override)
  }

  var naive: [Placed] {
    let first = start.civil.civilSeconds
    /// Civil seconds and the RDATE it is of, by key.
    var given: [Int: (civil: Int, date: Int?)] = [:]
    func keyOfRule(_ seconds: Int) -> Int {
      start.isDate ? seconds : zone.instant(of: civil(seconds)).secondsSinceEpoch
    }
    for rule in rules {
      for seconds in Self.seconds(of: rule, start: first, isDate: start.isDate, givesStart: true) {
        let key = keyOfRule(seconds)
        // In a gap two local times can be one moment; the earlier one stays.
        given[key] = (min(seconds, given[key]?.civil ?? .max), nil)
      }
    }
    if rules.isEmpty { given[key(start)] = (first, nil) }
    for (index, date) in dates.enumerated() where start.isDate || !date.start.isDate {
      let key = key(date.start)
      let own = start.isDate ? key : zone.civil(at: Instant(secondsSinceEpoch: key)).civilSeconds
      let isBetter =
        given[key].map { old in
          date.extent != nil && (old.date.map { dates[$0].extent == nil } ?? true)
        } ?? true
      if isBetter { given[key] = (own, index) }
    }
    var excludedKeys: Set<Int> = []
    var excludedDays: Set<Int> = []
    for time in exceptionDates + overrides.map(\.recurrenceID) {
      if time.isDate, !start.isDate {
        excludedDays.insert(Int(time.civil.date.dayNumber))
      } else {
        excludedKeys.insert(key(time))
      }
    }
    for rule in exceptions {
      for seconds in Self.seconds(of: rule, start: first, isDate: start.isDate, givesStart: false) {
        excludedKeys.insert(keyOfRule(seconds))
      }
    }
    let following = overrides.indices.filter { overrides[$0].includesFollowing }
      .sorted { key(overrides[$0].recurrenceID) < key(overrides[$1].recurrenceID) }
    var placed: [Placed?] = []
    for (key, one) in given where !excludedKeys.contains(key) {
      if excludedDays.contains(one.civil / Self.day) { continue }
      let date = one.date.map { dates[$0] }
      let ownStart =
        start.isDate ? .date(civil(one.civil).date) : date?.start ?? like(start, civil(one.civil))
      let ownLength = date?.extent.map { length(date?.start ?? start, $0) }
      guard let index = following.last(where: { self.key(overrides[$0].recurrenceID) <= key })
      else {
        placed.append(place(ownStart, ownLength ?? length(start, extent), ownStart, nil))
        continue
      }
      let override = overrides[index]
      let clock: Zone = override.start.isDate ? zone : override.start.zone ?? viewer
      func shown(_ key: Int, written: Int) -> Int {
        if start.isDate { return key }
        if clock == zone { return written }
        return clock.civil(at: Instant(secondsSinceEpoch: key)).civilSeconds
      }
      let replaced = normalized(override.recurrenceID)
      let shift =
        override.start.civil.civilSeconds
        - shown(self.key(replaced), written: replaced.civil.civilSeconds)
      let moved = like(override.start, civil(shown(key, written: one.civil) + shift))
      placed.append(
        place(moved, ownLength ?? length(override.start, override.extent), ownStart, index))
    }
    // An occurrence that was changed separately keeps its own time. A date and a time can name the same one.
    let separate = Set(
      overrides.filter { !$0.includesFollowing }.map { key(normalized($0.recurrenceID)) })
    for (index, override) in overrides.enumerated()
    where !override.includesFollowing || !separate.contains(key(normalized(override.recurrenceID)))
    {
      placed.append(
        place(
          override.start, length(override.start, override.extent),
          normalized(override.recurrenceID), index))
    }
    if !start.isDate {
      var days: Set<CivilDate> = []
      for date in dates where date.start.isDate {
        let day = date.start.civil.date
        guard days.insert(day).inserted, !excludedDays.contains(Int(day.dayNumber)) else {
          continue
        }
        placed.append(
          place(
            date.start, date.extent.map { length(date.start, $0) } ?? length(start, extent),
            date.start, nil))
      }
    }
    return placed.compactMap { $0 }.sorted()
  }

  /// What is wrong with the set's answer, if anything.
  var difference: String? {
    let instances = Array(set.instances(touching: window, viewer: viewer))
    for (one, next) in zip(instances, instances.dropFirst()) where next.begin < one.begin {
      return "\(next.begin) comes after \(one.begin)"
    }
    let found = instances.map {
      Placed(
        begin: $0.begin.secondsSinceEpoch, finish: $0.finish.secondsSinceEpoch, start: $0.start,
        recurrenceID: $0.recurrenceID, override: $0.override)
    }.sorted()
    let expected = naive
    if found == expected { return nil }
    let place = zip(found, expected).prefix { $0 == $1 }.count
    return
      "after \(place) equal ones: set \(found.dropFirst(place).prefix(2)), naive \(expected.dropFirst(place).prefix(2))"
  }

  // MARK: Smaller

  var smaller: [LooseSet] {
    var found: [LooseSet] = []
    func variant(_ change: (inout LooseSet) -> Void) {
      var copy = self
      change(&copy)
      found.append(copy)
    }
    for index in rules.indices { variant { $0.rules.remove(at: index) } }
    for index in exceptions.indices { variant { $0.exceptions.remove(at: index) } }
    for index in dates.indices { variant { $0.dates.remove(at: index) } }
    for index in exceptionDates.indices { variant { $0.exceptionDates.remove(at: index) } }
    for index in overrides.indices {
      variant { $0.overrides.remove(at: index) }
      if overrides[index].includesFollowing {
        variant { $0.overrides[index].includesFollowing = false }
      }
      if overrides[index].extent != .unstated { variant { $0.overrides[index].extent = .unstated } }
    }
    for index in dates.indices where dates[index].extent != nil {
      variant { $0.dates[index].extent = nil }
    }
    for index in rules.indices {
      for rule in rules[index].smaller { variant { $0.rules[index] = rule } }
    }
    if extent != .unstated { variant { $0.extent = .unstated } }
    if dayCount > 1 {
      variant { $0.dayCount -= 1 }
      variant {
        $0.dayCount -= 1
        $0.firstDay += 1
      }
    }
    if viewer != .utc { variant { $0.viewer = .utc } }
    return found
  }

  func shrunk() -> LooseSet {
    var current = self
    for _ in 0..<300 {
      guard let next = current.smaller.first(where: { $0.difference != nil }) else { break }
      current = next
    }
    return current
  }

  // MARK: Random

  static func random(using generator: inout SeededGenerator) -> LooseSet {
    var set = LooseSet()
    func zone() -> Zone { zones.randomElement(using: &generator) ?? .utc }
    set.viewer = zone()
    // The weeks around the changes of the clocks of 2007, and some others.
    let anchors = [13_560, 13_570, 13_590, 13_800, 13_810, 13_815, 13_700]
    let day = (anchors.randomElement(using: &generator) ?? 0) - generator.number(0...30)
    let times = [0, 1800, 3600, 2 * 3600 + 1800, 3 * 3600, 9 * 3600, 23 * 3600 + 1800]
    let time = times.randomElement(using: &generator) ?? 0
    func at(_ seconds: Int) -> CivilDateTime {
      CivilDateTime(civilSeconds: seconds) ?? CivilDateTime(.first, .midnight)
    }
    let isDate = generator.chance(25)
    let first = day * Self.day + (isDate ? 0 : time)
    func form(_ seconds: Int) -> EventTime {
      switch generator.number(0...9) {
      case 0...1: .floating(at(seconds))
      case 2: .utc(at(seconds))
      default: .zoned(at(seconds), zone())
      }
    }
    set.start = isDate ? .date(at(first).date) : form(first)
    /// A time at which something may well be, in the form of DTSTART or in another.
    func someTime(_ generator: inout SeededGenerator) -> EventTime {
      let seconds =
        first + generator.number(0...40) * Self.day
        + (generator.chance(80) ? 0 : generator.number(-4...4) * 1800)
      switch generator.number(0...9) {
      case 0: return .date(at(seconds).date)
      case 1: return .utc(at(seconds))
      case 2: return .zoned(at(seconds), zones.randomElement(using: &generator) ?? .utc)
      case 3:
        // The same moment in another zone.
        if isDate { return .date(at(seconds).date) }
        let moment = set.like(set.start, at(seconds)).instant(for: set.viewer)
        let other = zones.randomElement(using: &generator) ?? .utc
        return .zoned(other.civil(at: moment), other)
      default: return set.like(set.start, at(seconds))
      }
    }
    func someExtent(of start: EventTime, _ generator: inout SeededGenerator) -> Extent {
      switch generator.number(0...5) {
      case 0...1: return .unstated
      case 2...3:
        let seconds = start.civil.civilSeconds
        if start.isDate {
          return .end(.date(at(seconds + generator.number(0...3) * Self.day).date))
        }
        let length = generator.number(0...60) * 1800
        return .end(set.like(start, at(seconds + length)))
      default:
        return .duration(
          EventDuration(
            days: generator.chance(50) ? generator.number(0...3) : 0,
            seconds: generator.number(0...6) * 1800))
      }
    }
    set.extent = someExtent(of: set.start, &generator)
    func rule(_ generator: inout SeededGenerator, isException: Bool) -> LooseRule {
      var rule = LooseRule()
      let frequencies: [Rule.Frequency] = [.daily, .daily, .weekly, .monthly]
      rule.frequency = frequencies.randomElement(using: &generator) ?? .daily
      rule.start = first
      rule.isDate = isDate
      if generator.chance(40) { rule.interval = generator.number(2...4) }
      if rule.frequency != .monthly, generator.chance(40) {
        rule.byDay = Weekday.allCases.filter { _ in generator.chance(40) }.compactMap {
          Rule.WeekdayNumber($0)
        }
      }
      if rule.frequency == .monthly { rule.numbers[.byMonthDay] = [generator.number(1...28), -1] }
      if !isException {
        if generator.chance(20) { rule.numbers[.byHour] = [0, 2, 3, 9] }
        if rule.frequency == .daily, generator.chance(15) {
          rule.frequency = .hourly
          rule.interval = generator.number(6...30)
        }
        if generator.chance(30) { rule.count = generator.number(1...30) }
      }
      if generator.chance(20) {
        rule.until = .local(at(first + generator.number(0...50) * 43_200))
      }
      return rule
    }
    if generator.chance(85) { set.rules.append(rule(&generator, isException: false)) }
    if generator.chance(20) { set.rules.append(rule(&generator, isException: false)) }
    if generator.chance(20) { set.exceptions.append(rule(&generator, isException: true)) }
    for _ in 0..<generator.number(0...3) {
      let start = someTime(&generator)
      set.dates.append(
        RecurrenceDate(
          start: start, extent: generator.chance(30) ? someExtent(of: start, &generator) : nil))
      if set.dates.last?.extent == .unstated { set.dates[set.dates.count - 1].extent = nil }
    }
    for _ in 0..<generator.number(0...3) { set.exceptionDates.append(someTime(&generator)) }
    for _ in 0..<generator.number(0...3) {
      let id = someTime(&generator)
      guard !set.overrides.contains(where: { set.key($0.recurrenceID) == set.key(id) }) else {
        continue
      }
      let moved = someTime(&generator)
      set.overrides.append(
        .init(
          recurrenceID: id, includesFollowing: generator.chance(40), start: moved,
          extent: someExtent(of: moved, &generator)))
    }
    set.firstDay = day + generator.number(-3...40)
    set.dayCount = generator.number(1...15)
    return set
  }
}
