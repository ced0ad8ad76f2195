public import CivilTime

/// The events of a window of days, grouped into sections.
///
/// An agenda is a value and never changes. Within a section, entries are sorted by the day on which they
/// are listed. Within a day, all-day entries come first; entries are then sorted by start, end, title and
/// UID. A layout can have another order.
///
///     let agenda = try calendars.agenda(in: window, options: .init(.months))
///     for section in agenda.sections {
///       print(section.title)
///       for entry in section.entries { print(entry.title) }
///     }
public struct Agenda: Sendable {
  /// How an agenda is grouped, and how many entries it lists.
  public struct Options: Sendable {
    /// How entries become sections.
    package var layout: SectionLayout
    /// Whether an entry of several days is listed only on its first day in the window.
    package var once: Bool
    /// The largest number of entries; `nil` for all of them.
    package var limit: Int?
    /// The day under which overdue tasks are listed; `nil` lists them on the day when they were due.
    package var today: CivilDate?
    /// Whether timed entries come before the all-day entries of their day.
    package var listsTimedFirst = false
    /// Whose invitations are marked: the addresses of a person, and the present moment.
    package var viewer: (addresses: [String], now: Instant)?
    /// What the selection can leave out of a day.
    package var omission = Omission.nothing
    /// The events whose invitation the user has not answered; text and pages mark them.
    package var unanswered: Set<EventReference> = []
    /// The events whose invitation the user has declined; text and pages mark them, and they leave their
    /// time free.
    package var declined: Set<EventReference> = []

    /// Sections by day without a limit, unless the arguments ask for something else.
    ///
    /// - Parameters:
    ///   - layout: How entries become sections.
    ///   - once: Whether an entry of several days is listed only on its first day in the window.
    ///   - limit: The largest number of entries; `nil` for all of them.
    ///   - today: The day under which overdue tasks are listed; `nil` lists them on the day when they
    ///     were due.
    public init(
      _ layout: SectionLayout = .days, once: Bool = false, limit: Int? = nil,
      today: CivilDate? = nil
    ) {
      self.layout = layout
      self.once = once
      self.limit = limit
      self.today = today
    }

    package init(
      groupedBy key: SectionKey, once: Bool = false, limit: Int? = nil, today: CivilDate? = nil
    ) {
      self.init(SectionLayout(key), once: once, limit: limit, today: today)
    }

    /// What the entries of a section have in common, such as their day or calendar.
    package var groupedBy: SectionKey {
      get { layout.key }
      set { layout = SectionLayout(newValue) }
    }
  }

  /// The days that the agenda covers, and their time zone.
  public let window: DateWindow
  /// How the agenda is grouped and limited.
  package let options: Options
  /// The sections that have entries, in their order.
  public let sections: [AgendaSection]
  /// The problems of the sources, if the agenda was decoded or made by
  /// `Calendars.withDetails(_:)`; otherwise empty.
  package let warnings: [SourceFinding]
  /// The occurrences that all entries refer to; `nil` for entries of several agendas.
  private let listed: ListedOccurrences?
  private let index: AgendaIndex

  init(
    _ sections: [AgendaSection], in window: DateWindow, options: Options,
    listed: ListedOccurrences?, warnings: [SourceFinding] = []
  ) {
    self.window = window
    self.options = options
    self.warnings = warnings
    self.listed = listed
    self.sections = sections.enumerated().map { $1.at($0) }
    index = AgendaIndex(self.sections)
  }

  /// Groups the occurrences that touch the window. Most programs call
  /// `Calendars.agenda(in:of:options:locale:)` instead.
  package init(
    _ occurrences: [Occurrence], in window: DateWindow, options: Options = Options(),
    wording: any SectionWording = PlainSectionWording()
  ) {
    let (listed, sections) = AgendaSections.make(
      occurrences, in: window, options: options, wording: wording)
    self.init(sections, in: window, options: options, listed: listed)
  }

  /// Groups the occurrences that a selection found. Leaves out the entries that its condition
  /// excludes by their day or position. An entry that `previous` has with the same content keeps its
  /// section.
  package init(
    _ occurrences: [Occurrence], of selection: Selection, in window: DateWindow,
    options: Options = Options(), wording: any SectionWording = PlainSectionWording(),
    previous: Agenda? = nil, details: @escaping (EventReference) -> EventDetails
  ) {
    var options = options
    options.omission = selection.omission
    let condition = selection.condition.flatMap { $0.concernsEntries ? $0 : nil }
    let admits = condition.map { condition in
      { condition.matches(entryOf: $0, day: $1, at: $2, details: details) }
    }
    let known = previous.map { previous in { previous.sectionID(ofSame: $0) } }
    let (listed, sections) = AgendaSections.make(
      occurrences, in: window, options: options, wording: wording, admits: admits, known: known)
    self.init(sections, in: window, options: options, listed: listed)
  }

