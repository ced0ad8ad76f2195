package import CivilTime
package import Recurrence

extension Event {
  /// The occurrence of the event's rule and dates at that moment or, if one of the two is a date,
  /// on that date.
  func occurrence(at recurrenceID: EventTime) -> Occurrence? {
    guard repeats, let start else { return nil }
    let recurrenceID = start.isDate ? onOwnClock(recurrenceID) : recurrenceID
    if start.isDate || recurrenceID.isDate {
      return occurrences(onDateOf: recurrenceID).first { _ in true }
    }
    let matcher = TimeMatcher(start: start, viewer: .utc)
    let first = Instant(secondsSinceEpoch: matcher.key(recurrenceID))
    return bareOccurrences(in: first..<first.adding(seconds: 1)).first { occurrence in
      occurrence.recurrenceID.map(matcher.key) == matcher.key(recurrenceID)
    }
  }

  /// A time as this series has its own: for a series of whole days the date that the time names. For a
  /// floating series that has an occurrence, excluded or not, at the local time of a time in a zone,
  /// that local time.
  ///
  /// `otherZone` is the `dayZone` of the component that has the time, which counts if the series has
  /// none.
  package func onOwnClock(_ time: EventTime, otherZone: Zone? = nil) -> EventTime {
    guard let start, start.zone == nil else { return time }
    if start.isDate { return .date(time.date(onClockOf: dayZone ?? otherZone)) }
    guard case .zoned(let civil, _) = time else { return time }
    var all = self
    all.recurrence?.exceptionDates = []
    all.recurrence?.exceptionRules = []
    let local = start.at(civil)
    return all.hasOccurrence(at: local) ? local : time
  }

  /// The RECURRENCE-ID of a component whose series is missing: a local time is in X-WR-TIMEZONE instead of
  /// on the clock of the series.
  var recurrenceIDAlone: EventTime? {
    guard case .floating(let civil)? = identity.recurrenceID, let zone = calendarZone else {
      return identity.recurrenceID
    }
    return zone === Zone.utc ? .utc(civil) : .zoned(civil, zone)
  }

  /// An override of a series with its RECURRENCE-ID as the series has its own times; without a series,
  /// as it is alone.
  package func replacing(in series: Event?) -> Event {
    guard let series else { return alone }
    guard let moment = identity.recurrenceID else { return self }
    var override = self
    override.identity.recurrenceID = series.onOwnClock(moment, otherZone: dayZone)
    return override
  }

  /// The event as one of its own, because its series is missing.
  var alone: Event {
    guard case .floating? = identity.recurrenceID, calendarZone != nil else { return self }
    var event = self
    event.identity.recurrenceID = recurrenceIDAlone
    return event
  }

  /// The occurrences of the event's rule and dates on the date of a time, on the clock of the event.
  func occurrences(onDateOf time: EventTime) -> some Sequence<Occurrence> {
    let start = start ?? time
    let time = start.isDate ? onOwnClock(time) : time
    let matcher = TimeMatcher(start: start, viewer: .utc)
    // A day can be an hour longer or shorter.
    let first = Instant(secondsSinceEpoch: matcher.key(time))
    let last = first.adding(seconds: 2 * TimeOfDay.secondsPerCivilDay)
    let places = OccurrencePlaces(of: self, start: start)
    return bareOccurrences(in: first..<last).lazy.filter { occurrence in
      occurrence.recurrenceID.map { places.local($0).date } == places.local(time).date
    }
  }

  /// Without their length, only occurrences that begin in the span are found. A cancelled series has
  /// them, too.
  private func bareOccurrences(in span: Range<Instant>) -> Occurrences {
    var bare = self
    bare.extent = .unstated
    bare.due = nil
    bare.status = nil
    return Series(bare).occurrences(touching: span, viewer: .utc)
  }

  /// Whether the event, cancelled or not, has an occurrence at that moment or on that date.
  package func hasOccurrence(at recurrenceID: EventTime) -> Bool {
    guard !repeats else { return occurrence(at: recurrenceID) != nil }
    guard let start else { return false }
    if start.isDate { return start == onOwnClock(recurrenceID) }
    let matcher = TimeMatcher(start: start, viewer: .utc)
    return recurrenceID.isDate
      ? start.civil.date == recurrenceID.civil.date
      : matcher.key(start) == matcher.key(recurrenceID)
  }

