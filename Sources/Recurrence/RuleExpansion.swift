public import CivilTime

/// The occurrences of one rule, in order, on civil time (RFC 5545 3.3.10, RFC 7529 4.1).
///
/// DTSTART is always the first of them and counts towards COUNT, also where the rule would not
/// give it, unless UNTIL is before it. A period's set is what satisfies every part; by the table of RFC 5545 that means
///
///     |          |SECONDLY|MINUTELY|HOURLY |DAILY  |WEEKLY|MONTHLY|YEARLY|
///     |BYMONTH   |Limit   |Limit   |Limit  |Limit  |Limit |Limit  |Expand|
///     |BYWEEKNO  |(limit) |(limit) |(limit)|(limit)|(lim.)|(limit)|Expand|
///     |BYYEARDAY |Limit   |Limit   |Limit  |(limit)|(lim.)|(limit)|Expand|
///     |BYMONTHDAY|Limit   |Limit   |Limit  |Limit  |(lim.)|Expand |Expand|
///     |BYDAY     |Limit   |Limit   |Limit  |Limit  |Expand|Note 1 |Note 2|
///     |BYHOUR    |Limit   |Limit   |Limit  |Expand |Expand|Expand |Expand|
///     |BYMINUTE  |Limit   |Limit   |Expand |Expand |Expand|Expand |Expand|
///     |BYSECOND  |Limit   |Expand  |Expand |Expand |Expand|Expand |Expand|
///     |BYSETPOS  |Limit   |Limit   |Limit  |Limit  |Limit |Limit  |Limit |
///
/// - Note 1: limits if BYMONTHDAY is present, otherwise expands in the month.
/// - Note 2: limits if BYYEARDAY or BYMONTHDAY is present; otherwise expands in the week if
///   BYWEEKNO is present, in the month if BYMONTH is, otherwise in the year.
/// - In parentheses what the RFC forbids and files contain: it limits. Ordinals of BYDAY where
///   the RFC forbids them are dropped: `FREQ=WEEKLY;BYDAY=1MO` is every Monday.
/// - What the rule leaves open comes from DTSTART: the time of day, the weekday of WEEKLY and of
///   BYWEEKNO, the day of MONTHLY, the day and month of YEARLY.
/// - A day is in the BYWEEKNO of the week it lies in, a period of YEARLY is the calendar year.
/// - SKIP moves days that a month does not have, of BYMONTHDAY or of DTSTART, under MONTHLY and
///   YEARLY, and the days 366 and -366 of BYYEARDAY, under YEARLY. Where they are moved to, the
///   other parts have to allow them. A week that a year does not have is left out: RFC 7529 4.1
///   names it, but not the day that would take its place.
/// - With RSCALE years and months are those of that calendar. A leap month that a year lacks is
///   moved first, then the day (RFC 7529 4.1).
/// - On a whole-day series BYHOUR, BYMINUTE and BYSECOND are ignored (RFC 5545 3.3.10).
///
/// It starts at a window without walking there: a DAILY rule of 1970 costs what one of last year
/// costs.
public struct RuleExpansion: Sequence, Sendable {
  private let prototype: Iterator
  /// No occurrence is later than this: UNTIL, or the last occurrence of COUNT. `nil` if the rule never
  /// ends.
  package let bound: CivilDateTime?
  /// Whether UNTIL is before DTSTART. The rule then has no occurrences, not even DTSTART.
  package let endsBeforeStart: Bool

  /// `start` is DTSTART; `viewer` is the zone of a floating start, for an UNTIL in UTC.
  /// What comes before `from` is passed over, at no cost. An EXRULE gives DTSTART only where it
  /// matches: `givesStart` is false for it.
  public init(
    _ rule: Rule, start: EventTime, viewer: Zone = .utc, from: CivilDateTime? = nil,
    givesStart: Bool = true
  ) {
    self.init(
      BoundedRule(rule, start: start, viewer: viewer, givesStart: givesStart), from: from)
  }

  /// The occurrences of a rule whose end is known, from a moment on.
  init(_ rule: BoundedRule, from: CivilDateTime? = nil) {
    bound = rule.bound
    endsBeforeStart = rule.endsBeforeStart
    guard !endsBeforeStart else {
      prototype = Iterator(
        periods: rule.periods, limit: rule.limit, pending: nil, daysOnly: rule.daysOnly)
      return
    }
    var periods = rule.periods
    let first = rule.first
    var from = Swift.max(from?.civilSeconds ?? first, first)
    if rule.daysOnly {
      // The first day that does not begin before it.
      from =
        floorDivide(from, ClockTimes.secondsPerDay, roundingUp: true) * ClockTimes.secondsPerDay
    }
    var pending: Int?
    var lower = from
    if rule.givesStart {
      if from == first { pending = first }
      lower = Swift.max(from, rule.daysOnly ? first + ClockTimes.secondsPerDay : first + 1)
    }
    periods.start(from: lower)
    prototype = Iterator(
      periods: periods, limit: rule.limit, pending: pending, daysOnly: rule.daysOnly)
  }