  /// The same entries with the details of their events.
  package func with(
    details: (Event) -> EventDetails, warnings: [SourceFinding]
  ) -> Agenda {
    // Occurrences of one event share it, before and after.
    var known: [ObjectIdentifier: Event] = [:]
    var detailed: [ObjectIdentifier: ListedOccurrences] = [:]
    func withDetails(_ listed: ListedOccurrences) -> ListedOccurrences {
      if let known = detailed[ObjectIdentifier(listed)] { return known }
      let occurrences = listed.occurrences.map { occurrence in
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
      let made = ListedOccurrences(occurrences, listed.days, in: listed.window)
      detailed[ObjectIdentifier(listed)] = made
      return made
    }
    let sections = sections.map { section in
      var section = section
      section.entries = section.entries.map {
        Entry(listed: withDetails($0.listed), number: $0.number, dayNumber: $0.dayNumber)
      }
      return section
    }
    return Agenda(
      sections, in: window, options: options, listed: listed.map(withDetails), warnings: warnings)
  }

  /// The agenda with only its first entries.
  package func limited(to count: Int) -> Agenda {
    var options = options
    options.limit = count
    return Agenda(
      sections.limited(to: count), in: window, options: options, listed: listed,
      warnings: warnings)
  }

  /// The same entries in a longer window that begins on the same day.
  package func extended(to window: DateWindow) -> Agenda {
    Agenda(sections, in: window, options: options, listed: listed, warnings: warnings)
  }

  /// The agenda of one of its days; `nil` if it is not grouped by days or has no entries on that
  /// day.
  package func day(_ date: CivilDate) -> Agenda? {
    guard let section = sections.first(where: { $0.value == .day(date) }),
      let window = DateWindow(firstDay: date, length: .days(1), zone: window.zone)
    else { return nil }
    return Agenda([section], in: window, options: options, listed: listed, warnings: warnings)
  }

  /// The occurrences that the agenda was made of, in their original order. A condition on days or
  /// positions removes those without entries.
  package var occurrences: [Occurrence] {
    if let listed { return listed.occurrences }
    var known: Set<Occurrence> = []
    return entries.map(\.occurrence).filter { known.insert($0).inserted }
  }

  /// Whether the agenda has no entries.
  public var isEmpty: Bool { sections.isEmpty }

  /// The number of entries in all sections.
  public var entryCount: Int { sections.reduce(0) { $0 + $1.entries.count } }

  /// All entries, section by section.
  public var entries: [Entry] { sections.flatMap(\.entries) }

  /// The entry at a position; `nil` if the agenda does not have this position.
  public subscript(path: EntryPath) -> Entry? {
    guard sections.indices.contains(path.section),
      sections[path.section].entries.indices.contains(path.entry)
    else { return nil }
    return sections[path.section].entries[path.entry]
  }

  /// The position of an entry; `nil` if the agenda does not have it. An entry of another agenda is
  /// found by its identifier and calendar: on the same day if possible, otherwise on the first day of
  /// its occurrence.
  public func path(of entry: Entry) -> EntryPath? { index.path(of: entry) }

  /// All positions of an occurrence, in order: one for each of its days.
  public func paths(of id: OccurrenceID) -> [EntryPath] { index.paths(of: id) }

  /// The index titles in the order of the sections. Neighbours with the same title share one.
  public var sectionIndexTitles: [String] { index.titles.texts }

  /// The position of the section that an index title leads to. `index` is the position of the title in
  /// `sectionIndexTitles`, because a title can occur there several times.
  public func section(forIndexTitle title: String, at index: Int) -> Int? {
    let titles = self.index.titles
    guard titles.texts.indices.contains(index), titles.texts[index] == title else { return nil }
    return titles.sections[index]
  }

  /// The section of an entry with the same content and times.
  private func sectionID(ofSame entry: Entry) -> SectionID? {
    guard let path = path(of: entry) else { return nil }
    let section = sections[path.section]
    return section.entries[path.entry].isSame(as: entry) ? section.id : nil
  }
}

extension Agenda: Hashable {
  /// Whether both have the same window and equal sections.
  public static func == (left: Agenda, right: Agenda) -> Bool {
    left.window == right.window && (left.index === right.index || left.sections == right.sections)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(window)
    hasher.combine(entryCount)
  }
}
