import AgendaBrowser
import AgendaCore
import AgendaKit
import AgendaRendering
import CivilTime
import Testing

/// A browser of a calendar in memory, without a terminal and without threads.
struct BrowserSample {
  private(set) var state: BrowserState
  private let calendars: Calendars
  /// What was asked for, except for days.
  private(set) var requests: [BrowserRequest] = []
  /// How many times days were read.
  private(set) var loads = 0
  /// How many times busy times were read.
  private(set) var busyLoads = 0
  private let zone: Zone

  /// Saturday, 21 November 2026, 10:00 in Berlin.
  static let now = Instant(secondsSinceEpoch: 1_795_251_600)

  init(
    _ events: [String] = BrowserSample.usual, columns: Int = 80, rows: Int = 24,
    isStore: Bool = true, view: BrowserView = .list, locale: String = "en-GB",
    color: ColorDepth = .none
  ) throws {
    let database = ZoneDatabase.system(TZDIR: nil)
    zone = try #require(database.zone(named: "Europe/Berlin"))
    let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + events + ["END:VCALENDAR"])
      .joined(separator: "\r\n")
    calendars = try Calendars(text: text, name: "home", zones: database)
    var settings = BrowserSettings(
      zone: zone, wording: DateWording(try LocaleData(locale)), color: color, isStore: isStore)
    settings.view = view
    state = BrowserState(settings, now: Self.now, columns: columns, rows: rows)
    receive(.calendars([BrowserCalendar(name: "home", color: nil)]))
  }

  static func event(_ uid: String, _ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
  }

  static let usual = [
    event("a", "DTSTART:20261121T080000Z", "DTEND:20261121T083000Z", "SUMMARY:Breakfast"),
    event("b", "DTSTART:20261121T110000Z", "DTEND:20261121T120000Z", "SUMMARY:Lunch"),
    event("c", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Market day"),
    event("d", "DTSTART:20261124T110000Z", "DTEND:20261124T120000Z", "SUMMARY:Dentist"),
    event(
      "e", "DTSTART:20261202T180000Z", "DTEND:20261202T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3",
      "SUMMARY:Choir"),
    event("f", "DTSTART:20310606T100000Z", "SUMMARY:Eclipse"),
  ]

  private func agenda(in window: DateWindow, _ hidden: Set<String>) -> Agenda? {
    var selection = Selection()
    selection.excludedCalendars = Array(hidden)
    return try? calendars.agenda(in: window, of: selection, options: .init(today: state.today))
  }

  /// Hands an event to the browser, and the days that it then asks for.
  mutating func receive(_ event: BrowserEvent) {
    var events = [event]
    while !events.isEmpty {
      for request in state.handle(events.removeFirst()) {
        switch request {
        case .load(let window, let hidden, let generation, let most):
          loads += 1
          if let agenda = agenda(in: window, hidden) {
            events.append(
              .loaded(
                DaysPart(agenda, window: window, atMost: most), generation: generation))
          }
        case .loadBusy(let window, let hidden, let generation):
          busyLoads += 1
          if let agenda = agenda(in: window, hidden) {
            events.append(.loadedBusy(BusyPart(agenda, window: window), generation: generation))
          }
        default: requests.append(request)
        }
      }
    }
  }

  /// Types keys by their names, or characters of a text, each when the one before is drawn.
  mutating func press(_ names: String...) {
    for name in names {
      burst(name)
      receive(.drawn)
    }
  }

  /// Types keys at once, before anything is drawn.
  mutating func burst(_ names: String...) {
    for name in names {
      if let key = Key(name) {
        receive(.input(.key(key)))
      } else {
        for character in name { receive(.input(.key(Key(.character(character))))) }
      }
    }
  }

  /// The commands that were asked for.
  var commands: [BrowserCommand] {
    requests.compactMap { if case .run(let command, _) = $0 { command } else { nil } }
  }

  /// Answers the last command, and draws.
  mutating func answer(_ answer: BrowserAnswer) {
    answerBeforeDrawing(answer)
    receive(.drawn)
  }

  /// Answers the last command.
  mutating func answerBeforeDrawing(_ answer: BrowserAnswer) {
    let numbers = requests.compactMap { if case .run(_, let number) = $0 { number } else { nil } }
    if let last = numbers.last { receive(.answered(answer, to: last)) }
  }

  var title: String? { state.target?.title }

  /// The events of a day, in the order of the list.
  func references(on day: CivilDate) throws -> [EventReference] {
    let agenda = try calendars.agenda(in: .day(day, in: zone), of: Selection())
    return agenda.entries.map(\.event.reference)
  }

  mutating func resize(_ columns: Int, _ rows: Int) {
    receive(.resized(columns: columns, rows: rows))
  }

  /// The picture as text.
  var lines: [String] { BrowserFrame(state).lines }
}

extension BrowserFrame {
  /// Its lines without the spaces at their ends.
  var lines: [String] {
    canvas.lines.map { line in
      var text = line.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}
