package import CivilTime
package import Recurrence

/// The value of a field of an entry, before a format writes it.
package enum FieldValue {
  case none
  case text(String)
  case texts([String])
  /// One of several texts. A template prints the first.
  case choice([String])
  case flag(Bool)
  case number(Int)
  case numbers([Int])
  case decimal(Double)
  /// In seconds.
  case length(Int)
  /// A time and the zone of its offset.
  case time(EntryTime, Zone)
  case id(OccurrenceID)
  case path(EntryPath)
  case coordinates(Coordinates)
  case person(Person)
  case attendees([Attendee])
  case attachments([Attachment], of: EventReference)

  package init(_ text: String?) { self = text.map(Self.text) ?? .none }

  package init(_ number: Int?) { self = number.map(Self.number) ?? .none }

  package init(_ decimal: Double?) { self = decimal.map(Self.decimal) ?? .none }

  package init(_ time: EntryTime?, in zone: Zone) {
    self = time.map { .time($0, zone) } ?? .none
  }

  /// A moment, as programs read it.
  package init(_ moment: Instant?, in zone: Zone) {
    self.init(moment.map(EntryTime.moment), in: zone)
  }
}

/// A time of an entry for programs: the date of an all-day entry, otherwise a moment.
package enum EntryTime {
  case date(CivilDate)
  case moment(Instant)

  package init(_ time: EventTime, in zone: Zone) {
    if case .date(let date) = time {
      self = .date(date)
    } else {
      self = .moment(time.instant(for: zone))
    }
  }

  /// `nil` for a task without a date.
  package init?(startOf occurrence: borrowing Occurrence) {
    if occurrence.isUndated { return nil }
    if let days = occurrence.allDay {
      self = .date(days.lowerBound)
    } else {
      self = .moment(occurrence.begin)
    }
  }

  /// The end, exclusive. An all-day entry on 9999-12-31 has no end, because the next date does not
  /// exist.
  package init?(endOf occurrence: borrowing Occurrence) {
    if occurrence.isUndated { return nil }
    if let days = occurrence.allDay {
      self = .date(min(days.upperBound, .last))
    } else {
      self = .moment(occurrence.finish)
    }
  }

  func instant(for zone: Zone) -> Instant {
    switch self {
    case .date(let date): zone.startOfDay(date)
    case .moment(let moment): moment
    }
  }

  func day(in zone: Zone) -> CivilDate {
    switch self {
    case .date(let date): date
    case .moment(let moment): zone.civil(at: moment).date
    }
  }
}
