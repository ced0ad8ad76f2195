package import CivilTime
package import Recurrence

extension Change {
  package typealias DetailsPair = (before: EventDetails, after: EventDetails)

  /// The change from one version of a component to another; `nil` if no difference is visible.
  /// `others` are properties that differ and are not part of an event or its details. Floating
  /// times and dates are those of `viewer`.
  package init?(
    from before: Event, to after: Event, details: DetailsPair?, others: [String], viewer: Zone
  ) {
    var properties = before.properties(changedIn: after)
    let isMoved = !before.hasTimes(of: after, viewer)
    // An occurrence has no separate text, so its override may write the same times differently.
    if !isMoved, before.identity.recurrenceID != nil {
      properties.removeAll { Event.propertiesOfTime.contains($0) }
    }
    if let details { properties += details.before.properties(changedIn: details.after) }
    properties += others.filter { !properties.contains($0) }
    if properties.isEmpty { return nil }
    let kind: Kind =
      switch (before.status == .cancelled, after.status == .cancelled) {
      case (false, true): .cancelled
      case (true, false): .added
      default: isMoved ? .moved : .changed
      }
    self.init(kind: kind, before: before, after: after, properties: properties)
    self.details = details
    if properties.contains("EXDATE") {
      excluded = before.times(excludedBy: after, viewer)
      restored = after.times(excludedBy: before, viewer)
    }
  }
}

extension EventTime {
  /// Whether both are dates, both floating, both in UTC, or both in the same zone.
  package func hasSameForm(as other: EventTime) -> Bool {
    switch (self, other) {
    case (.date, .date), (.floating, .floating), (.utc, .utc): true
    case (.zoned(_, let zone), .zoned(_, let other)): zone === other || zone.name == other.name
    default: false
    }
  }

  /// The same form of time, so much later on the clock.
  package func shifted(by seconds: Int) -> EventTime {
    let moved = CivilDateTime(civilSeconds: civil.civilSeconds &+ seconds) ?? civil
    return switch self {
    case .date: .date(moved.date)
    case .floating: .floating(moved)
    case .zoned(_, let zone): .zoned(moved, zone)
    case .utc: .utc(moved)
    }
  }
}

extension Event {
  /// The occurrence of the series at one of its times.
  package func occurrence(_ identity: EventIdentity, at time: EventTime) -> Event {
    var occurrence = self
    occurrence.identity = identity
    occurrence.recurrence = nil
    occurrence.takeTimes(of: self, movedTo: time)
    if let extent = statedExtent(at: time) { occurrence.extent = extent }
    return occurrence
  }

  /// The occurrences of this series that another version of it excludes by its EXDATEs.
  fileprivate func times(excludedBy other: Event, _ viewer: Zone) -> [EventTime] {
    guard let times = SeriesTimes(self, viewer: viewer) else { return [] }
    let known = Set(recurrence?.exceptionDates ?? [])
    return (other.recurrence?.exceptionDates ?? []).filter { !known.contains($0) }
      .prefix(Self.mostExclusions).flatMap { times.starts(of: $0) }
  }

  /// Nobody reads a longer list, and each exclusion needs a search in the series.
  private static let mostExclusions = 1000

  /// Whether both begin and end at the same moments, however these are written.
  fileprivate func hasTimes(of other: Event, _ viewer: Zone) -> Bool {
    guard let start, let otherStart = other.start else {
      return start == other.start && due == other.due
    }
    func place(_ event: Event, _ start: EventTime) -> RecurrenceSet.Instance {
      RecurrenceSet.place(start, event.spannedExtent, recurrenceID: start, viewer: viewer)
    }
    let (own, its) = (place(self, start), place(other, otherStart))
    return own.allDay == its.allDay && own.begin == its.begin && own.finish == its.finish
  }
}

// MARK: Differences

extension Event {
  fileprivate static let propertiesOfTime = ["DTSTART", "DTEND", "DUE"]

  /// The properties of the component that differ, by name.
  fileprivate func properties(changedIn other: Event) -> [String] {
    var names: [String] = []
    func compare(_ name: String, _ isSame: Bool) {
      if !isSame { names.append(name) }
    }
    compare("DTSTART", start == other.start)
    compare("DTEND", extent == other.extent)
    compare("DUE", due == other.due)
    compare("RRULE", recurrence?.rules ?? [] == other.recurrence?.rules ?? [])
    compare("RDATE", Set(recurrence?.dates ?? []) == Set(other.recurrence?.dates ?? []))
    compare(
      "EXDATE",
      Set(recurrence?.exceptionDates ?? []) == Set(other.recurrence?.exceptionDates ?? []))
    compare("EXRULE", recurrence?.exceptionRules ?? [] == other.recurrence?.exceptionRules ?? [])
    compare("SUMMARY", title == other.title)
    compare("LOCATION", location == other.location)
    compare("STATUS", status == other.status)
    compare("CATEGORIES", Set(categories) == Set(other.categories))
    compare("TRANSP", isTransparent == other.isTransparent)
    compare("COLOR", color == other.color)
    compare(
      "RECURRENCE-ID", identity.includesFollowing == other.identity.includesFollowing)
    return names
  }
}

extension EventDetails {
  fileprivate func properties(changedIn other: EventDetails) -> [String] {
    var names: [String] = []
    func compare(_ name: String, _ isSame: Bool) {
      if !isSame { names.append(name) }
    }
    compare("DESCRIPTION", description == other.description)
    compare("URL", url == other.url)
    compare("CONFERENCE", conference == other.conference)
    compare("GEO", coordinates == other.coordinates)
    compare("ORGANIZER", organizer == other.organizer)
    compare("ATTENDEE", Set(attendees) == Set(other.attendees))
    compare("ATTACH", Set(attachments) == Set(other.attachments))
    compare("VALARM", Set(alarms) == Set(other.alarms))
    compare("CLASS", classification == other.classification)
    compare("PRIORITY", priority == other.priority)
    compare("PERCENT-COMPLETE", percentComplete == other.percentComplete)
    compare("COMPLETED", completed == other.completed)
    return names
  }
}
