public import CivilTime

/// All occurrences of a recurring component: RRULE and RDATE, less EXDATE and EXRULE, with the
/// overrides that replace some of them (RFC 5545 3.8.5 and 3.8.4.4).
///
/// - DTSTART is always one of them, unless an exception removes it.
/// - An EXDATE or RECURRENCE-ID that is a date means every occurrence of that date in the zone of
///   the series; a moment, whatever its zone, the occurrence at that moment. In a whole-day
///   series a moment counts by the date that it names (`EventTime.date(onClockOf:)`).
/// - An override is at its own time, even if no rule gives the occurrence that it replaces.
///   With RANGE=THISANDFUTURE it moves and changes all that follow, up to the next such one; a
///   single override keeps its own time, also at the RECURRENCE-ID of such a one.
/// - An RDATE that is a date, or a period of dates, is a whole day also in a timed series.
public struct RecurrenceSet: Sendable {
  /// A component with a RECURRENCE-ID.
  public struct Override: Hashable, Sendable {
    public var recurrenceID: EventTime
    /// RANGE=THISANDFUTURE.
    public var includesFollowing: Bool
    public var start: EventTime
    public var extent: Extent

    public init(
      recurrenceID: EventTime, includesFollowing: Bool = false, start: EventTime, extent: Extent
    ) {
      self.recurrenceID = recurrenceID
      self.includesFollowing = includesFollowing
      self.start = start
      self.extent = extent
    }
  }

  /// One occurrence, placed in the viewer's zone.
  public struct Instance: Hashable, Sendable {
    /// When it begins, in the zone in which it is written.
    public var start: EventTime
    public var begin: Instant
    public var finish: Instant
    /// The days of a whole-day occurrence, the end exclusive.
    public var allDay: Range<CivilDate>?
    /// The start that the rule or the RDATE gave it.
    public var recurrenceID: EventTime
    /// The index of its override; `nil` if it has none.
    public var override: Int?
  }

  public var start: EventTime
  public var extent: Extent
  public var rules: [Rule]
  public var exceptionRules: [Rule]
  public var dates: [RecurrenceDate]
  public var exceptionDates: [EventTime]
  public var overrides: [Override]

  /// More occurrences than this in a window are cut off.
  public static let ceiling = 100_000
  /// The most steps for a window in which nearly all occurrences are excluded or duplicates.
  public static let excludedCeiling = mostSteps(for: ceiling)

  /// The same if a window may have at most `limit` occurrences.
  static func mostSteps(for limit: Int) -> Int {
    limit < ceiling ? 5 * limit + 100 : 5 * ceiling
  }

  /// Why a window was not gone through to its end.
  public enum Cut: Hashable, Sendable {
    /// It holds more occurrences than the limit.
    case tooMany
    /// Its rules have far more occurrences, nearly all excluded or duplicates.
    case tooManyExcluded
    /// It reaches beyond the table of months of a rule's calendar.
    case outsideTable(CalendarSystem)
    /// DTSTART is outside of that table, so that no other date is known.
    case startOutsideTable(CalendarSystem)
  }

  public init(
    start: EventTime, extent: Extent, rules: [Rule] = [], exceptionRules: [Rule] = [],
    dates: [RecurrenceDate] = [], exceptionDates: [EventTime] = [], overrides: [Override] = []
  ) {
    self.start = start
    self.extent = extent
    self.rules = rules
    self.exceptionRules = exceptionRules
    self.dates = dates
    self.exceptionDates = exceptionDates
    self.overrides = overrides
  }

  /// The instances that touch the window, sorted by their begin and computed on demand. `limit` can be
  /// less than `ceiling`. After `mostExcluded` that are excluded or duplicates, the rest is cut off.
  public func instances(
    touching window: Range<Instant>, viewer: Zone, atMost limit: Int = ceiling,
    mostExcluded: Int = .max
  ) -> Instances {
    PreparedRecurrence(self, viewer: viewer)
      .instances(touching: window, atMost: limit, mostExcluded: mostExcluded)
  }

  /// The instances that end in the window, sorted by their begin. Long ones that only touch it cost
  /// nothing.
  package func instances(
    ending window: Range<Instant>, viewer: Zone, atMost limit: Int = ceiling
  ) -> Instances {
    PreparedRecurrence(self, viewer: viewer).instances(ending: window, atMost: limit)
  }

  /// What brings an instance into a window.
  enum Criterion {
    case touching
    case ending

    /// An occurrence without length belongs to the day that it is on.
    func isMet(by begin: Instant, _ finish: Instant, _ window: Range<Instant>) -> Bool {
      switch self {
      case .touching:
        begin < window.upperBound
          && (finish > window.lowerBound || (finish == begin && begin >= window.lowerBound))
      case .ending: window.contains(finish)
      }
    }
  }

  /// One occurrence that is not of a rule, placed: a single event, an override.
  public static func place(
    _ start: EventTime, _ extent: Extent, recurrenceID: EventTime, viewer: Zone
  ) -> Instance {
    Instance(
      start, OccurrenceLength(from: start, extent, viewer: viewer), recurrenceID: recurrenceID,
      override: nil, viewer: viewer)
  }
}

