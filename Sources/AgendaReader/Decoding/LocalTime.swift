internal import CivilTime
internal import Recurrence

/// A time as a component wrote it, with the name of its zone. Zones are resolved when the whole
/// source is known, because a VTIMEZONE may come after the events that use it.
struct LocalTime: Equatable {
  enum Form: UInt8 {
    case date, floating, zoned, utc
  }

  var civil: CivilDateTime
  var form: Form
  /// The number of its TZID in the scan's table; only for `.zoned`.
  var zone: Int32 = -1

  var isDate: Bool { form == .date }

  /// Whether both are local times of the same zone, so that they can be compared.
  func isSameClock(as other: LocalTime) -> Bool { form == other.form && zone == other.zone }

  /// The same date, without the time.
  var dateOnly: LocalTime {
    LocalTime(civil: CivilDateTime(civil.date, .midnight), form: .date)
  }

  /// A civil time in the form and zone of another time.
  func written(as other: LocalTime) -> LocalTime {
    LocalTime(civil: civil, form: other.form, zone: other.zone)
  }
}
