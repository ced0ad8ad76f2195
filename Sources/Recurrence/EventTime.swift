public import CivilTime

/// A date or a time as its source states it (RFC 5545 3.3.4 and 3.3.5).
public enum EventTime: Hashable, Sendable {
  /// A whole day. It is the same date in every time zone.
  case date(CivilDate)
  /// A local time without a zone: it is the same time of day in every time zone.
  case floating(CivilDateTime)
  /// A local time in a zone.
  case zoned(CivilDateTime, Zone)
  /// A moment in UTC.
  case utc(CivilDateTime)

  /// The date and time without the zone; a whole day begins at midnight.
  public var civil: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let civil), .zoned(let civil, _), .utc(let civil): civil
    }
  }

  /// Whether this is a whole day.
  package var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The zone of the time; `nil` for a date and for a floating time.
  public var zone: Zone? {
    switch self {
    case .date, .floating: nil
    case .zoned(_, let zone): zone
    case .utc: .utc
    }
  }

  /// Another time, written in the same way.
  package func at(_ civil: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(civil.date)
    case .floating: .floating(civil)
    case .zoned(_, let zone): .zoned(civil, zone)
    case .utc: .utc(civil)
    }
  }

  /// The date that this time names in a series of whole days. Its UNTIL, EXDATE, RDATE and
  /// RECURRENCE-ID should be dates, but many producers write times.
  ///
  /// - A date, a local time and a midnight in a zone name their own date.
  /// - A moment in UTC, and another time of day in a zone, name the date on the clock of `dayZone`:
  ///   that of the series (`Event.dayZone`).
  /// - Without a `dayZone`, a moment in UTC is a midnight of its producer and names the date of the
  ///   nearest midnight of UTC: `20261019T230000Z` is 20 October, `20261020T050000Z` too. 12:00 is
  ///   midnight only east of UTC, so it names the next date.
  ///
  /// The zone of the viewer never matters.
  package func date(onClockOf dayZone: Zone?) -> CivilDate {
    switch self {
    case .date(let date): return date
    case .floating(let civil): return civil.date
    case .zoned(let civil, let zone):
      guard let dayZone, civil.time != .midnight else { return civil.date }
      return dayZone.civil(at: zone.instant(of: civil)).date
    case .utc(let civil):
      if let dayZone { return dayZone.civil(at: Instant(utc: civil)).date }
      let halfDay = TimeOfDay.secondsPerCivilDay / 2
      return CivilDateTime(civilSeconds: civil.civilSeconds + halfDay)?.date ?? civil.date
    }
  }

  /// The moment of this time. `viewer` is the zone of dates and floating times.
  public func instant(for viewer: Zone) -> Instant {
    switch self {
    case .date(let date): viewer.startOfDay(date)
    case .floating(let civil): viewer.instant(of: civil)
    case .zoned(let civil, let zone): zone.instant(of: civil)
    case .utc(let civil): Instant(utc: civil)
    }
  }
}
