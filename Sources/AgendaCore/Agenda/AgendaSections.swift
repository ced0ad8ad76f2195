package import CivilTime

/// Makes the sections of an agenda. Grouping works on numbers, so that a year takes a few passes over
/// arrays and no text.
enum AgendaSections {
  /// `admits` decides about each entry. `known` returns the section of an entry whose key is known.
  static func make(
    _ occurrences: [Occurrence], in window: DateWindow, options: Agenda.Options,
    wording: any SectionWording,
    admits: ((_ occurrence: Occurrence, _ day: Int, _ path: EntryPath) -> Bool)? = nil,
    known: ((Entry) -> SectionID?)? = nil
  ) -> (listed: ListedOccurrences, sections: [AgendaSection]) {
    let layout = options.layout
    // The sections of a program are made of days.
    let key = layout.key == .custom ? .day : layout.key
    var days = OccurrenceDays(of: occurrences, zone: window.zone)
    let order =
      key == .day
      ? ListedOrder.byTime(
        occurrences, in: window, spans: days.spans, timedFirst: options.listsTimedFirst)
      : ListedOrder.byListedDay(
        occurrences, days, in: window, timedFirst: options.listsTimedFirst)
    var grouping = Grouping(order: order, key: key)
    switch key {
    case .day, .custom:
      grouping.groupByDay(days.spans, in: window, missing: days.missing, once: options.once)
    case .week, .month, .year: grouping.groupByPeriod(days.spans, in: window)
    case .calendar, .category, .location, .status, .initial: grouping.groupByName(occurrences)
    case .none: grouping.groupAll()
    }
    var groups = grouping.sections()
    var occurrences = occurrences
    if let admits {
      groups.keep { occurrence, number, path in
        let day = key == .day ? number : days.firstShown(of: occurrence, in: window)
        return admits(occurrences[occurrence], days.ordinal(of: day, of: occurrence), path)
      }
      let members = groups.numberMembers()
      occurrences = members.map { occurrences[$0] }
      days.spans = members.map { days.spans[$0] }
    }
    let listed = ListedOccurrences(occurrences, days, in: window)
    let lists = groups.entries(of: listed, underDays: key == .day)
    let sections =
      switch layout.kind {
      case .key(let key):
        zip(groups.keys, lists).compactMap { number, entries in
          layout.section(
            SectionValue(number, of: key, names: grouping.names), entries, wording)
        }
      case .custom(let grouping):
        grouping.groups(layout.admitted(lists.flatMap(\.self)), known: known).map {
          SectionLayout.section($0.id, $0.entries, grouping)
        }
      }
    return (listed, options.limit.map(sections.limited(to:)) ?? sections)
  }
}

extension Agenda {
  /// An agenda of sections that were decoded. Nothing is sorted or left out.
  package init(
    groupedBy key: SectionKey, in window: DateWindow, warnings: [SourceFinding] = [],
    _ sections: [ListedSection]
  ) {
    var numbers: [Occurrence: Int32] = [:]
    var occurrences: [Occurrence] = []
    let members = sections.map { section in
      section.entries.map { entry in
        let occurrence = entry.occurrence
        let number = numbers[occurrence] ?? Int32(occurrences.count)
        if numbers.updateValue(number, forKey: occurrence) == nil {
          occurrences.append(occurrence)
        }
        return number
      }
    }
    let listed = ListedOccurrences(occurrences, in: window)
    let made = zip(sections, members).map { section, members in
      let day: Int32? = if case .day(let date) = section.value { date.dayNumber } else { nil }
      return AgendaSection(
        SectionID(section.value.id), section.value, title: section.title,
        indexTitle: section.indexTitle,
        zip(members, section.entries).map { number, entry in
          Entry(
            listed: listed, number: number,
            dayNumber: day ?? entry.day?.dayNumber
              ?? listed.days.firstShown(of: Int(number), in: window))
        })
    }
    self.init(
      made, in: window, options: Options(groupedBy: key), listed: listed, warnings: warnings)
  }
}

extension SectionLayout {
  /// The entries of a section that are included, in their order; `nil` if none is.
  fileprivate func section(
    _ value: SectionValue, _ entries: [Entry], _ wording: any SectionWording
  ) -> AgendaSection? {
    let entries = admitted(entries)
    if entries.isEmpty { return nil }
    return AgendaSection(
      SectionID(value.id), value, title: wording.title(of: value, groupedBy: key),
      indexTitle: indexTitle(of: value, wording), entries)
  }

  /// A section of a program.
  static func section(
    _ id: SectionID, _ entries: [Entry], _ grouping: any EntryGrouping
  ) -> AgendaSection {
    AgendaSection(
      id, .name(id.description), title: grouping.title(of: id),
      indexTitle: grouping.indexTitle(of: id), entries)
  }

  /// The entries that are included, in their order.
  fileprivate func admitted(_ entries: [Entry]) -> [Entry] {
    order.sorted(predicate.map { entries.filter($0) } ?? entries)
  }
}

extension [AgendaSection] {
  /// The first entries, and the sections that still have some.
  func limited(to count: Int) -> [AgendaSection] {
    var left = Swift.max(0, count)
    var kept: [AgendaSection] = []
    for var section in self where left > 0 {
      if section.entries.count > left { section.entries.removeLast(section.entries.count - left) }
      left -= section.entries.count
      kept.append(section)
    }
    return kept
  }
}

extension Grouping.Sections {
  /// The entries of each section. `underDays` says that the keys of the sections are days.
  fileprivate func entries(of listed: ListedOccurrences, underDays: Bool) -> [[Entry]] {
    keys.indices.map { section in
      places[Int(starts[section])..<Int(starts[section + 1])].map { number in
        Entry(
          listed: listed, number: number,
          dayNumber: underDays
            ? keys[section] : listed.days.firstShown(of: Int(number), in: listed.window))
      }
    }
  }
}

extension SectionValue {
  /// The value of a number on a key's scale: a day number, a Monday's day number, year × 12 + month − 1,
  /// a year, or a position in `names`. Entries without a date have the number after all days; those
  /// without a name have the one after all names.
  fileprivate init(_ number: Int32, of key: SectionKey, names: [String]) {
    let number = Int(number)
    let isUndated = number == Int(DaySpan.undated.first)
    self =
      switch key {
      case .day: CivilDate(dayNumber: number).map { .day($0) } ?? .missing
      case .week:
        CivilDate(dayNumber: number).map { .week(ISOWeek(containing: $0)) } ?? .missing
      case .month: isUndated ? .missing : .month(year: number / 12, month: number % 12 + 1)
      case .year: isUndated ? .missing : .year(number)
      case .none: .all
      case .status:
        !names.indices.contains(number)
          ? .missing
          : Event.Status(rawValue: names[number]).map { .status($0) } ?? .name(names[number])
      case .calendar, .category, .location, .initial, .custom:
        names.indices.contains(number) ? .name(names[number]) : .missing
      }
  }
}
