internal import CivilTime

/// How long each occurrence of a series lasts (RFC 5545 3.6.1, 3.8.2.2 and 3.8.5.3).
enum OccurrenceLength: Hashable, Sendable {
  /// Of whole days, at least one.
  case days(Int)
  /// Elapsed time, from DTEND.
  case exact(Int)
  /// DURATION: a number of days on the calendar, and then a number of seconds.
  case nominal(days: Int, seconds: Int)

  /// As long as the years 1 to 9999, so that sums of times never overflow.
  private static let longest = 10_000 * 366

  /// The length by `start` and `extent`. An end before the start counts as missing.
  init(from start: EventTime, _ extent: Extent, viewer: Zone) {
    if case .date(let first) = start {
      let days =
        switch extent {
        case .unstated: 1
        case .end(let end): first.days(until: end.civil.date)
        case .duration(let duration):
          Self.held(duration.days)
            + floorDivide(duration.seconds.clamped(), ClockTimes.secondsPerDay, roundingUp: true)
        }
      self = .days(max(1, Self.held(days)))
      return
    }
    switch extent {
    case .unstated: self = .exact(0)
    case .end(let end):
      let zone = start.zone ?? viewer
      let finish: Instant =
        if case .date(let date) = end {
          zone.instant(of: CivilDateTime(date, .midnight))
        } else {
          end.instant(for: viewer)
        }
      let begin = start.instant(for: viewer)
      self = .exact(max(0, finish.secondsSinceEpoch - begin.secondsSinceEpoch))
    case .duration(let duration):
      let (days, seconds) = (Self.held(duration.days), duration.seconds.clamped())
      if days < 0 || seconds < 0 {
        self = .exact(0)
      } else {
        self = days == 0 ? .exact(seconds) : .nominal(days: days, seconds: seconds)
      }
    }
  }

  private static func held(_ days: Int) -> Int { min(max(days, -longest), longest) }

  /// The same for an occurrence that is a date.
  var wholeDays: Int {
    switch self {
    case .days(let days): days
    case .exact(let seconds):
      max(1, floorDivide(seconds, ClockTimes.secondsPerDay, roundingUp: true))
    case .nominal(let days, let seconds):
      days + floorDivide(seconds, ClockTimes.secondsPerDay, roundingUp: true)
    }
  }

  /// No occurrence lasts longer than this, in seconds.
  var atMost: Int {
    let day = ClockTimes.secondsPerDay
    // The clocks can go back by as much as a day between the start and the end.
    switch self {
    case .days(let days): return (days + 1) * day
    case .exact(let seconds): return seconds
    case .nominal(let days, let seconds): return (days + 1) * day + seconds
    }
  }

  /// No occurrence is shorter than this, in seconds.
  var atLeast: Int {
    let day = ClockTimes.secondsPerDay
    // The clocks can go forward by as much as a day.
    switch self {
    case .days(let days): return (days - 1) * day
    case .exact(let seconds): return seconds
    case .nominal(let days, let seconds): return (days - 1) * day + seconds
    }
  }
}

extension Int {
  /// Held to what can be added to an instant without a thought.
  fileprivate func clamped() -> Int {
    let most = 10_000 * 366 * ClockTimes.secondsPerDay
    return Swift.min(Swift.max(self, -most), most)
  }
}

func floorDivide(_ number: Int, _ divisor: Int, roundingUp: Bool) -> Int {
  roundingUp ? -floorDivide(-number, divisor) : floorDivide(number, divisor)
}