  /// Gives a cancelled occurrence what it leaves out, as its series has it, or the override with RANGE
  /// that changes the occurrence: its title and place, and its time and length as in `completeTimes`.
  mutating func complete(from model: Event, _ occurrence: Event?) {
    if title.isEmpty { title = model.title }
    if location == nil { location = model.location }
    completeTimes(from: model, occurrence)
  }

  /// Gives a cancellation the time and length of its occurrence, as far as it leaves them out.
  ///
  /// `occurrence` is that of the series, as an override. Its times are written as in the series,
  /// because a zone may be known only there.
  private mutating func completeTimes(from series: Event, _ occurrence: Event?) {
    guard let start, let seriesStart = series.start, let moment = identity.recurrenceID else {
      return
    }
    let isMovedDate = start.isDate != seriesStart.isDate
    if let occurrence, let time = occurrence.start, names(start, time, in: seriesStart) {
      self.start = time
      // A date can name several occurrences.
      if !moment.isDate || seriesStart.isDate {
        identity.recurrenceID = occurrence.identity.recurrenceID
      }
      if isMovedDate {
        (extent, due) = (occurrence.extent, occurrence.due)
        return
      }
      if extent == .unstated { extent = occurrence.extent }
      if case .end(let end) = extent, extent != occurrence.extent {
        extent = .end(end.moved(from: start, to: time).written(as: time))
      }
      due = due?.moved(from: start, to: time).written(as: time) ?? occurrence.due
      return
    }
    if isMovedDate { return }
    if extent == .unstated {
      if case .end(let end) = series.extent {
        extent = .end(end.moved(from: seriesStart, to: start).written(as: start))
      } else {
        extent = series.extent
      }
    }
    if due == nil { due = series.due?.moved(from: seriesStart, to: start).written(as: start) }
  }

  /// Whether the start of a cancellation is that of the occurrence at `time`, or only repeats its
  /// RECURRENCE-ID.
  private func names(_ start: EventTime, _ time: EventTime, in seriesStart: EventTime) -> Bool {
    if start == identity.recurrenceID { return true }
    let matcher = TimeMatcher(start: seriesStart, viewer: .utc)
    return start.isDate == time.isDate && matcher.key(start) == matcher.key(time)
  }

  /// One occurrence of a series with the content of the series, as an override; `nil` if the series
  /// lacks that occurrence.
  func override(at recurrenceID: EventTime) -> Event? {
    guard let occurrence = occurrence(at: recurrenceID) else { return nil }
    var event = self
    event.recurrence = nil
    event.identity.recurrenceID = occurrence.recurrenceID
    event.takeTimes(of: self, movedTo: occurrence.start)
    if let extent = statedExtent(at: occurrence.start) { event.extent = extent }
    return event
  }

  /// Begins at `newStart` and lasts as long as another event.
  package mutating func takeTimes(of other: Event, movedTo newStart: EventTime) {
    guard let otherStart = other.start else { return }
    start = newStart
    if case .end(let end) = other.extent {
      extent = .end(end.moved(from: otherStart, to: newStart))
    }
    due = other.due?.moved(from: otherStart, to: newStart)
  }

  /// The length of an RDATE that is a period (RFC 5545 3.8.5.2).
  func statedExtent(at time: EventTime) -> Extent? {
    guard let start else { return nil }
    let matcher = TimeMatcher(start: start, viewer: .utc)
    return recurrence?.dates.first { date in
      date.extent != nil && date.start.isDate == time.isDate
        && matcher.key(date.start) == matcher.key(time)
    }?.extent
  }
}

extension EventTime {
  /// An end at the same distance from another start.
  fileprivate func moved(from start: EventTime, to newStart: EventTime) -> EventTime {
    if isDate || start.isDate {
      let days = start.civil.date.days(until: civil.date)
      return newStart.civil.date.adding(days: days).map { .date($0) } ?? self
    }
    let length =
      instant(for: .utc).secondsSinceEpoch - start.instant(for: .utc).secondsSinceEpoch
    let moment = newStart.instant(for: .utc).adding(seconds: length)
    return at((zone ?? .utc).civil(at: moment))
  }

  /// The same moment in the form of another time.
  fileprivate func written(as other: EventTime) -> EventTime {
    if isDate || other.isDate { return self }
    return other.at((other.zone ?? .utc).civil(at: instant(for: .utc)))
  }
}
