public import CivilTime

/// Which occurrences an agenda takes up.
public struct Selection: Sendable {
  /// Only these calendars, in any letter case; empty for all.
  public var calendars: [String]
  /// None of these calendars, in any letter case.
  public var excludedCalendars: [String] = []
  /// Only what has each of these words, in any letter case and with or without accents, in its
  /// title, location, categories, description or the names of its people.
  public var words: [String] { didSet { foldedWords = words.map(FoldedText.init) } }
  public var includesCancelled: Bool
  public var includesTasks: Bool
  public var includesJournals = false
  /// Leaves out timed occurrences that began at or before this instant.
  public var notStartedAt: Instant?
  /// Leaves out what was over at this instant: what ended by then, and what has no length and
  /// began before it.
  public var notOverAt: Instant?
  /// Leaves out what the attendee with this address has declined.
  public var notDeclinedBy: String?
  /// Only timed or only all-day occurrences; `nil` for both.
  public var timeKind: TimeKind?
  /// Only occurrences that match.
  public var condition: Condition?

  /// Whether an occurrence has times or is on whole days.
  public enum TimeKind: Sendable {
    case timed, allDay
  }

  private var foldedWords: [FoldedText]

  /// Whether the content of entries decides nothing, so that a day without entries is a free day.
  package var keepsWholeDays: Bool { words.isEmpty && timeKind == nil && condition == nil }

  public init(
    calendars: [String] = [], words: [String] = [], includesCancelled: Bool = false,
    includesTasks: Bool = false, notStartedAt: Instant? = nil, notOverAt: Instant? = nil,
    notDeclinedBy: String? = nil
  ) {
    self.calendars = calendars
    self.words = words
    self.includesCancelled = includesCancelled
    self.includesTasks = includesTasks
    self.notStartedAt = notStartedAt
    self.notOverAt = notOverAt
    self.notDeclinedBy = notDeclinedBy
    foldedWords = words.map(FoldedText.init)
  }

  /// The same text for the same selection, and only for it.
  package var signature: String {
    """
    \(calendars) \(excludedCalendars) \(words) \(includesCancelled) \(includesTasks) \
    \(includesJournals) \(notStartedAt?.secondsSinceEpoch ?? .min) \
    \(notOverAt?.secondsSinceEpoch ?? .min) \([notDeclinedBy ?? ""]) \
    \(timeKind.map { "\($0)" } ?? "") \([condition?.signature ?? ""])
    """
  }

  /// Whether an agenda takes up the occurrence on its first day. Details are asked for only where the
  /// answer hangs on them.
  public func admits(
    _ occurrence: borrowing Occurrence, details: (EventReference) -> EventDetails
  ) -> Bool {
    guard admits(occurrence.event, details: details), admitsTimes(of: occurrence, details: details)
    else { return false }
    guard let condition, condition.concernsEntries else { return true }
    let occurrence = copy occurrence
    return withoutActuallyEscaping(details) {
      condition.matches(entryOf: occurrence, day: 1, at: nil, details: $0)
    }
  }

  /// What can be said of an event before its occurrences are known: an event that is not admitted
  /// has none that is.
  ///
  /// An override is a separate event, so this applies to single events and to overrides. Of a
  /// series, only its kind and calendar apply to all its occurrences.
  public func admits(
    _ event: borrowing Event, details: (EventReference) -> EventDetails
  ) -> Bool {
    guard admitsKind(event.kind), admitsCalendar(named: event.calendar) else { return false }
    if event.status == .cancelled, !includesCancelled { return false }
    if !foldedWords.isEmpty, !admitsWords(of: event, details: details) { return false }
    if isDeclined(event, details: details) { return false }
    guard let condition else { return true }
    let event = copy event
    return withoutActuallyEscaping(details) { condition.matches(event: event, details: $0) }
  }

  /// Whether components of this kind are taken up.
  public func admitsKind(_ kind: Event.Kind) -> Bool {
    switch kind {
    case .event: true
    case .task: includesTasks
    case .journal: includesJournals
    }
  }

  /// Whether busy times without any text can match.
  package var admitsBusyTimes: Bool { words.isEmpty && condition == nil }

  /// Whether a calendar with this name is taken up.
  public func admitsCalendar(named name: String) -> Bool {
    if calendars.isEmpty, excludedCalendars.isEmpty { return true }
    let folded = FoldedText(name)
    if excludedCalendars.contains(where: { FoldedText($0) == folded }) { return false }
    return calendars.isEmpty || calendars.contains { FoldedText($0) == folded }
  }

  /// What depends on the occurrence, for one whose event is admitted.
  func admitsTimes(
    of occurrence: borrowing Occurrence, details: (EventReference) -> EventDetails
  ) -> Bool {
    guard admitsTime(of: occurrence) else { return false }
    guard let condition else { return true }
    let occurrence = copy occurrence
    return withoutActuallyEscaping(details) {
      condition.matches(timesOf: occurrence, details: $0)
    }
  }

  private func admitsTime(of occurrence: borrowing Occurrence) -> Bool {
    if occurrence.isUndated { return timeKind == nil && notOverAt == nil }
    if let timeKind, (occurrence.allDay != nil) != (timeKind == .allDay) { return false }
    if let notStartedAt, occurrence.allDay == nil, occurrence.begin <= notStartedAt {
      return false
    }
    if let notOverAt {
      let isOver =
        occurrence.finish > occurrence.begin
        ? occurrence.finish <= notOverAt : occurrence.begin < notOverAt
      if isOver { return false }
    }
    return true
  }

  private func admitsWords(
    of event: borrowing Event, details: (EventReference) -> EventDetails
  ) -> Bool {
    var missing = foldedWords
    func find(in text: String?) {
      guard let text, !missing.isEmpty else { return }
      let folded = FoldedText(text)
      missing.removeAll { folded.contains($0) }
    }
    find(in: event.title)
    find(in: event.location)
    for category in event.categories { find(in: category) }
    if missing.isEmpty { return true }
    let details = event.details(details)
    find(in: details.description)
    for person in CollectionOfOne(details.organizer) + details.attendees.map(\.person) {
      find(in: person?.name)
      find(in: person?.email)
    }
    return missing.isEmpty
  }

  private func isDeclined(
    _ event: borrowing Event, details: (EventReference) -> EventDetails
  ) -> Bool {
    guard let notDeclinedBy else { return false }
    let address = FoldedText(notDeclinedBy)
    return event.details(details).attendees.contains { attendee in
      guard attendee.participation == "declined", let email = attendee.person.email else {
        return false
      }
      return FoldedText(email) == address
    }
  }
}
