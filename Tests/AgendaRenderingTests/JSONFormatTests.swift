import AgendaCore
import AgendaRendering
import CivilTime
import Foundation
import Recurrence
import TestSupport
import Testing

@Suite("JSON")
struct JSONFormatTests {
  private static let warning = SourceFinding(
    source: "work.ics",
    finding: Finding(
      .warning, "zone", "TZID \"W. Europe Standard Time\"", "read as Europe/Berlin"
    ).at(
      line: 12, component: "VEVENT", uid: "a\u{1b}b", property: "DTSTART"))

  @Test("documents, lines and reports are valid by jsonschema", .requiresPythonPackages)
  func schema() throws {
    let sample = try RenderingSample.fortnight()
    var documents: [AgendaSchema.Document] = []
    for key in SectionKey.allCases {
      let agenda = try sample.agenda(options: .init(groupedBy: key), locale: "ar_EG")
      let format = JSONFormat(details: sample.detailsSource()) {
        $1 == 1 ? "media/\($0.component).jpg" : nil
      }
      documents.append(
        .init(nil, text { format.render(agenda, warnings: [Self.warning], to: &$0) }))
      documents += text { format.renderLines(agenda, to: &$0) }.split(separator: "\n").map {
        .init("line", String($0))
      }
    }
    let empty = try sample.agenda(from: "2030-01-01")
    documents.append(
      .init(nil, text { JSONFormat(details: sample.detailsSource()).render(empty, to: &$0) }))
    let report = SourceReport(
      source: "a.ics", calendar: nil, components: 2, added: 1, rejected: 1,
      problems: [Self.warning, SourceFinding(source: "a.ics", finding: Self.warning.finding)])
    documents.append(
      .init(
        "report",
        text {
          ReportFormat(error: \.error, advice: { _ in nil }, action: \.action)
            .renderJSON([report, report], to: &$0)
        }))
    #expect(try AgendaSchema.problems(of: documents) == [])
  }

  @Test("keys are in a fixed order, and missing values are null or empty")
  func keys() throws {
    var sample = try RenderingSample()
    try sample.add("Lunch", "2026-11-21T12:00", to: "2026-11-21T13:00", uid: "8f3c@example.com")
    let agenda = try sample.agenda(days: 1)
    let document = text { JSONFormat(details: sample.detailsSource()).render(agenda, to: &$0) }
    #expect(
      document == """
        {"version":1,"window":{"start":"2026-11-21T00:00:00+01:00","end":"2026-11-22T00:00:00+01:00",\
        "timeZone":"Europe/Berlin"},"groupedBy":"day","sections":[
        {"id":"2026-11-21","title":"Saturday, 21 November 2026","indexTitle":"21","entries":[
        {"indexPath":"1.1","id":"8b4c310f","uid":"8f3c@example.com","recurrenceId":null,"calendar":"home",\
        "kind":"event","title":"Lunch","allDay":false,"start":"2026-11-21T12:00:00+01:00",\
        "end":"2026-11-21T13:00:00+01:00","timeZone":"Europe/Berlin","day":1,"days":1,"status":null,\
        "location":null,"geo":null,"url":null,"description":null,"conference":null,"categories":[],\
        "organizer":null,"attendees":[],"attachments":[]}
        ]}
        ],"warnings":[]}

        """)
  }

  // Checks Decisions: Small decisions/13
  @Test("a recurrence identifier has the form of its start; offsets with seconds are UTC")
  func moments() throws {
    let amsterdam = try RenderingSample(zone: "Europe/Amsterdam").zone
    var sample = try RenderingSample(zone: "Europe/Amsterdam")
    try sample.add("Old", "1890-06-01T12:00", to: "1890-06-01T13:00")
    let civil = try CivilDateTime(
      RenderingSample.date("1890-06-01"), #require(TimeOfDay(hour: 12, minute: 0)))
    try sample.add(
      "Moved", "1890-06-01T14:00", to: "1890-06-01T15:00", recurrenceID: .zoned(civil, amsterdam))
    try sample.add("Day", "1890-06-01", to: "1890-06-02", recurrenceID: .date(civil.date))
    let agenda = try sample.agenda(from: "1890-06-01", days: 1)
    let lines = text { JSONFormat(details: sample.detailsSource()).renderLines(agenda, to: &$0) }
      .split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].contains("\"recurrenceId\":\"1890-06-01\""))
    #expect(lines[0].contains("\"start\":\"1890-06-01\",\"end\":\"1890-06-02\",\"timeZone\":null"))
    // Amsterdam was 19 minutes and 32 seconds ahead, or 18 and some; either way not by whole minutes.
    #expect(lines[1].contains("\"start\":\"1890-06-01T11:") && lines[1].contains("Z\",\"end\""))
    #expect(lines[2].contains("\"recurrenceId\":\"1890-06-01T11:"))
  }

  @Test("the details of an event are asked for once, however often it happens")
  func detailsOnce() throws {
    var sample = try RenderingSample()
    try sample.add("Trip", "2026-11-21", to: "2026-11-28")
    let agenda = try sample.agenda()
    var asked = 0
    let document = text { sink in
      JSONFormat(details: { _ in
        asked += 1
        return EventDetails()
      }).render(agenda, to: &sink)
    }
    #expect(asked == 1)
    #expect(document.contains("\"day\":7,\"days\":7"))
  }

  @Test("rendering ends soon after the reader has gone away")
  func closedPipe() throws {
    struct Closed: Error {}
    var sample = try RenderingSample()
    for number in 0..<2000 {
      try sample.add("Entry \(number)", "2026-11-2\(1 + number % 5)T12:00", to: "2026-11-26T13:00")
    }
    let agenda = try sample.agenda()
    var flushes = 0
    var sink = ByteSink(capacity: 1024) { _ in
      flushes += 1
      throw Closed()
    }
    JSONFormat(details: sample.detailsSource()).render(agenda, to: &sink)
    let hasFailed = sink.hasFailed
    #expect(hasFailed)
    #expect(flushes == 1)
    var thrown = false
    do { try sink.finish() } catch { thrown = error is Closed }
    #expect(thrown)
  }
}
