public import CivilTime

/// What happens in a window, in sections.
///
/// A value that never changes: whatever is worked out once stays true. Sections are sorted by time
/// or by name, entries within them by all-day first, start, end, title and UID; an entry of several
/// days is listed on each of them.
///
///     let agenda = Agenda(occurrences, in: window, options: .init(groupedBy: .month))
///     for section in agenda.sections {
///       print(section.title)
///       for entry in section.entries { print(entry.occurrence.event.title) }
///     }
public struct Agenda: Sendable {
  /// What makes a section, and which entries an agenda has.
  public struct Options: Hashable, Sendable {
    public var groupedBy: SectionKey
    /// An entry of several days only on its first day in the window.
    public var once: Bool
    /// At most so many entries.
    public var limit: Int?
    /// The day under which overdue tasks are listed; `nil` leaves them on the day when they were due.
    public var today: CivilDate?

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

  /// Groups the occurrences; those that do not touch the window are left out.
  public init(
    _ occurrences: [Occurrence], in window: DateWindow, options: Options = Options(),
    wording: any SectionWording = PlainSectionWording()
  ) {
    storage = AgendaStorage(occurrences, in: window, options: options, wording: wording)
  }

  /// Groups the occurrences that a selection took up, and leaves out the entries that its condition
  /// excludes by their day or position.
  package init(
    _ occurrences: [Occurrence], of selection: Selection, in window: DateWindow,
    options: Options = Options(), wording: any SectionWording = PlainSectionWording(),
    details: @escaping (EventReference) -> EventDetails
  ) {
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

  /// Only its first entries.
  package func limited(to count: Int) -> Agenda {
    Agenda(AgendaStorage(storage, in: window, limit: count))
  }

  /// The same entries in a longer window that begins on the same day.
  package func extended(to window: DateWindow) -> Agenda {
    Agenda(AgendaStorage(storage, in: window, limit: options.limit))
  }

  /// Only the entries of one of its days, if it is grouped by days and the day has any.
  package func day(_ date: CivilDate) -> Agenda? {
    guard let index = sections.firstIndex(where: { $0.value == .day(date) }),
      let window = DateWindow(firstDay: date, length: .days(1), zone: window.zone)
    else { return nil }
    return Agenda(AgendaStorage(storage, in: window, onlySection: index))
  }

  public var window: DateWindow { storage.window }
  public var options: Options { storage.options }

  /// Every occurrence that was given, in the order it was given in. A condition on days or positions
  /// leaves only those with entries.
  public var occurrences: [Occurrence] { storage.occurrences }

  public var isEmpty: Bool { storage.places.isEmpty }

  /// How many entries there are in all sections.
  public var entryCount: Int { storage.places.count }

  public var sections: Sections { Sections(storage: storage) }

  /// The sections that have entries, in their order.
  public struct Sections: RandomAccessCollection, Sendable {
    let storage: AgendaStorage

    public var startIndex: Int { 0 }
    public var endIndex: Int { storage.sectionKeys.count }

    public subscript(position: Int) -> Section {
      Section(storage: storage, index: position)
    }
  }

  /// The entry at that place, if any.
  public subscript(path: IndexPath) -> Entry? {
    guard sections.indices.contains(path.section) else { return nil }
    let entries = sections[path.section].entries
    guard entries.indices.contains(path.entry) else { return nil }
    return entries[path.entry]
  }

  /// The place of an entry. An entry of another agenda is found by its identifier, first on the
  /// same day, otherwise at the first place of its occurrence; `nil` if this agenda lacks it.
  public func indexPath(of entry: Entry) -> IndexPath? {
    if entry.storage === storage { return storage.indexPath(ofPlace: entry.place) }
    let paths = indexPaths(of: entry.id)
    return paths.first { self[$0]?.date == entry.date } ?? paths.first
  }

  /// All places of an occurrence, in order.
  public func indexPaths(of id: OccurrenceID) -> [IndexPath] {
    storage.places(of: id).map(storage.indexPath(ofPlace:))
  }

  /// One short title for each section, in order.
  public var sectionIndexTitles: [String] { sections.map(\.indexTitle) }

  /// The first section with that index title.
  public func section(forIndexTitle title: String) -> Section? {
    sections.first { $0.indexTitle == title }
  }
}

extension Agenda: Hashable {
  /// The same window with equal sections.
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
