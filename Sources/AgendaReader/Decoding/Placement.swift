internal import CivilTime
internal import Recurrence

/// The values that place a component in time, after all checks.
struct Placement {
  var start: LocalTime?
  /// DTSTART with its TZID, if `start` is only its date.
  var startInZone: LocalTime?
  var extent = LocalExtent.unstated
  var due: LocalTime?
  var recurrenceID: LocalTime?
  var includesFollowing = false
  var sequence = 0
  var modified: Instant?
  var rules: [Rule] = []
  var exceptionRules: [Rule] = []
  var dates: [(start: LocalTime, extent: LocalExtent?)] = []
  var exceptionDates: [LocalTime] = []
  /// The line of each of them, as a position among the EXDATE lines.
  var exceptionLines: [Int] = []
  var isRecurring = false
  /// Whether an EXDATE of a timed series is a midnight, but DTSTART is another time.
  var hasExceptionAtMidnight = false
  var ruleWork = 0
  /// The days on which its first and last occurrence begin, as they are written.
  var recurrenceDays: ClosedRange<Int32>?
}

/// The length of a component before its zones are known.
enum LocalExtent: Equatable {
  case unstated
  case end(LocalTime)
  case duration(EventDuration)

  var end: LocalTime? { if case .end(let end) = self { end } else { nil } }
}

extension Placement {
  /// Whether it has a recurrence. An EXDATE can remove the only date of an event.
  var recurs: Bool { isRecurring || !exceptionDates.isEmpty }

  /// The greatest difference between the clocks of two zones.
  static let secondsBetweenZones = 26 * 3600

  /// Whether its end is in another zone than its start, and so near that the zones decide which one
  /// is first.
  var mayEndEarly: Bool {
    guard let start, case .end(let end) = extent, !end.isSameClock(as: start) else { return false }
    return end.civil.civilSeconds < start.civil.civilSeconds + Self.secondsBetweenZones
  }

  /// Whether the RECURRENCE-ID is a midnight, but the start is another time.
  var replacesMidnight: Bool {
    guard let start, let recurrenceID, !start.isDate, !recurrenceID.isDate else { return false }
    return recurrenceID.civil.time == .midnight && start.civil.time != .midnight
  }

  /// Whether a rule has an UNTIL that may be before the start, in whatever zones they are.
  var mayEndBeforeStart: Bool {
    guard let start else { return false }
    let latest = start.civil.date.dayNumber + Self.zoneMargin
    return rules.contains { rule in
      switch rule.until {
      case .date(let date): date.dayNumber <= latest
      case .local(let civil), .utc(let civil): civil.date.dayNumber <= latest
      case nil: false
      }
    }
  }

  /// The most days by which the day of a moment can differ from its text, in the most extreme zone.
  private static let zoneMargin: Int32 = 6

  /// The days that the component can touch, in any zone.
  var days: ClosedRange<Int32> {
    guard let start, !includesFollowing else { return Int32.min...Int32.max }
    let startDay = start.civil.date.dayNumber
    var first = startDay
    var last = startDay
    if let due {
      first = min(first, due.civil.date.dayNumber)
      last = max(last, due.civil.date.dayNumber)
    }
    switch extent {
    case .unstated: break
    case .end(let end): last = max(last, end.civil.date.dayNumber)
    case .duration(let duration): last = max(last, start.day(after: duration))
    }
    if isRecurring, let recurrenceDays {
      let length = last - startDay
      first = min(first, recurrenceDays.lowerBound)
      let end = recurrenceDays.upperBound.addingReportingOverflow(length)
      last = end.overflow ? .max : max(last, end.partialValue)
    }
    let upper = last.addingReportingOverflow(Self.zoneMargin)
    return first - Self.zoneMargin...(upper.overflow ? .max : upper.partialValue)
  }
}

extension LocalTime {
  /// The day on which an event of that length from this time has ended.
  func day(after duration: EventDuration) -> Int32 {
    let day =
      Int(civil.date.dayNumber) + duration.days
      + duration.seconds / TimeOfDay.secondsPerCivilDay + 1
    return Int32(clamping: day)
  }
}
