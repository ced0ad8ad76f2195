import TestSupport
import Testing

/// Texts without tags: their entities are decoded, whoever wrote them.
@Suite("entities in texts, by the producer of the calendar")
struct DescriptionProducerTests {
  // Checks Decisions: Deviations/13
  @Test(
    "they are decoded in every text, from the file and from the store",
    arguments: [
      "-//Google Inc//Google Calendar 70.9054//EN", "Microsoft Exchange Server 2010",
      "-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN",
      "-//Parish - ECPv6.3.1//NONSGML v1.0//EN",
      "-//Apple Inc.//macOS 14.4//EN", "-//Example//EN",
    ])
  func producers(producer: String) throws {
    let fixture = try OptionFixture()
    func write(_ producer: String) throws {
      try fixture.write(
        "a.ics",
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:\(producer)
        BEGIN:VEVENT
        UID:1
        DTSTART:20261124T100000Z
        SUMMARY:R&amp;D
        LOCATION:R&amp;D
        DESCRIPTION:R&amp;D\\, Bo&#39;s
        END:VEVENT
        END:VCALENDAR

        """)
    }
    try write(producer)
    let path = fixture.path("a.ics")
    let imported = fixture.run(["import", path], isPinned: false)
    try #require(imported.status == .done, "\(imported.errors)")
    for source in [[path], []] {
      let entries = try fixture.entries(source)
      #expect(entries.map { $0["description"] as? String } == ["R&D, Bo's"])
      #expect(entries.map { $0["title"] as? String } == ["R&D"])
      #expect(entries.map { $0["location"] as? String } == ["R&D"])
    }
    // Another version of the producer changes no event.
    try write(producer + " 2")
    let again = fixture.run(["import", path, "--format", "json"], isPinned: false)
    #expect(again.output.contains("\"unchanged\":1"), "\(again.output)")
  }
}
