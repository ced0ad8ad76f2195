import AgendaKit
import AgendaKitFoundation
import Foundation

/// The examples of the documentation, compiled word for word. `DocumentationTests` compares the two
/// and checks what they print.
enum Examples {
  static func tenLines() throws {
    let zone = try ZoneDatabase.system().loadZone(named: "Europe/Berlin")
    let calendars = try Calendars(contentsOf: ["household.ics"])
    let first = try DatePhrase.parse("2026-11-21", today: .first)
    let window = DateWindow.window(.days(4), from: first, in: zone)
    let agenda = try calendars.agenda(in: window)
    for section in agenda.sections {
      print(section.title, section.entries.map(\.event.title))
    }
    print(calendars.rendering(agenda, as: .markdown))
  }

  static func selection(_ calendars: Calendars, _ year: DateWindow) throws {
    let german = try LocaleData("de_DE")
    var selection = Selection(words: ["stand-up"])
    selection.includesCancelled = true
    let months = try calendars.agenda(
      in: year, of: selection, options: .init(.months, limit: 100), locale: german)
    print(months.sectionIndexTitles.joined(separator: " "))
    print(calendars.rendering(months, as: .text, .init(locale: german, columns: 72)))
  }

  static func places(_ calendars: Calendars, _ agenda: Agenda) {
    guard let path = EntryPath("3.2"), let entry = agenda[path] else { return }
    print(entry.id, entry.event.title, entry.begin.rfc3339(in: agenda.window.zone))
    print(calendars.details(of: entry.event).description ?? "")
    assert(agenda.path(of: entry) == path)
  }

  static func store(at path: String, _ window: DateWindow, _ now: Instant) throws {
    let store = CalendarStore(.init(at: path, zone: { window.zone }, clock: { now }))
    let count = try store.read { try $0.agenda(in: window).entryCount }
    print(count)
  }

  static func results(_ calendars: Calendars, _ window: DateWindow) throws {
    let zone = window.zone
    var layout = SectionLayout(sectionedBy: \.calendar)
    layout.order = [.ascending(\.calendar), .descending { $0.duration }]
    layout.predicate = { !$0.isAllDay }
    let agenda = try calendars.agenda(in: window, options: .init(layout))
    for section in agenda.sections { print(section.title, section.entries.map(\.title)) }

    var selection = Selection(calendars: ["Household"])
    selection.condition = try Condition("duration >= 1h and not status = cancelled", zone: zone)
    let long = try calendars.agenda(in: window, of: selection, options: .init(layout))
    print(long.entryCount)

    guard let entry = agenda[EntryPath(section: 0, entry: 0)],
      let path = agenda.path(of: entry),
      let section = agenda.section(forIndexTitle: "H", at: 0)
    else { return }
    print(entry.title, path, section)
  }

  static func system() throws -> (LocaleData, DateWindow) {
    let zones = ZoneDatabase.system()
    let zone = try zones.zone(TimeZone.current)
    let variables = ProcessInfo.processInfo.environment
    let locale = LocaleData.fromEnvironment { variables[$0] }
    let today = zone.civil(at: .now).date
    let year = DateWindow.year(from: today, in: zone)
    return (locale, year)
  }

  static func program(_ events: [Event], _ changed: [Event], _ window: DateWindow) async throws {
    let request = ResultsRequest(
      .events(events), .fixed(window), .months, zone: { .utc }, clock: { window.start })
    let results = try await AgendaResults(request)
    try await results.update(events: changed)
  }

  static func live(_ store: CalendarStore, _ locale: LocaleData) async throws {
    var request = ResultsRequest(store, .fromToday(.years(1)), .days.indexedByMonth())
    request.locale = locale
    let results = try await AgendaResults(request)
    var rows = results.agenda.sections.map { $0.entries.map(\.title) }
    for await change in results.changes {
      change.apply(to: &rows) { $0.title }
    }
  }

  static func progress(_ store: CalendarStore) async throws {
    let reports = try await store.write { writer in
      try writer.importSources(["work.ics"]) { step in
        switch step {
        case .importing(let source, let done, let count): print(source, done, count)
        case .fetching(let done, let count, _): print("addresses", done, count)
        }
      }
    }
    print(reports.map(\.added))
  }

  static func observing(_ store: CalendarStore, _ window: DateWindow) async throws {
    let titles = store.observe { try $0.agenda(in: window).entries.map(\.title) }
    for try await titles in titles { print(titles) }
  }

  static func cache(_ request: inout ResultsRequest, in folder: String) throws {
    request.cache = try ResultsCache(named: "year", in: folder)
  }

