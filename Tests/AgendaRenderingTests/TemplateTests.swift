import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Templates")
struct TemplateTests {
  private func lines(
    _ template: String, of sample: RenderingSample, now: String = "2026-11-21T09:00",
    options: Agenda.Options = .init(once: true), secondZone: Zone? = nil
  ) throws -> [String] {
    let clock = now.suffix(5).split(separator: ":").compactMap { Int($0) }
    let time = try #require(TimeOfDay(hour: clock[0], minute: clock[1]))
    let civil = CivilDateTime(try RenderingSample.date(now.prefix(10)), time)
    let format = TemplateFormat(
      try EntryTemplate(template), DateWording(.plain), now: sample.zone.instant(of: civil),
      secondZone: secondZone, details: sample.detailsSource())
    let agenda = try sample.agenda(options: options)
    return text { format.render(agenda, to: &$0) }
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test("the details of an event that occurs often are read once")
  func detailsOnce() throws {
    var details = EventDetails()
    details.description = "Bring\ntea"
    details.url = "https://example.com"
    let event = Event(
      identity: EventIdentity(uid: "1"), kind: .event, start: nil, extent: .unstated, title: "Tea",
      calendar: "home", reference: EventReference(source: 0, component: 1))
    let occurrences = (0..<300).map { number in
      let begin = Instant(utc: CivilDateTime(.first, .midnight)).adding(
        seconds: 63_900_000_000 + number * 3600)
      return Occurrence(
        event: event, start: .utc(begin.utc), begin: begin, finish: begin, allDay: nil,
        recurrenceID: .utc(begin.utc))
    }
    let first = try #require(occurrences.first).begin
    let window = try #require(
      DateWindow(firstDay: Zone.utc.day(holding: first), length: .days(20), zone: .utc))
    var reads = 0
    let format = TemplateFormat(
      try EntryTemplate("{description} {title}{url}{geo}."), DateWording(.plain), now: first
    ) { _ in
      reads += 1
      return details
    }
    let lines = text { format.render(Agenda(occurrences, in: window), to: &$0) }
      .split(separator: "\n")
    #expect(lines.count == 300)
    #expect(lines.allSatisfy { $0 == "Bring tea Teahttps://example.com." })
    #expect(reads == 1)
  }

