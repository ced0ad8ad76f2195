// Modules: SystemLibrary Platform CivilTime Recurrence Phrases AgendaCore ICalendar AgendaReader AgendaStore AgendaRendering AgendaPictures FetchProtocol AgendaSources AgendaKit AgendaBrowser
internal import AgendaBrowser
internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime

/// What a terminal sends to `browse`, from any bytes: keys, mouse events and pasted text. Each picture
/// has the size of the terminal.
private let zones = ZoneDatabase.system(TZDIR: nil)
private let now = Instant(secondsSinceEpoch: 1_795_251_600)
// One thread runs the inputs.
nonisolated(unsafe) private let calendars = try? Calendars(
  text: """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    UID:a
    DTSTART:20261121T080000Z
    DTEND:20261121T083000Z
    RRULE:FREQ=DAILY;COUNT=9
    SUMMARY:Breakfast 東京 👩‍👩‍👧
    END:VEVENT
    BEGIN:VEVENT
    UID:b
    DTSTART;VALUE=DATE:20261124
    SUMMARY:Market day
    END:VEVENT
    END:VCALENDAR
    """, name: "home", zones: zones)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBrowserKeys(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let calendars, let zone = zones.zone(named: "Europe/Berlin"),
    let locale = try? LocaleData("en-GB")
  else { fatalError("the set-up fails") }
  guard count > 2 else { return 0 }
  // The first two bytes are the size.
  let (columns, rows) = (Int(bytes[0]), Int(bytes[1]) % 60)
  let input = Array(UnsafeBufferPointer(start: bytes + 2, count: min(count - 2, 400)))
  let settings = BrowserSettings(
    zone: zone, wording: DateWording(locale), color: .basic, isStore: true)
  var state = BrowserState(settings, now: now, columns: columns, rows: rows)
  var writer = ScreenWriter(depth: .basic)
  var parser = InputParser()
  var events: [BrowserEvent] = [
    .calendars([BrowserCalendar(name: "home", color: nil, isWritable: true)])
  ]
  func handleAll() {
    while !events.isEmpty {
      for request in state.handle(events.removeFirst()) {
        switch request {
        case .load(let window, let hidden, let generation, let most):
          if let agenda = agenda(calendars, window, hidden, state.today) {
            events.append(
              .loaded(DaysPart(agenda, window: window, atMost: most), generation: generation))
          }
        case .loadBusy(let window, let hidden, let generation):
          if let agenda = agenda(calendars, window, hidden, state.today) {
            events.append(.loadedBusy(BusyPart(agenda, window: window), generation: generation))
          }
        case .loadTasks(_, let generation): events.append(.tasks([], generation: generation))
        case .run(_, let number):
          let answer = BrowserAnswer(text: "done", hasFailed: number % 3 == 0)
          events.append(.answered(answer, to: number))
        case .suspend, .redraw, .quit: break
        }
      }
    }
    let frame = BrowserFrame(state)
    precondition(frame.canvas.lines.count == rows)
    precondition(frame.canvas.lines.allSatisfy { $0.count == columns })
    _ = writer.bytes(for: frame)
  }
  handleAll()
  for part in input.split(separator: 0, omittingEmptySubsequences: false) {
    events += parser.read(Array(part)).map(BrowserEvent.input)
    handleAll()
  }
  events += parser.finish().map(BrowserEvent.input)
  handleAll()
  return 0
}

private func agenda(
  _ calendars: Calendars, _ window: DateWindow, _ hidden: Set<String>, _ today: CivilDate
) -> Agenda? {
  var selection = Selection()
  selection.excludedCalendars = Array(hidden)
  return try? calendars.agenda(in: window, of: selection, options: .init(today: today))
}
