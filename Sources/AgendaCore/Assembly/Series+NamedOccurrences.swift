internal import CivilTime
internal import Recurrence

extension Series {
  /// The occurrences that its overrides replace, in the form of DTSTART: the same in whatever form a
  /// RECURRENCE-ID is written. A date stays one if the series has several occurrences on it.
  package var namedOccurrences: [EventReference: ComparedStart] {
    guard !overrides.isEmpty, let start = master.start else { return [:] }
    let places = OccurrencePlaces(of: master, start: start)
    var budget = WorkBudget()
    var named: [EventReference: ComparedStart] = [:]
    for override in overrides {
      guard let time = override.identity.recurrenceID else { continue }
      let place = places.place(
        of: places.named(by: time, otherZone: override.dayZone, &budget), &budget)
      named[override.reference] = ComparedStart(place, in: start)
    }
    return named
  }
}

extension [Event] {
  /// The components of one event as an agenda shows them together: a RECURRENCE-ID in whatever form is
  /// the start of an occurrence as the series has it. A RECURRENCE-ID next to a rule goes if the series
  /// is missing.
  package var onClocksOfSeries: [Event] {
    var events = self
    if !contains(where: { $0.identity.recurrenceID == nil }),
      let index = firstIndex(where: \.repeats)
    {
      (events[index].identity.recurrenceID, events[index].identity.includesFollowing) = (nil, false)
    }
    guard let series = events.first(where: { $0.identity.recurrenceID == nil }) else { return self }
    return events.map { event in
      guard let written = event.identity.recurrenceID else { return event }
      var event = event
      event.identity.recurrenceID = series.startOfOccurrence(named: written, by: event)
      return event
    }
  }
}

extension Event {
  /// The start that this series gives to the occurrence that a RECURRENCE-ID of a component names, in
  /// whatever form it is written: without a zone, as the date of one occurrence, or as a midnight that
  /// the series does not have. A time that names no occurrence stays as it is.
  fileprivate func startOfOccurrence(named time: EventTime, by component: Event) -> EventTime {
    guard let start else { return time }
    var time = time
    if case .floating(let civil) = time, start.zone != nil { time = start.at(civil) }
    let places = OccurrencePlaces(of: self, start: start)
    var budget = WorkBudget()
    let named = places.named(by: time, otherZone: component.dayZone, &budget)
    guard named.isDate, !start.isDate else { return named }
    var onDate = occurrences(onDateOf: named).makeIterator()
    guard let only = onDate.next()?.recurrenceID, onDate.next() == nil else { return named }
    return only
  }
}

extension ComparedStart {
  fileprivate init(_ place: OccurrencePlaces.Place, in start: EventTime) {
    switch place {
    case .occurrence(let key):
      let moment = Instant(secondsSinceEpoch: key)
      switch start {
      case .date: self = .date(moment.utc.date)
      case .floating: self = .floating(moment.utc)
      case .zoned, .utc: self = .moment(moment)
      }
    case .moment(let key): self = .moment(Instant(secondsSinceEpoch: key))
    case .day(let date): self = .date(date)
    case .withoutSeries(let own): self = own
    }
  }
}
