internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// When the occurrences of a series can be, as three numbers by which an index leaves out most
/// endless series that have nothing in a short window. They may let a series pass that has nothing
/// there, never the other way round.
///
/// Times and dates are those of UTC for timed series, and the clock's own for whole days and
/// floating times.
struct OccurrencePattern: Hashable {
  /// The stretches of three hours of a week that occurrences can touch, from Monday 00:00 in bit
  /// 0; `nil` for all.
  private(set) var week: Int?
  /// The dates that they can touch: days of the month in bits 0 to 30, months in bits 31 to 42;
  /// `nil` for all.
  private(set) var dates: Int?
  /// How many days there are from one time to the next: `Rhythm`; `nil` where it is not even.
  private(set) var rhythm: Int?

  private static let everyStretch = (1 << 56) - 1
  private static let stretchSeconds = 3 * 60 * 60
  private static let stretchesOfDay = 8
  private static let everyDay = (1 << 31) - 1
  private static let everyMonth = ((1 << 12) - 1) << 31
  private static let secondsOfHour = 60 * 60

  private static func bit(day: Int) -> Int { 1 << (day - 1) }
  private static func bit(month: Int) -> Int { 1 << (31 + month - 1) }

  init() {}

  init(_ event: Event) {
    // A task stands where it is due, which is for itself to say.
    guard event.identity.recurrenceID == nil, event.kind != .task,
      let recurrence = event.recurrence,
      recurrence.rules.count == 1, recurrence.dates.isEmpty, let rule = recurrence.rules.first,
      let start = event.start, let reach = Self.reach(of: event, from: start),
      rule.frequency >= .daily, rule.byHour.isEmpty, rule.byMinute.isEmpty,
      rule.bySecond.isEmpty, rule.bySetPosition.isEmpty,
      rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, rule.skip == .omit
    else { return }
    let date = start.civil.date
    let shifts = Self.days(reach.lowerBound)...Self.days(reach.upperBound)
    week = Self.week(rule, start: date, reach: reach)
    dates = Self.dates(rule, start: date, shifts: shifts)
    rhythm = Rhythm(rule, start: date, shifts: shifts)?.number
  }

  /// From when to when an occurrence can last, in seconds from the midnight of the date that its
  /// own clock shows when it begins; `nil` where that is a long time.
  private static func reach(of event: Event, from start: EventTime) -> ClosedRange<Int>? {
    guard let span = EventSpan(singleOf: event) else { return nil }
    let length = span.end - span.begin
    guard length <= 2 * secondsOfDay else { return nil }
    if start.isDate { return 0...max(0, length - 1) }
    var offsets = 0...0
    if case .zoned(_, let zone) = start {
      guard start.civil.date.year >= 1970 else { return nil }
      offsets = ZoneOffsets.range(of: zone)
      // A zone that moved by more than a summer time, as Apia did across the date line.
      guard offsets.upperBound - offsets.lowerBound <= 3 * secondsOfHour else { return nil }
    }
    // What falls into a gap moves by an hour, and a zone's rules can change by one.
    let second = Int(start.civil.time.secondOfDay)
    return second - offsets.upperBound - secondsOfHour...second - offsets.lowerBound + length
      + secondsOfHour
  }

  /// On which date, from that of midnight, so many seconds from it are.
  private static func days(_ seconds: Int) -> Int { floor(seconds, secondsOfDay) }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }

  private static func week(
    _ rule: Rule, start: CivilDate, reach: ClosedRange<Int>
  ) -> Int? {
    var weekdays: Set<Weekday> = [start.weekday]
    if !rule.byDay.isEmpty {
      weekdays.formUnion(rule.byDay.map(\.weekday))
    } else if rule.frequency != .weekly {
      return nil
    }
    let stretches =
      floor(reach.lowerBound, stretchSeconds)...floor(reach.upperBound, stretchSeconds)
    var bits = 0
    for weekday in weekdays {
      for stretch in stretches {
        bits |= bit(stretch: (Int(weekday.rawValue) - 1) * stretchesOfDay + stretch)
      }
    }
    return bits == everyStretch ? nil : bits
  }

  private static func bit(stretch: Int) -> Int {
    let count = 7 * stretchesOfDay
    return 1 << ((stretch % count + count) % count)
  }

  private static func dates(
    _ rule: Rule, start: CivilDate, shifts: ClosedRange<Int>
  ) -> Int? {
    var days = everyDay
    var months = everyMonth
    if !rule.byMonthDay.isEmpty {
      if rule.byMonthDay.allSatisfy({ $0 > 0 }) {
        days = rule.byMonthDay.reduce(0) { $0 | bit(day: $1) }
      }
    } else if rule.frequency >= .monthly, rule.byDay.isEmpty {
      days = bit(day: start.day)
    }
    if !rule.byMonth.isEmpty {
      months = rule.byMonth.reduce(0) { $0 | bit(month: $1) }
    } else if rule.frequency == .yearly, rule.byDay.isEmpty, rule.byMonthDay.isEmpty {
      months = bit(month: start.month)
    }
    // The start is an occurrence even where the rule would not give it.
    let begin = days | months | bit(day: start.day) | bit(month: start.month)
    let bits = shifts.reduce(0) { $0 | shifted(begin, byDays: $1) }
    return bits == everyDay | everyMonth ? nil : bits
  }

  private static func shifted(_ bits: Int, byDays count: Int) -> Int {
    var shifted = bits
    for _ in 0..<abs(count) { shifted = count > 0 ? next(shifted) : previous(shifted) }
    return shifted
  }

  private static let lastDays = (28...31).reduce(0) { $0 | bit(day: $1) }

  private static func next(_ bits: Int) -> Int {
    var days = (bits & everyDay) << 1 & everyDay
    var months = bits & everyMonth
    if bits & lastDays != 0 {
      days |= bit(day: 1)
      months |= (months << 1 | months >> 11) & everyMonth
    }
    return days | months
  }

  private static func previous(_ bits: Int) -> Int {
    var days = (bits & everyDay) >> 1
    var months = bits & everyMonth
    if bits & bit(day: 1) != 0 {
      days |= lastDays
      months |= (months >> 1 | months << 11) & everyMonth
    }
    return days | months
  }
}