  static func storing(at path: String, _ now: Instant, _ zone: Zone) throws {
    let today = zone.civil(at: now).date
    guard let noon = TimeOfDay(hour: 12, minute: 0) else { return }
    let store = CalendarStore(.init(at: path, zone: { zone }, clock: { now }))
    let reports = try store.write { try $0.importSources(["household.ics"]) }
    for report in reports {
      print(report.calendar ?? "", report.added, report.error ?? "no error")
    }

    try store.read { calendars in
      let found = try calendars.search(Selection(words: ["stand-up"]), now: now, zone: zone)
      for occurrence in found {
        print(occurrence.event.title, occurrence.begin.rfc3339(in: zone))
      }
    }

    var lunch = EventEdit(title: "Lunch", start: .time(CivilDateTime(today, noon)))
    lunch.length = .length(EventDuration(days: 0, seconds: 3600))
    let written = try store.write { try $0.add(lunch) }
    print(written.events.map(\.title))

    try store.write { writer in
      let lunches = try writer.calendars().search(
        Selection(words: ["lunch"]), now: now, zone: zone)
      guard let next = lunches.first else { return }
      var change = EventEdit()
      change.location = "Canteen"
      try print(writer.edit(next, change).changedLines)
      try print(writer.remove(next).events.isEmpty)
    }

    print(try store.write { try $0.undo() }.flatMap(\.calendars))
    print(
      try store.read {
        try $0.search(Selection(words: ["lunch"]), now: now, zone: zone).count
      })
    let changes = try store.changes(since: now.adding(seconds: -3600))
    print(changes.sources.map(\.calendar))
  }

  static func replying(_ store: CalendarStore, _ now: Instant, _ zone: Zone) throws {
    try store.write { writer in
      let invitations = try writer.calendars().search(
        Selection(words: ["board"]), now: now, zone: zone)
      guard let invitation = invitations.first else { return }
      let reply = try writer.reply(.accepted, to: invitation, comment: "I bring the slides.")
      print(reply.attendee, reply.organizer ?? "nobody")
      if let mail = reply.mail(now: now, zone: zone) {
        print(String(decoding: mail, as: UTF8.self))
      }
    }
  }

  static func picture(_ store: CalendarStore, at path: String, _ zone: Zone) throws {
    var hike = EventEdit(title: "Hike")
    hike.photo = try .init(pictureAt: path)
    try hike.adoptPhotoMetadata(viewer: zone)
    let added = try store.write { try $0.add(hike) }
    try store.read { calendars in
      for event in added.events {
        for attachment in calendars.details(of: event).attachments where attachment.isImage {
          let thumbnail = calendars.thumbnail(of: event, number: attachment.number)
          print(attachment.mediaType ?? "", attachment.byteCount ?? 0, thumbnail?.count ?? 0)
        }
      }
    }
  }

  static func settling(_ store: CalendarStore) throws {
    for conflict in try store.conflicts() {
      print(conflict.calendar, conflict.title)
      for property in conflict.properties {
        print(property.name, property.mine ?? "none", property.theirs ?? "none")
      }
      try store.write { try $0.resolve(conflict, .mine) }
    }
    for calendar in try store.calendars() where calendar.waiting > 0 {
      print(calendar.name, calendar.waiting)
      let reports = try store.write { try $0.exchange(calendars: [calendar.name]) }
      print(reports.compactMap(\.error))
    }
  }

  static func exporting(_ store: CalendarStore) throws {
    var text: [UInt8] = []
    try store.export(calendars: ["Household"]) { text += $0 }
    print(String(decoding: text, as: UTF8.self))
  }

  static func questions(
    _ household: Calendars, _ event: Event, _ window: DateWindow, _ now: Instant
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
    let calendars = Calendars(events: [choir])
    let agenda = try calendars.agenda(in: window)
    print(agenda.entryCount, calendars.details(of: choir).description ?? "")

    let occurrences = try calendars.occurrences(in: window)
    let free = FreeTime(begin: morning, finish: evening, shortest: 3600)
    for slot in free.slots(in: window, around: occurrences).prefix(2) {
      print(slot.day, slot.seconds / 3600)
    }
    print(Conflict.all(among: occurrences).pairs.count)

    for task in try household.openTasks(now: now, zone: zone) {
      print(task.occurrence.event.title, task.urgency)
    }
    for alarm in try household.alarms(in: window.start..<window.end, zone: zone) {
      print(alarm.occurrence.event.title, alarm.moment.rfc3339(in: zone))
    }

    if let first = occurrences.first {
      for fact in try calendars.explanation(of: first, in: window) {
        print(fact.heading, fact.text)
      }
    }

    for attachment in household.details(of: event).attachments {
      let bytes = household.attachmentBytes(of: event, number: attachment.number)
      let thumbnail = household.thumbnail(of: event, number: attachment.number)
      print(attachment.name ?? "", bytes?.count ?? 0, thumbnail?.count ?? 0)
    }
  }

  static func zones() throws {
    let zones = ZoneDatabase.system()
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
    print(rule.inWords())
    let first = EventTime.floating(CivilDateTime(start, noon))
    for occurrence in RuleExpansion(rule, start: first).prefix(3) {
      print(occurrence)
    }
  }
}
