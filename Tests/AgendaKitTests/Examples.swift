import AgendaKit
import AgendaKitFoundation

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

  static func results(_ calendars: CalendarCollection, _ window: DateWindow) throws {
    let zone = window.zone
    var layout = ResultsLayout(sectionedBy: \.calendar)
    layout.order = [.ascending(\.calendar), .descending { $0.duration }]
    layout.predicate = { !$0.isAllDay }
    let results = try calendars.results(in: window, layout)
    for section in results.sections { print(section.name, section.entries.map(\.title)) }

    var selection = Selection(calendars: ["Household"])
    selection.condition = try Condition("duration >= 1h and not status = cancelled", zone: zone)
    let long = try calendars.results(in: window, of: selection, layout)
    print(long.entryCount)

    guard let entry = results.entry(at: IndexPath(section: 0, entry: 0)),
      let path = results.indexPath(of: entry),
      let section = results.section(forIndexTitle: "H", at: 0)
    else { return }
    print(entry.title, path, section)
  }

  static func live(at path: String, _ locale: LocaleData, _ zone: Zone) async throws {
    let request = ResultsRequest(
      .store(at: path), .fromToday(.years(1)), .days(locale), zone: { zone }, clock: { .now })
    let results = try await AgendaResults(request)
    var rows = results.sections.map { $0.entries.map(\.title) }
    for await change in results.changes {
      change.apply(to: &rows) { $0.title }
    }
  }

  static func progress(_ store: SharedStore, _ now: Instant) async throws {
    for try await step in store.importing(["work.ics"], CalendarStore.ImportOptions(now: now)) {
      switch step {
      case .progress(.importing(let source, let done, let count)): print(source, done, count)
      case .progress(.fetching(let done, let count, _)): print("addresses", done, count)
      case .finished(let reports): print(reports.map(\.added))
      }
    }
  }

  static func cache(_ request: inout ResultsRequest<Int>, in folder: String) throws {
    request.cache = try ResultsCache(named: "year", in: folder)
  }

  static func storing(at path: String, _ now: Instant, _ zone: Zone) throws {
    let today = zone.civil(at: now).date
    guard let noon = TimeOfDay(hour: 12, minute: 0) else { return }
    let store = CalendarStore(at: path)
    let reports = try store.importSources(["household.ics"], CalendarStore.ImportOptions(now: now))
    for report in reports {
      print(report.calendar ?? "", report.added, report.error ?? "no error")
    }

    let calendars = try store.contents()
    let found = try calendars.search(Selection(words: ["stand-up"]), now: now, zone: zone)
    for occurrence in found {
      print(occurrence.event.title, occurrence.begin.rfc3339(in: zone))
    }

    let options = CalendarStore.WritingOptions(now: now, zone: zone)
    var lunch = EventEdit()
    lunch.title = "Lunch"
    lunch.start = .time(CivilDateTime(today, noon))
    lunch.length = .length(EventDuration(days: 0, seconds: 3600))
    let written = try store.add(lunch, options)
    print(written.events.map(\.title))

    let lunches = try store.contents().search(Selection(words: ["lunch"]), now: now, zone: zone)
    guard let next = lunches.first else { return }
    var change = EventEdit()
    change.location = "Canteen"
    try print(store.edit(next, change, options).changedLines)
    try print(store.remove(next, options).events.isEmpty)

    print(try store.undo().map(\.calendar))
    print(try store.contents().search(Selection(words: ["lunch"]), now: now, zone: zone).count)
    let changes = try store.changes(since: now.adding(seconds: -3600), viewer: zone)
    print(changes.sources.map(\.source.calendar))
  }

  static func replying(_ store: CalendarStore, _ now: Instant, _ zone: Zone) throws {
    let invitations = try store.contents().search(Selection(words: ["board"]), now: now, zone: zone)
    guard let invitation = invitations.first else { return }
    let options = CalendarStore.WritingOptions(now: now, zone: zone)
    let reply = try store.reply(.accepted, to: invitation, comment: "I bring the slides.", options)
    print(reply.attendee, reply.organizer ?? "nobody")
    if let mail = reply.mail(now: now, zone: zone) {
      print(String(decoding: mail, as: UTF8.self))
    }
  }

  static func exporting(_ store: CalendarStore) throws {
    var text: [UInt8] = []
    try store.export(calendars: ["Household"]) { text += $0 }
    print(String(decoding: text, as: UTF8.self))
  }

  static func questions(
    _ household: CalendarCollection, _ event: Event, _ window: DateWindow, _ now: Instant
  ) throws {
    let zone = window.zone
    guard let monday = CivilDate(year: 2026, month: 11, day: 23),
      let morning = TimeOfDay(hour: 9, minute: 0), let evening = TimeOfDay(hour: 19, minute: 0)
    else { return }
    var details = EventDetails()
    details.description = "Bring the scores."
    let choir = Event(
      uid: "choir", title: "Choir", start: .zoned(CivilDateTime(monday, evening), zone),
      extent: .duration(EventDuration(days: 0, seconds: 5400)),
      rules: [try Rule(parsing: "FREQ=WEEKLY;COUNT=10")], calendar: "Own", details: details)
    let calendars = CalendarCollection(events: [choir])
    let agenda = try calendars.agenda(in: window)
    print(agenda.entryCount, calendars.details(of: choir).description ?? "")

    let occurrences = try calendars.occurrences(in: window)
    let free = FreeTime(begin: morning, finish: evening, shortest: 3600)
    for slot in free.slots(in: window, around: occurrences).prefix(2) {
      print(slot.day, slot.seconds / 3600)
    }
    print(Conflict.all(among: occurrences).pairs.count)

    for task in try household.openTasks(now: now, zone: zone) {
      print(task.event.title, task.urgency)
    }
    for alarm in try household.alarms(in: window.start..<window.end, zone: zone) {
      print(alarm.occurrence.event.title, alarm.moment.rfc3339(in: zone))
    }

    if let first = occurrences.first {
      let explanation = try calendars.explanation(of: first, in: window)
      for fact in explanation.facts { print(fact.heading, fact.text) }
    }

    for attachment in household.details(of: event).attachments {
      let bytes = household.attachmentBytes(of: event, number: attachment.number)
      let thumbnail = household.thumbnail(
        of: event, number: attachment.number, decodedBy: "/usr/bin/agenda")
      print(attachment.name ?? "", bytes?.count ?? 0, thumbnail?.format ?? .png)
    }
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
