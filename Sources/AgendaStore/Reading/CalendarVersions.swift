internal import AgendaCore

/// The components that all sources of a calendar have with one UID, and which of them count.
struct CalendarVersions {
  let events: [Event]
  let assembly: SeriesAssembly

  /// The components that the agenda of the calendar is made of, without what does not count: the rule
  /// of an override whose series is there.
  var visible: [Event] { assembly.series.flatMap { [$0.master] + $0.overrides } }
}

extension Store {
  /// What there is of a UID in the present state.
  func versions(
    of uid: Int, in sources: [Int], calendar: String
  ) throws(StoreError) -> CalendarVersions {
    var events: [Event] = []
    try read(uid, of: sources, replacing: .min ... .max, calendar: calendar, into: &events)
    return try versions(of: events)
  }

  /// Which of some components with one UID count.
  func versions(of events: [Event]) throws(StoreError) -> CalendarVersions {
    CalendarVersions(
      events: events,
      assembly: try SeriesAssembly(events) { event throws(StoreError) in
        try content(of: event)
      })
  }
}
