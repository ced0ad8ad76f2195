internal import AgendaCore
internal import CivilTime
internal import Recurrence

// What several formats say of an occurrence, in the form in which a program reads it.

extension ByteSink {
  /// The start: a date for whole days, else a moment. Nothing for a task without a date.
  mutating func write(startOf occurrence: borrowing Occurrence, in zone: Zone) {
    if occurrence.isUndated { return }
    if let days = occurrence.allDay {
      write(days.lowerBound)
    } else {
      write(occurrence.begin, in: zone)
    }
  }

  /// The end, exclusive. A whole day on 9999-12-31 has none, because the next date does not exist.
  mutating func write(endOf occurrence: borrowing Occurrence, in zone: Zone) {
    if occurrence.isUndated { return }
    if let days = occurrence.allDay {
      write(min(days.upperBound, .last))
    } else {
      write(occurrence.finish, in: zone)
    }
  }

  /// A time as its source has it: a date, or its moment in the zone.
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

  /// `3.1`, of places that count from 0.
  mutating func write(_ path: IndexPath) {
    write(path.section + 1)
    write(UInt8(ascii: "."))
    write(path.entry + 1)
  }
}
