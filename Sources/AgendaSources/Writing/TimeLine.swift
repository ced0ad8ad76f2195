internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

extension EventTime {
  /// Whether both are the same moment; if one of them is a date, the same date.
  func isSameStart(as other: EventTime, viewer: Zone) -> Bool {
    switch (self, other) {
    case (.date(let date), _): date == other.civil.date
    case (_, .date(let date)): date == civil.date
    default: instant(for: viewer) == other.instant(for: viewer)
    }
  }

  /// The same moment, written in the form of another time.
  func converted(like other: EventTime, viewer: Zone) -> EventTime {
    guard !hasSameForm(as: other), !isDate, !other.isDate else { return self }
    let instant = instant(for: viewer)
    switch other {
    case .date: return self
    case .floating: return .floating(viewer.civil(at: instant))
    case .zoned(_, let zone): return .zoned(zone.civil(at: instant), zone)
    case .utc: return .utc(instant.utc)
    }
  }
}

/// The shift of a series when one of its occurrences moves.
struct TimeShift {
  let from: EventTime
  let to: EventTime
  let viewer: Zone
  /// Whether the text of the series has its start without a zone. With X-WR-TIMEZONE it has one.
  var isWithoutZone = false

  var isNone: Bool { from.hasSameForm(as: to) && from.civil == to.civil }

  /// Whether the series changes between dates, floating times and times in a zone. A series that
  /// leaves the zone of X-WR-TIMEZONE gets a zone too: in the text its times are without one.
  var changesForm: Bool {
    if case .zoned = from, isWithoutZone, !from.hasSameForm(as: to) { return true }
    return from.isDate != to.isDate || (from.zone == nil) != (to.zone == nil)
  }

  var days: Int { from.civil.date.days(until: to.civil.date) }

  /// Another time of the series, moved by the same difference on the clock.
  func moved(_ time: EventTime) -> EventTime? {
    let own = time.isDate ? time.civil : time.converted(like: from, viewer: viewer).civil
    if time.isDate || to.isDate {
      guard let date = own.date.adding(days: days) else { return nil }
      if to.isDate || !from.isDate { return .date(date) }
    }
    let difference = to.civil.civilSeconds - from.civil.civilSeconds
    return CivilDateTime(civilSeconds: own.civilSeconds + difference).map { to.at($0) }
  }

  /// The end of the same series. Its day moves as the days of the occurrences do, so a later time on
  /// the same day does not add a day; its time moves only so far that it includes the same occurrences.
  func moved(_ until: Rule.Until) -> Rule.Until? {
    switch until {
    case .date(let date): return date.adding(days: days).map { .date($0) }
    case .local(let civil):
      guard !from.isDate, !to.isDate else {
        let difference = to.civil.civilSeconds - from.civil.civilSeconds
        return CivilDateTime(civilSeconds: civil.civilSeconds + difference).map { .local($0) }
      }
      return movedEnd(civil).map { .local($0) }
    case .utc(let civil):
      if !from.isDate, !to.isDate {
        let end = EventTime.utc(civil).converted(like: from, viewer: viewer).civil
        return movedEnd(end).map { .utc(to.at($0).instant(for: viewer).utc) }
      }
      guard let moved = self.moved(EventTime.utc(civil)) else { return nil }
      if case .date(let date) = moved { return .date(date) }
      return .utc(moved.instant(for: viewer).utc)
    }
  }
}

extension TimeShift {
  /// The last moment of a series, which moves with its occurrences on the clock.
  private func movedEnd(_ end: CivilDateTime) -> CivilDateTime? {
    guard let date = end.date.adding(days: days) else { return nil }
    let (old, new) = (from.civil.time, to.civil.time)
    if end.time == old { return CivilDateTime(date, new) }
    let includesDay = end.time > old
    if includesDay == (end.time >= new) { return CivilDateTime(date, end.time) }
    let last = CivilDateTime(date, new)
    return includesDay ? last : CivilDateTime(civilSeconds: last.civilSeconds - 1)
  }
}

extension ComponentText {
  /// DTSTART; of a task without one, DUE.
  var startLine: PropertyLine? {
    (own("DTSTART").first ?? own("DUE").first).map { PropertyLine($0.content) }
  }

  /// Whether its start has neither a TZID nor a `Z`, so that only the calendar can have a zone for it.
  var startIsWithoutZone: Bool {
    guard let line = startLine else { return false }
    return line["TZID"] == nil && line.value.last != UInt8(ascii: "Z")
  }
}
