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