  public func makeIterator() -> Iterator { prototype }

  public struct Iterator: IteratorProtocol, Sendable {
    private var periods: RulePeriods
    private let limit: Limit
    private var pending: Int?
    private let daysOnly: Bool

    fileprivate init(periods: RulePeriods, limit: Limit, pending: Int?, daysOnly: Bool) {
      self.periods = periods
      self.limit = limit
      self.pending = pending
      self.daysOnly = daysOnly
    }

    /// Whether it ended because it would have taken more work than it may.
    var isExhausted: Bool { periods.work.isExhausted }

    /// How much it may still look at.
    var workLeft: Int { periods.work.left }

    public mutating func next() -> CivilDateTime? {
      nextCivilSecond().flatMap { CivilDateTime(civilSeconds: $0) }
    }

    mutating func nextCivilSecond() -> Int? {
      if let start = pending {
        pending = nil
        return start
      }
      while let second = periods.next() {
        if second > limit.last { break }
        if second > limit.lastSure, !limit.allows(second) { continue }
        guard daysOnly else { return second }
        let day = floorDivide(second, ClockTimes.secondsPerDay)
        periods.start(from: (day + 1) * ClockTimes.secondsPerDay)
        return day * ClockTimes.secondsPerDay
      }
      if !periods.work.isExhausted { periods.end() }
      return nil
    }
  }
}

/// A rule with the moment of its last occurrence. Finding where COUNT ends takes longer than anything
/// else.
struct BoundedRule: Sendable {
  fileprivate var periods: RulePeriods
  fileprivate var limit: Limit
  fileprivate let bound: CivilDateTime?
  fileprivate let endsBeforeStart: Bool
  fileprivate let daysOnly: Bool
  fileprivate let givesStart: Bool
  /// DTSTART as seconds of civil time.
  fileprivate let first: Int

  /// Finding the end, and all that follows, may take no more work than `work`.
  init(
    _ rule: Rule, start: EventTime, viewer: Zone = .utc, givesStart: Bool = true,
    work: WorkLimit = WorkLimit()
  ) {
    first = start.civil.civilSeconds
    self.givesStart = givesStart
    periods = RulePeriods(rule, start: start.civil, isDate: start.isDate)
    periods.work = work
    limit = Limit(rule.until, start: start, zone: start.zone ?? viewer)
    if rule.until != nil, first > limit.last || (first > limit.lastSure && !limit.allows(first)) {
      // An UNTIL before DTSTART: the series was cut to nothing.
      periods.end()
      bound = CivilDateTime(civilSeconds: first)
      endsBeforeStart = true
      daysOnly = false
      return
    }
    endsBeforeStart = false
    daysOnly = start.isDate && rule.frequency < .daily
    var isBounded = rule.until != nil
    if let count = rule.count {
      let last =
        givesStart
        ? count == 1 ? first : periods.occurrence(count - 1, from: first + 1)
        : periods.occurrence(count, from: first)
      if let last {
        limit.last = min(limit.last, last)
        isBounded = true
      }
    }
    bound =
      isBounded ? CivilDateTime(civilSeconds: max(givesStart ? first : .min, limit.last)) : nil
  }
}

/// Where UNTIL and the calendar end a rule, as seconds of civil time.
private struct Limit: Sendable {
  /// Nothing after it is given.
  var last: Int
  /// Up to it everything is given; between the two the clocks of the zone decide.
  private(set) var lastSure: Int
  private var until: Instant?
  private let zone: Zone

  init(_ until: Rule.Until?, start: EventTime, zone: Zone) {
    self.zone = zone
    let day = ClockTimes.secondsPerDay
    let lastSecond = (Int(CivilDate.last.dayNumber) + 1) * day - 1
    (last, lastSure) = (lastSecond, lastSecond)
    guard let until else { return }
    func endOfDay(_ date: CivilDate) -> Int { (Int(date.dayNumber) + 1) * day - 1 }
    switch start.isDate ? .date(until.date(onClockOf: nil)) : until {
    case .date(let date):
      last = endOfDay(date)
      lastSure = last
    case .local(let civil):
      last = civil.civilSeconds
      lastSure = last
    case .utc(let civil):
      let instant = Instant(utc: civil)
      let local = zone.civil(at: instant).civilSeconds
      if zone == .utc {
        last = local
        lastSure = last
        return
      }
      // Near a change of the clocks the order of civil times is not that of instants. No change
      // is longer than a day.
      self.until = instant
      last = min(lastSecond, local + day)
      lastSure = local - day
    }
  }

  func allows(_ second: Int) -> Bool {
    guard let until, let civil = CivilDateTime(civilSeconds: second) else { return true }
    return zone.instant(of: civil) <= until
  }
}