  @Test("each field has the value of the JSON")
  func fieldsOfJSON() throws {
    let sample = try RenderingSample.fortnight()
    let zone = RenderingSample.database.zone(named: "America/New_York")
    let objects = ["geo", "organizer", "attendees", "attachments"]
    let names = EntryTemplate.fieldNames.filter {
      !objects.contains($0) && !["in", "duration", "category"].contains($0)
    }
    let template = names.map { "{\($0)}" }.joined(separator: "\u{1f}")
    let json = text { sink in
      guard let agenda = try? sample.agenda() else { return }
      JSONFormat(details: sample.detailsSource(), secondZone: zone)
        .renderLines(agenda, to: &sink)
    }
    let entries = json.split(separator: "\n")
    let rendered = try lines(template, of: sample, options: .init(), secondZone: zone)
    #expect(rendered.count == entries.count && entries.count > 12)
    for (entry, line) in zip(entries, rendered) {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(entry.utf8)) as? [String: Any])
      #expect(Set(object.keys) == Set(names + objects))
      let expected = names.map { SafeText.line(words(object[$0], isFlag: $0 == "allDay")) }
      #expect(line.components(separatedBy: "\u{1f}") == expected)
    }
  }

  /// A value of the JSON as a template prints it.
  private func words(_ value: Any?, isFlag: Bool) -> String {
    switch value {
    case let text as String: text
    case let texts as [String]: texts.joined(separator: ", ")
    case let number as NSNumber:
      isFlag ? (number.boolValue ? "true" : "false") : number.stringValue
    default: ""
    }
  }

  @Test("people, places and attachments are lists of words")
  func objects() throws {
    let party = try lines(
      "{geo}|{organizer}|{attendees}|{attachments}|{category}", of: .fortnight()
    ).filter { $0.hasPrefix("52") }
    #expect(party == ["52.5,13.4|Ana|bo@example.com|image/jpeg|family"])
  }

  @Test("the time until the start is rounded up and never negative")
  func timeUntilStart() throws {
    var sample = try RenderingSample()
    try sample.add("Running", "2026-11-21T08:30", to: "2026-11-21T09:30")
    try sample.add("Call", "2026-11-21T10:45", to: "2026-11-21T11:00")
    try sample.add("Trip", "2026-11-23", to: "2026-11-25")
    #expect(
      try lines("{title} {in} {duration}", of: sample)
        == ["Running 0 min 1 h", "Call 1 h 45 min 15 min", "Trip 1 d 15 h 2 d"])
  }

  @Test("a time of day of an all-day entry is empty, its date is not")
  func allDay() throws {
    var sample = try RenderingSample()
    try sample.add("Trip", "2026-11-23", to: "2026-11-25")
    try sample.add("Call", "2026-11-23T10:45", to: "2026-11-23T11:00")
    #expect(
      try lines("{start:%H:%M}|{start:%a %e %b}|{end:%d}|{recurrenceId:%F}|{end}", of: sample)
        == ["|Mon 23 Nov|25||2026-11-25", "10:45|Mon 23 Nov|23||2026-11-23T11:00:00+01:00"])
  }

  @Test("two braces are a brace, and a closing one alone is text")
  func braces() throws {
    var sample = try RenderingSample()
    try sample.add("{day}", "2026-11-23", to: "2026-11-24")
    #expect(try lines("{{title}} {{{title}} }", of: sample) == ["{title} {{day}} }"])
  }

  @Test(
    "errors show their place",
    arguments: [
      ("{title} {titel}", "column 10: unknown field \"titel\""),
      ("{}", "column 2: unknown field \"\""),
      ("a {title", "column 3: missing \"}\""),
      ("{", "column 1: missing \"}\""),
      ("{title:%H}", "column 7: title cannot have a format; only times such as start and end can"),
      ("{start:}", "column 8: missing time format, such as %H:%M"),
      ("{start:%H:%Q}", "column 11: unknown time format \"%Q\""),
      ("{start:%H%}", "column 10: unknown time format \"%\""),
    ])
  func errors(template: String, message: String) {
    var description = ""
    do throws(EntryTemplateError) {
      _ = try EntryTemplate(template)
    } catch {
      description = error.description
    }
    #expect(description == message)
  }

  @Test("time formats match Python's strftime", .requiresPython)
  func strftime() throws {
    let zone = try RenderingSample().zone
    let pattern = "%a|%A|%b|%B|%d|%e|%F|%G|%H|%I|%j|%M|%m|%p|%R|%S|%s|%T|%u|%V|%Y|%y|%z|%%"
    guard case .time(_, let parsed) = try EntryTemplate("{start:\(pattern)}").parts[0] else {
      Issue.record("not a time")
      return
    }
    var generator = SeededGenerator(seed: 20_261_122)
    // In the C locale, September is Sep as in en_US, not Sept as in en_GB.
    let wording = DateWording(try LocaleData("en_US"))
    // 1900 to 2100.
    let moments = (0..<500 * TestSettings.rounds).map { _ in
      Int.random(in: -2_208_000_000..<4_100_000_000, using: &generator)
    }
    let ours = moments.map {
      wording.text(parsed, moment: Instant(secondsSinceEpoch: $0), zone: zone)
    }
    let script = """
      import sys
      from datetime import datetime, timedelta, timezone
      from zoneinfo import ZoneInfo
      zone = ZoneInfo("Europe/Berlin")
      epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
      for line in sys.stdin:
          seconds = int(line)
          moment = (epoch + timedelta(seconds=seconds)).astimezone(zone)
          print(moment.strftime(sys.argv[1].replace("%s", str(seconds))))
      """
    let run = try Python.run(
      ["-c", script, pattern], input: moments.map { "\($0)\n" }.joined())
    #expect(run.errors == "")
    #expect(run.output.split(separator: "\n").map(String.init) == ours)
  }
}
