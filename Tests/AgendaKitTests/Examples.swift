import AgendaKit

/// The examples of the documentation, compiled word for word. `DocumentationTests` compares the two
/// and checks what they print.
enum Examples {
  static func tenLines() throws {
    let zone = try ZoneDatabase.system(TZDIR: nil).loadZone(named: "Europe/Berlin")
    let calendars = try CalendarCollection(contentsOf: ["household.ics"])
    let first = try DatePhrase.parse("2026-11-21", today: .first)
    guard let window = DateWindow(firstDay: first, length: .days(4), zone: zone) else { return }
    let agenda = try calendars.agenda(in: window)
    for section in agenda.sections {
      print(section.title, section.entries.map(\.event.title))
    }
    print(calendars.rendering(agenda, as: .markdown))
  }

  static func selection(_ calendars: CalendarCollection, _ year: DateWindow) throws {
    let german = try LocaleData("de_DE")
    var selection = Selection(words: ["stand-up"])
    selection.includesCancelled = true
    let months = try calendars.agenda(
      in: year, of: selection, options: .init(groupedBy: .month, limit: 100), locale: german)
    print(months.sectionIndexTitles.joined(separator: " "))
    print(calendars.rendering(months, as: .text, .init(locale: german, columns: 72)))
  }

  static func places(_ calendars: CalendarCollection, _ agenda: Agenda) {
    guard let path = IndexPath("3.2"), let entry = agenda[path] else { return }
    print(entry.id, entry.event.title, entry.begin.rfc3339(in: agenda.window.zone))
    print(calendars.details(of: entry.event).description ?? "")
    assert(agenda.indexPath(of: entry) == path)
  }

  static func store(at path: String, _ window: DateWindow) throws {
    let store = try CalendarCollection(storeAt: path)
    let today = try store.agenda(in: window)
    print(today.entryCount)
  }

  static func zones() throws {
    let zones = ZoneDatabase.system(TZDIR: nil)
    let berlin = try zones.loadZone(named: "Europe/Berlin")
    guard let date = CivilDate(year: 2027, month: 3, day: 28),
      let time = TimeOfDay(hour: 2, minute: 30)
    else { return }
    let instant = berlin.instant(of: CivilDateTime(date, time))
    print(instant.rfc3339(in: berlin))
  }

  static func rules() throws {
    let rule = try Rule(parsing: "FREQ=MONTHLY;BYDAY=2TU")
    guard let start = CivilDate(year: 1970, month: 1, day: 13),
      let noon = TimeOfDay(hour: 12, minute: 0)
    else { return }
    print(RuleInWords(rule))
    let first = EventTime.floating(CivilDateTime(start, noon))
    for occurrence in RuleExpansion(rule, start: first).prefix(3) {
      print(occurrence)
    }
  }
}