// MARK: Windows

extension OccurrencePattern {
  /// A short window in the same numbers.
  struct Probe: Hashable {
    /// The stretches of the week that it touches.
    var week = 0
    /// The days of the month and the months.
    var days = 0
    var months = 0
    /// Its last date, and how many dates there are before it.
    var lastDate = 0
    var width = 0
  }

  /// `nil` for a window so long that nothing would be left out, and for one near a change of the
  /// viewer's clocks across midnight or a date line: what stands on its dates is hard to say.
  static func probe(_ window: Range<Instant>, viewer: Zone) -> Probe? {
    let last = window.upperBound.adding(seconds: -1)
    guard last < window.lowerBound.adding(seconds: 7 * secondsOfDay),
      !leavesADay(viewer, near: window)
    else { return nil }
    var probe = Probe()
    var firstDate = Int.max
    probe.lastDate = .min
    for zone in [viewer, .utc] {
      let begin = zone.civil(at: window.lowerBound)
      let end = zone.civil(at: last)
      guard begin.date.days(until: end.date) < 7 else { return nil }
      // The viewer's clock may jump within the window; UTC's does not.
      let isUTC = zone == .utc
      let seconds =
        isUTC
        ? begin.civilSeconds...max(begin.civilSeconds, end.civilSeconds)
        : CivilDateTime(begin.date, .midnight).civilSeconds...CivilDateTime(end.date, .midnight)
          .civilSeconds + secondsOfDay - 1
      let monday = CivilDate(dayNumber: 4).map { CivilDateTime($0, .midnight).civilSeconds } ?? 0
      for stretch in floor(
        seconds.lowerBound - monday, stretchSeconds)...floor(
          seconds.upperBound - monday, stretchSeconds)
      {
        probe.week |= bit(stretch: stretch)
      }
      var date = begin.date
      while date <= end.date {
        probe.days |= bit(day: date.day)
        probe.months |= bit(month: date.month)
        guard let next = date.adding(days: 1) else { break }
        date = next
      }
      firstDate = min(firstDate, Int(begin.date.dayNumber))
      probe.lastDate = max(probe.lastDate, Int(end.date.dayNumber))
    }
    probe.width = probe.lastDate - firstDate
    return probe
  }

  /// Whether the viewer's clocks change near the window so that a date begins twice or not at
  /// all, or by more than summer time does.
  private static func leavesADay(_ viewer: Zone, near window: Range<Instant>) -> Bool {
    var moment = window.lowerBound.adding(seconds: -secondsOfDay)
    let end = window.upperBound.adding(seconds: secondsOfDay)
    while let change = viewer.nextTransition(after: moment), change.instant < end {
      moment = change.instant
      let before = viewer.civil(at: moment.adding(seconds: -1)).civilSeconds + 1
      let after = viewer.civil(at: moment).civilSeconds
      if abs(after - before) > 2 * secondsOfHour { return true }
      if floor(before, secondsOfDay) != floor(after, secondsOfDay) { return true }
    }
    return false
  }

  /// The condition on the columns `week`, `dates_touched` and `rhythm` that `bind` fills in.
  static func condition(first: Int) -> String {
    """
    (week & ?\(first) OR week IS NULL)
    AND (dates_touched & ?\(first + 1) AND dates_touched & ?\(first + 2)
      OR dates_touched IS NULL)
    AND (rhythm IS NULL OR
      (?\(first + 3) - ((rhythm >> \(Rhythm.phaseShift)) & \(Rhythm.mask)))
        % (rhythm >> \(Rhythm.periodShift)) <= ?\(first + 4) + (rhythm & \(Rhythm.mask)))
    """
  }

  static func bind(_ probe: Probe, to statement: Statement, first: Int32) {
    statement.bind(first, probe.week)
    statement.bind(first + 1, probe.days)
    statement.bind(first + 2, probe.months)
    statement.bind(first + 3, probe.lastDate)
    statement.bind(first + 4, probe.width)
  }
}

/// A series that comes every so many days: a period, the date of one of its beginnings, and on how
/// many further dates from there on it can be.
struct Rhythm: Hashable {
  var period: Int
  var phase: Int
  var reach: Int

  static let periodShift = 40
  static let phaseShift = 20
  static let mask = (1 << 20) - 1

  var number: Int { period << Self.periodShift | phase << Self.phaseShift | reach }

  init?(_ rule: Rule, start: CivilDate, shifts: ClosedRange<Int>) {
    guard rule.interval > 1, rule.interval < 10_000 else { return nil }
    let first: Int
    switch rule.frequency {
    case .daily:
      period = rule.interval
      first = Int(start.dayNumber)
      reach = shifts.upperBound - shifts.lowerBound
    case .weekly:
      period = rule.interval * 7
      first = Int(start.dayNumber) - start.weekday.days(after: rule.weekStart)
      reach = shifts.upperBound - shifts.lowerBound + 6
    default: return nil
    }
    phase = ((first + shifts.lowerBound) % period + period) % period
    // It is compared with dates after 1970 alone; before, the remainder is negative and lets pass.
    guard reach + 1 < period else { return nil }
  }
}