extension RecurrenceSet {
  /// That the table of months of a rule's calendar does not cover DTSTART or the window; `nil` if the
  /// rules have ended by then.
  func cutByTable(_ window: Range<Instant>, viewer: Zone) -> Cut? {
    for rule in rules {
      guard let calendar = rule.calendar, let table = calendar.tableDates else { continue }
      let bound = RuleExpansion(rule, start: start, viewer: viewer).bound?.date ?? .last
      let first = max(start.civil.date, viewer.civil(at: window.lowerBound).date)
      let last = min(bound, viewer.civil(at: window.upperBound.adding(seconds: -1)).date)
      guard first <= last else { continue }
      if !table.contains(start.civil.date) { return .startOutsideTable(calendar) }
      if last > table.upperBound { return .outsideTable(calendar) }
    }
    return nil
  }

  /// Whether the set surely has no occurrence in the window, if that is quick to decide; otherwise
  /// false.
  package func surelyMisses(_ window: Range<Instant>, viewer: Zone) -> Bool {
    guard overrides.isEmpty, exceptionRules.isEmpty, rules.count == 1, rules[0].frequency >= .daily,
      rules[0].calendar == nil
    else { return false }
    var instances = PreparedRecurrence(self, viewer: viewer).instances(touching: window)
    return instances.next() == nil && instances.cut == nil
  }

  /// No occurrence of its rules lasts longer than this, in seconds.
  package func longest(viewer: Zone) -> Int {
    OccurrenceLength(from: start, extent, viewer: viewer).atMost
  }

  /// Zones are at most this far from UTC, so a floating time or a date can be so much earlier or
  /// later for somebody.
  private static let widestOffset = 26 * 60 * 60

  /// Nothing of it begins before this moment, wherever the viewer is.
  public var firstMoment: Instant {
    var first = Self.earliest(start)
    for date in dates { first = min(first, Self.earliest(date.start)) }
    for override in overrides { first = min(first, Self.earliest(override.start)) }
    return first
  }

  /// Nothing of it lasts beyond this moment, wherever the viewer is; `nil` if it never ends.
  public var lastMoment: Instant? {
    let length = OccurrenceLength(from: start, extent, viewer: .utc).atMost
    var longest = length
    var lastStart = Self.latest(start)
    for rule in rules {
      guard rule.until != nil || rule.count != nil,
        let bound = RuleExpansion(rule, start: start).bound
      else { return nil }
      let margin = start.zone == .utc ? 0 : Self.widestOffset
      lastStart = max(lastStart, Instant(utc: bound).adding(seconds: margin))
    }
    for date in dates {
      lastStart = max(lastStart, Self.latest(date.start))
      if let extent = date.extent {
        longest = max(
          longest, OccurrenceLength(from: date.start, extent, viewer: .utc).atMost)
      }
    }
    var last = lastStart.adding(seconds: longest)
    for override in overrides {
      let length = OccurrenceLength(from: override.start, override.extent, viewer: .utc).atMost
      last = max(last, Self.latest(override.start).adding(seconds: length))
      guard override.includesFollowing else { continue }
      let shift =
        Self.latest(override.start).secondsSinceEpoch
        - Self.earliest(override.recurrenceID).secondsSinceEpoch
      last = max(last, lastStart.adding(seconds: shift).adding(seconds: max(longest, length)))
    }
    return last
  }

  /// The least moment that a time can be for somebody.
  public static func earliest(_ time: EventTime) -> Instant {
    time.zone == nil
      ? Instant(utc: time.civil).adding(seconds: -widestOffset) : time.instant(for: .utc)
  }

  /// The greatest moment that a time can be for somebody.
  public static func latest(_ time: EventTime) -> Instant {
    time.zone == nil
      ? Instant(utc: time.civil).adding(seconds: widestOffset) : time.instant(for: .utc)
  }
}

extension RecurrenceSet.Instance {
  init(
    _ start: EventTime, _ length: OccurrenceLength, recurrenceID: EventTime, override: Int?,
    viewer: Zone
  ) {
    self.start = start
    self.recurrenceID = recurrenceID
    self.override = override
    begin = start.instant(for: viewer)
    if start.isDate {
      let first = start.civil.date
      let end = first.adding(days: length.wholeDays) ?? .afterLast
      allDay = first..<end
      finish = max(begin, viewer.startOfDay(end))
      return
    }
    let days: Int
    let seconds: Int
    switch length {
    case .exact(let exact):
      finish = begin.adding(seconds: exact)
      return
    case .days(let whole): (days, seconds) = (whole, 0)
    case .nominal(let nominal, let more): (days, seconds) = (nominal, more)
    }
    let civil = start.civil
    let zone = start.zone ?? viewer
    let end = CivilDateTime(civil.date.adding(days: days) ?? .last, civil.time)
    finish = max(begin, zone.instant(of: end).adding(seconds: seconds))
  }

  func meets(_ criterion: RecurrenceSet.Criterion, _ window: Range<Instant>) -> Bool {
    criterion.isMet(by: begin, finish, window)
  }

  /// An occurrence without length belongs to the day that it is on.
  public func touches(_ window: Range<Instant>) -> Bool { meets(.touching, window) }
}
