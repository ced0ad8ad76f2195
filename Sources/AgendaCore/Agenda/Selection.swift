public import CivilTime

/// Which occurrences an agenda includes.
public struct Selection: Sendable {
  /// The names of the calendars to include, in any letter case; empty for all calendars.
  public var calendars: [String]
  /// The names of the calendars to exclude, in any letter case.
  public var excludedCalendars: [String] = []
  /// Words that an event must have, all of them: in its title, location, categories, description, or
  /// the names of its people. Letter case and accents do not matter.
  public var words: [String] { didSet { foldedWords = words.map(FoldedText.init) } }
  /// Whether cancelled events are included. The default is `false`.
  public var includesCancelled: Bool
  /// Whether tasks (VTODO) are included. The default is `false`.
  public var includesTasks: Bool
  /// Whether journals (VJOURNAL) are included.
  public var includesJournals = false
  /// Excludes timed occurrences that began at or before this moment.
  public var notStartedAt: Instant?
  /// Excludes occurrences that ended at or before this moment, and those without a length that began
  /// before it.
  public var notOverAt: Instant?
  /// Excludes events that the attendee with this mail address has declined.
  public var notDeclinedBy: String?
  /// Includes only timed or only all-day occurrences; `nil` includes both.
  package var timeKind: TimeKind?
  /// Includes only occurrences that match this condition.
  public var condition: Condition?

  /// What the listing writes of each entry, so that an entry with long texts counts as several.
  package var entrySize = EntrySize()
  /// Whether the listing shows an event once in each of its categories.
  package var listsByCategory = false
  /// The most entries of a listing.
  package var mostEntries = Self.mostEntries

  /// Whether an occurrence has times or covers whole days.
  package enum TimeKind: Sendable {
    /// The occurrence has a time of day.
    case timed
    /// The occurrence covers whole days.
    case allDay
  }

  private var foldedWords: [FoldedText]

  /// Whether the selection excludes nothing by the content of entries, so that a day without
  /// entries is a free day.
  package var keepsWholeDays: Bool { words.isEmpty && timeKind == nil && condition == nil }

  /// Selects everything except cancelled events, tasks and journals, limited by the arguments.
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

  /// A text that two selections share if and only if they are equal.
  package var signature: String {
    """
    \(calendars) \(excludedCalendars) \(words) \(includesCancelled) \(includesTasks) \
    \(includesJournals) \(notStartedAt?.secondsSinceEpoch ?? .min) \
    \(notOverAt?.secondsSinceEpoch ?? .min) \([notDeclinedBy ?? ""]) \
    \(timeKind.map { "\($0)" } ?? "") \([condition?.signature ?? ""]) \(entrySize) \
    \(listsByCategory) \(mostEntries)
    """
  }

  /// Whether an agenda includes the occurrence on its first day. `details` is called only if the
  /// answer depends on them.
  package func admits(
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
  package func admits(
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

  /// Whether the selection includes events, tasks or journals.
  package func admitsKind(_ kind: Event.Kind) -> Bool {
    switch kind {
    case .event: true
    case .task: includesTasks
    case .journal: includesJournals
    }
  }

  /// Whether busy times without any text can match.
  package var admitsBusyTimes: Bool { words.isEmpty && condition == nil }

  /// Whether the selection includes a calendar with this name.
  package func admitsCalendar(named name: String) -> Bool {
    if calendars.isEmpty, excludedCalendars.isEmpty { return true }
    let folded = FoldedText(name)
    if excludedCalendars.contains(where: { FoldedText($0) == folded }) { return false }
    return calendars.isEmpty || calendars.contains { FoldedText($0) == folded }
  }

  /// The checks that depend on the occurrence, for an event that is admitted.
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
