internal import AgendaCore
internal import CivilTime
internal import Recurrence

// The values of an occurrence that several formats have in common, in the form for programs.

extension ByteSink {
  /// The start: a date for an all-day entry, otherwise a moment. Nothing for a task without a date.
  mutating func write(startOf occurrence: borrowing Occurrence, in zone: Zone) {
    if occurrence.isUndated { return }
    if let days = occurrence.allDay {
      write(days.lowerBound)
    } else {
      write(occurrence.begin, in: zone)
    }
  }

  /// The end, exclusive. An all-day entry on 9999-12-31 has no end, because the next date does not
  /// exist.
  mutating func write(endOf occurrence: borrowing Occurrence, in zone: Zone) {
    if occurrence.isUndated { return }
    if let days = occurrence.allDay {
      write(min(days.upperBound, .last))
    } else {
      write(occurrence.finish, in: zone)
    }
  }

  /// A time in the form of its source: a date, or its moment in the zone.
  mutating func write(_ time: EventTime, in zone: Zone) {
    if case .date(let date) = time {
      write(date)
    } else {
      write(time.instant(for: zone), in: zone)
    }
  }

  mutating func write(_ id: OccurrenceID) {
    for shift in stride(from: 28, through: 0, by: -4) {
      let digit = UInt8(id.number >> UInt32(shift) & 0xf)
      write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// `3.1`. The positions count from 0.
  mutating func write(_ path: EntryPath) {
    write(path.section + 1)
    write(UInt8(ascii: "."))
    write(path.entry + 1)
  }
}
