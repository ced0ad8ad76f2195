public import CivilTime

/// The events of a window of days, grouped into sections.
///
/// An agenda is a value and never changes. Sections are sorted by time or by name. Within a section,
/// entries are sorted by the day on which they are listed. Within a day, all-day entries come first;
/// entries are then sorted by start, end, title and UID. In sections of days, an entry of several days
/// is listed on each of them.
///
///     let agenda = Agenda(occurrences, in: window, options: .init(groupedBy: .month))
///     for section in agenda.sections {
///       print(section.title)
///       for entry in section.entries { print(entry.occurrence.event.title) }
///     }
public struct Agenda: Sendable {
  /// How an agenda is grouped, and how many entries it lists.
  public struct Options: Hashable, Sendable {
    /// What the entries of a section have in common, such as their day or calendar.
    package var groupedBy: SectionKey
    /// Whether an entry of several days is listed only on its first day in the window.
    package var once: Bool
    /// The largest number of entries; `nil` for all of them.
    package var limit: Int?
    /// The day under which overdue tasks are listed; `nil` lists them on the day when they were due.
    package var today: CivilDate?
    /// Whether timed entries come before the all-day entries of their day.
    package var listsTimedFirst = false
    /// What the selection can leave out of a day.
    package var omission = Omission.nothing
    /// The events whose invitation the user has not answered; text and pages mark them.
    package var unanswered: Set<EventReference> = []
    /// The events whose invitation the user has declined; text and pages mark them, and they leave their
    /// time free.
    package var declined: Set<EventReference> = []

    /// Sections by day without a limit, unless the arguments ask for something else.
    public init(
      groupedBy: SectionKey = .day, once: Bool = false, limit: Int? = nil, today: CivilDate? = nil
    ) {
      self.groupedBy = groupedBy
      self.once = once
      self.limit = limit
      self.today = today
    }
  }

  let storage: AgendaStorage

  /// Groups the occurrences that touch the window. Most programs call
  /// `Calendars.agenda(in:of:options:locale:)` instead.
  package init(
    _ occurrences: [Occurrence], in window: DateWindow, options: Options = Options(),
    wording: any SectionWording = PlainSectionWording()
  ) {
    storage = AgendaStorage(occurrences, in: window, options: options, wording: wording)
  }

  /// Groups the occurrences that a selection found. Leaves out the entries that its condition
  /// excludes by their day or position.
  package init(
    _ occurrences: [Occurrence], of selection: Selection, in window: DateWindow,
    options: Options = Options(), wording: any SectionWording = PlainSectionWording(),
    details: @escaping (EventReference) -> EventDetails
  ) {
    var options = options
    options.omission = selection.omission
    guard let condition = selection.condition, condition.concernsEntries else {
      self.init(occurrences, in: window, options: options, wording: wording)
      return
    }
    self.init(
      AgendaStorage(occurrences, in: window, options: options, wording: wording) {
        condition.matches(entryOf: $0, day: $1, at: $2, details: details)
      })
  }

  private init(_ storage: AgendaStorage) { self.storage = storage }

  /// An agenda of sections and entries that exist already.
  package init(
    _ sections: ListedSections, in window: DateWindow, wording: any SectionWording
  ) {
    self.init(AgendaStorage(sections, in: window, wording: wording))
  }

  /// The same entries with the details of their events.
  package func with(
    details: (Event) -> EventDetails, warnings: [SourceFinding]
  ) -> Agenda {
    // Occurrences of one event share it, before and after.
    var known: [ObjectIdentifier: Event] = [:]
    let occurrences = storage.occurrences.map { occurrence in
      var detailed = occurrence
      let object = occurrence.event.object
      if let event = known[object] {
        detailed.event = event
      } else {
        detailed.event.ownDetails = details(occurrence.event)
        known[object] = detailed.event
      }
      return detailed
    }
    return Agenda(AgendaStorage(storage, occurrences: occurrences, warnings: warnings))
  }

  /// The agenda with only its first entries.
  package func limited(to count: Int) -> Agenda {
    Agenda(AgendaStorage(storage, in: window, limit: count))
  }

  /// The same entries in a longer window that begins on the same day.
  package func extended(to window: DateWindow) -> Agenda {
    Agenda(AgendaStorage(storage, in: window, limit: options.limit))
  }

  /// The agenda of one of its days; `nil` if it is not grouped by days or has no entries on that
  /// day.
  package func day(_ date: CivilDate) -> Agenda? {
    guard let index = sections.firstIndex(where: { $0.value == .day(date) }),
      let window = DateWindow(firstDay: date, length: .days(1), zone: window.zone)
    else { return nil }
    return Agenda(AgendaStorage(storage, in: window, onlySection: index))
  }

  /// The days that the agenda covers, and their time zone.
  public var window: DateWindow { storage.window }
  /// How the agenda is grouped and limited.
  package var options: Options { storage.options }

  /// The occurrences that the agenda was made of, in their original order. A condition on days or
  /// positions removes those without entries.
  package var occurrences: [Occurrence] { storage.occurrences }

  /// The problems of the sources, if the agenda was decoded or made by
  /// `Calendars.withDetails(_:)`; otherwise empty.
  package var warnings: [SourceFinding] { storage.warnings }

  /// Whether the agenda has no entries.
  public var isEmpty: Bool { storage.places.isEmpty }

  /// The number of entries in all sections.
  public var entryCount: Int { storage.places.count }

  /// The sections that have entries, in their order.
  public var sections: Sections { Sections(storage: storage) }

  /// The sections that have entries, in their order.
  public struct Sections: RandomAccessCollection, Sendable {
    let storage: AgendaStorage

    public var startIndex: Int { 0 }
    public var endIndex: Int { storage.sectionKeys.count }

    public subscript(position: Int) -> AgendaSection {
      AgendaSection(storage: storage, index: position)
    }
  }

  /// The entry at a position; `nil` if the agenda does not have this position.
  public subscript(path: EntryPath) -> Entry? {
    guard sections.indices.contains(path.section) else { return nil }
    let entries = sections[path.section].entries
    guard entries.indices.contains(path.entry) else { return nil }
    return entries[path.entry]
  }

  /// The position of an entry; `nil` if the agenda does not have it. An entry of another agenda is
  /// found by its identifier: on the same day if possible, otherwise on the first day of its
  /// occurrence.
  public func path(of entry: Entry) -> EntryPath? {
    if entry.storage === storage { return storage.path(ofPlace: entry.place) }
    let paths = paths(of: entry.id)
    return paths.first { self[$0]?.date == entry.date } ?? paths.first
  }

  /// All positions of an occurrence, in order: one for each of its days.
  public func paths(of id: OccurrenceID) -> [EntryPath] {
    storage.places(of: id).map(storage.path(ofPlace:))
  }

  /// The index titles of all sections, in their order.
  public var sectionIndexTitles: [String] { sections.map(\.indexTitle) }

  /// The first section with that index title.
  public func section(forIndexTitle title: String) -> AgendaSection? {
    sections.first { $0.indexTitle == title }
  }
}

extension Agenda {
  /// All entries, section by section.
  public var entries: [Entry] { sections.flatMap(\.entries) }
}

extension Agenda: Hashable {
  /// Whether both have the same window and equal sections.
  public static func == (left: Agenda, right: Agenda) -> Bool {
    if left.storage === right.storage { return true }
    return left.window == right.window && left.options == right.options
      && left.sections.elementsEqual(right.sections)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(window)
    hasher.combine(options)
    hasher.combine(entryCount)
  }
}
