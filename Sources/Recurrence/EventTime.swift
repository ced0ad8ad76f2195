public import CivilTime

/// When something is, as its source wrote it: one of four cases (RFC 5545 3.3.4 and 3.3.5),
/// decided once, in the reader.
public enum EventTime: Hashable, Sendable {
  /// A whole day. It is the same date everywhere and never shifts.
  case date(CivilDate)
  /// A time on the clock of whoever looks.
  case floating(CivilDateTime)
  /// A time on the clocks of a zone.
  case zoned(CivilDateTime, Zone)
  /// A moment in UTC.
  case utc(CivilDateTime)

  /// What was written, without its zone; a date counts from its midnight.
  public var civil: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let civil), .zoned(let civil, _), .utc(let civil): civil
    }
  }

  public var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The zone it was written in; `nil` for a date and for a floating time.
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

  /// The moment at which it begins for somebody in `viewer`'s zone.
  public func instant(for viewer: Zone) -> Instant {
    switch self {
    case .date(let date): viewer.startOfDay(date)
    case .floating(let civil): viewer.instant(of: civil)
    case .zoned(let civil, let zone): zone.instant(of: civil)
    case .utc(let civil): Instant(utc: civil)
    }
  }
}
