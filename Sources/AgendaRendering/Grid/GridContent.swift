package import AgendaCore
package import CivilTime

/// What a grid shows: the entries of each day of a window.
package struct GridContent {
  let window: DateWindow
  let wording: EntryWording
  /// The names of the calendars, in the order of their marks.
  let calendars: [String]
  let entries: (CivilDate) -> [Entry]
  /// The number of entries of a day, which can be more than `entries` returns.
  let count: (CivilDate) -> Int

  /// `options` are those of the agenda of the entries.
  package init(
    window: DateWindow, calendars: [String], _ wording: DateWording, options: Agenda.Options,
    count: ((CivilDate) -> Int)? = nil, entries: @escaping (CivilDate) -> [Entry]
  ) {
    self.window = window
    self.calendars = calendars
    self.wording = EntryWording(wording, window: window, options: options)
    self.entries = entries
    self.count = count ?? { entries($0).count }
  }

  /// The days of an agenda that is grouped by days.
  init(_ agenda: Agenda, _ wording: DateWording) {
    var sections: [CivilDate: AgendaSection] = [:]
    for section in agenda.sections {
      if case .day(let date) = section.value { sections[date] = section }
    }
    self.init(
      window: agenda.window, calendars: Set(agenda.occurrences.map(\.event.calendar)).sorted(),
      wording, options: agenda.options
    ) { sections[$0].map { Array($0.entries) } ?? [] }
  }
}
