import Foundation
import TestSupport
import Testing

/// Which calendar, folder and file a change goes to.
@Suite("changes go to the calendar, folder and file that is meant")
struct WritingPlacesTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private static let properties = ["X-KEEP;A=b:c", "CALSCALE:GREGORIAN"]

  private func write(_ path: String, _ components: String...) throws {
    try folder.scratch.write(path, calendar(components, Self.properties))
  }

  private static func lunch(_ uid: String, _ title: String = "Lunch", stamp: Int = 1) -> String {
    component(
      "VEVENT", uid,
      [
        "DTSTART:20261124T120000Z", "SEQUENCE:\(stamp)", "SUMMARY:\(title)",
        "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com",
      ])
  }

  /// Two UIDs of single events with one id: FNV-1a of `e` and the UID, mixed to 32 bits as MurmurHash3
  /// does it.
  private static func collidingUIDs() -> (first: String, second: String, id: String) {
    var uids: [UInt32: String] = [:]
    for number in 0... {
      let uid = "\(number)@example.com"
      var value: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in Array("e\(uid)".utf8) + [0xff] {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
      }
      for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        value = (value ^ value >> 33) &* factor
      }
      let id = UInt32(truncatingIfNeeded: value ^ value >> 33)
      if let other = uids.updateValue(uid, forKey: id) {
        let digits = String(id, radix: 16)
        return (other, uid, String(repeating: "0", count: 8 - digits.count) + digits)
      }
    }
    return ("", "", "")
  }

  @Test("an id that two events have is ambiguous, and CALENDAR/UID chooses one")
  func collision() throws {
    let (first, second, id) = Self.collidingUIDs()
    // One of them today: the other one must not be overlooked.
    for (uid, day) in [(first, "20261121"), (second, "20270603")] {
      let event = component("VEVENT", uid, ["DTSTART:\(day)T120000Z", "SUMMARY:\(uid)"])
      try write("home/\(uid).ics", event)
    }
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    #expect(try folder.rows("example.com").map { $0["id"] } == [id, id])
    let uids = [first, second].sorted().map { "home/\($0)" }.joined(separator: ", ")
    for command in [
      ["edit", id, "--title", "Dinner"], ["remove", "--event", id], ["event", id],
      ["event", id, "home"], ["edit", "home/\(id)", "--title", "Dinner"],
    ] {
      let run = try folder.agenda(command)
      let name = command.first { $0.hasSuffix(id) } ?? ""
      run.expect(
        2, output: "",
        errors: "agenda: \(name): several events have this id; choose one by its UID: \(uids)\n")
    }
    #expect(try folder.agenda("edit", "home/\(second)", "--title", "Dinner").status == 0)
    #expect(try folder.contents("home/\(second).ics").contains("SUMMARY:Dinner\r\n"))
    #expect(try folder.contents("home/\(first).ics").contains("SUMMARY:\(first)\r\n"))
  }

  @Test("CALENDAR/ID names an event that two calendars have, in every command")
  func twoCalendars() throws {
    let task = component("VTODO", "task-1", ["DUE:20261124T120000Z", "SUMMARY:Pay"])
    for name in ["home", "my work"] {
      try write("\(name)/a.ics", Self.lunch("both-1"), task)
      #expect(try folder.agenda("import", name, "-q").status == 0)
    }
    let id = try #require(try folder.rows("lunch").first?["id"])
    let ambiguous = try folder.agenda("edit", id, "--title", "Dinner")
    ambiguous.expect(
      2, output: "",
      errors: "agenda: \(id): several calendars have this entry: home, my work; "
        + "choose one, such as home/\(id)\n")
    let unknown = try folder.agenda("edit", "nowhere/\(id)", "--title", "Dinner")
    #expect(unknown.status == 1 && unknown.errors.contains("nowhere/\(id): no such entry"))
    #expect(try folder.agenda("edit", "my work/\(id)", "--title", "Dinner").status == 0)
    #expect(try folder.rows("dinner").map { $0["calendar"] } == ["my work"])
    #expect(try folder.agenda("event", "my work/both-1").output.hasPrefix("Dinner\n"))
    #expect(try folder.agenda("event", "home/\(id)").output.hasPrefix("Lunch\n"))
    #expect(try folder.agenda("reply", "home/\(id)", "--accept").status == 0)
    #expect(try folder.contents("home/a.ics").contains("PARTSTAT=ACCEPTED"))
    #expect(try !folder.contents("my work/a.ics").contains("PARTSTAT=ACCEPTED"))
    let pay = try #require(try folder.rows("pay").first?["id"])
    #expect(try folder.agenda("done", pay).status == 2)
    #expect(try folder.agenda("done", "home/\(pay)").status == 0)
    #expect(try folder.rows("pay").map { $0["status"] }.filter { $0 == "completed" }.count == 1)
    #expect(try folder.agenda("remove", "--event", "home/\(id)").status == 0)
    #expect(try folder.rows("lunch").isEmpty && folder.rows("dinner").count == 1)
    // Moved to where the UID is already.
    #expect(try folder.agenda("undo").status == 0)
    let move = try folder.agenda("edit", "home/\(id)", "--calendar", "my work")
    #expect(move.status == 2 && move.errors.contains("already has this event"), "\(move)")
    #expect(try folder.storeAgrees)
  }

  @Test("a move keeps the lines of the VCALENDAR, also if other events stay in the file")
  func moveKeepsLines() throws {
    try write("home/one.ics", Self.lunch("one", "One"))
    try write("home/two.ics", Self.lunch("two", "Two"), Self.lunch("three", "Three"))
    try folder.makeFolder("family")
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let whole = try folder.contents("home/one.ics")
    for title in ["One", "Two"] {
      let id = try #require(try folder.rows(title).first?["id"])
      let run = try folder.agenda("edit", id, "--calendar", "./family")
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try folder.contents("family/one.ics") == whole)
    let lines = try folder.contents("family/two.ics").split(separator: "\r\n")
    let old = whole.replacing("UID:one", with: "UID:two").replacing(
      "SUMMARY:One", with: "SUMMARY:Two")
    #expect(lines == old.split(separator: "\r\n"))
    #expect(try !folder.contents("home/two.ics").contains("UID:two"))
    #expect(try folder.storeAgrees)
    // A series that is split keeps them too.
    let three = try #require(try folder.rows("Three").first?["id"])
    #expect(try folder.agenda("edit", three, "--repeat", "daily, 3 times").status == 0)
    let second = try #require(try folder.rows("Three").dropFirst().first?["id"])
    #expect(try folder.agenda("edit", second, "--following", "--title", "Rest").status == 0)
    let rest = try #require(try folder.names(in: "home").first { $0.contains("@agenda") })
    for line in Self.properties + ["PRODID:-//test//EN"] {
      #expect(try folder.contents("home/\(rest)").contains("\(line)\r\n"))
    }
  }

  @Test("a move to the calendar where the event is changes only what else is asked for")
  func moveToSame() throws {
    try write("home/one.ics", Self.lunch("one"))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let id = try #require(try folder.rows("lunch").first?["id"])
    let same = try folder.agenda("edit", id, "--calendar", "home")
    #expect(same.status == 0 && same.output.hasPrefix("nothing to change"), "\(same)")
    let run = try folder.agenda("edit", id, "--calendar", "Home", "--title", "Dinner")
    #expect(run.status == 0, "\(run)")
    #expect(try folder.names(in: "home") == ["one.ics"])
    #expect(try folder.contents("home/one.ics").contains("SUMMARY:Dinner\r\n"))
    #expect(try folder.storeAgrees)
  }

  @Test("an event and a task with one UID both move to the store's own calendar")
  func sameUIDInStore() throws {
    try write(
      "home/event.ics", component("VEVENT", "x", ["DTSTART:20261124T120000Z", "SUMMARY:Plan"]))
    try write(
      "home/task.ics", component("VTODO", "x", ["DUE:20261125T120000Z", "SUMMARY:Plan it"]))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    for row in try folder.rows("plan") {
      let run = try folder.agenda("edit", row["id"] ?? "", "--calendar", "local")
      #expect(run.status == 0, "\(run)")
    }
    #expect(try folder.names(in: "home") == [])
    #expect(try folder.rows("plan").map { $0["calendar"] } == ["local", "local"])
    let export = try folder.agenda("export", "local").output
    #expect(export.contains("SUMMARY:Plan\r\n") && export.contains("SUMMARY:Plan it\r\n"))
    #expect(try folder.agenda("doctor").status == 0)
  }

  @Test("a calendar of several folders does not say where a new event goes")
  func severalFolders() throws {
    for name in ["one", "two"] {
      try write("\(name)/a.ics", Self.lunch(name))
      #expect(try folder.agenda("import", name, "--calendar", "both").status == 0)
    }
    let run = try folder.agenda("add", "tomorrow", "Trip", "--calendar", "both")
    #expect(run.status == 1 || run.status == 2)
    #expect(run.errors.contains("calendar both has several folders: "), "\(run)")
    for name in ["one", "two"] {
      #expect(run.errors.contains("\(folder.path)/\(name)"), "\(run)")
      #expect(try folder.names(in: name) == ["a.ics"])
    }
    let file = try folder.agenda("add", "tomorrow", "Trip", "--calendar", "both", "--dry-run")
    #expect(file.status == run.status)
  }

  @Test("a file with two calendars keeps both when an event of one changes")
  func twoCalendarsInFile() throws {
    let texts = ["First", "Second"].map { name in
      calendar([Self.lunch(name, "Lunch \(name)")], ["X-WR-CALNAME:\(name)"])
    }
    try folder.scratch.write("home/both.ics", texts.joined())
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let names = try folder.rows("lunch").map { $0["calendar"] }
    let id = try #require(try folder.rows("second").first?["id"])
    let run = try folder.agenda("edit", id, "--location", "Café")
    #expect(run.status == 0, "\(run)")
    #expect(try folder.rows("lunch").map { $0["calendar"] } == names)
    let text = try folder.contents("home/both.ics")
    #expect(text.hasPrefix(texts[0]))
    #expect(text.dropFirst(texts[0].count).contains("LOCATION:Café\r\n"), "\(text)")
    #expect(try folder.storeAgrees)
  }

  @Test("an event in a file of vCalendar 1.0 is not changed, and the file is named")
  func oldFileInFolder() throws {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nBEGIN:VEVENT\r\nUID:old\r\nDTSTART:20261124T120000Z\r\n"
      + "SUMMARY:Lunch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    try folder.scratch.write("home/old.ics", text)
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let id = try #require(try folder.rows("lunch").first?["id"])
    for command in [["edit", id, "--title", "Dinner"], ["remove", "--event", id]] {
      let run = try folder.agenda(command)
      #expect(run.status != 0 && run.errors.contains("home/old.ics"), "\(run)")
      #expect(run.errors.contains("vCalendar 1.0"), "\(run)")
    }
    #expect(try folder.contents("home/old.ics") == text)
  }

  @Test("a refused move to an empty folder leaves no calendar, and undo takes a whole move back")
  func refusedMove() throws {
    let series = component(
      "VEVENT", "s", ["DTSTART:20261124T120000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Series"])
    try write("home/s.ics", series)
    try folder.makeFolder("empty")
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let id = try #require(try folder.rows("Series").first?["id"])
    let calendars = try folder.agenda("calendars").output
    #expect(
      try folder.agenda("edit", id, "--calendar", "./empty", "--only").status == 2)
    #expect(try folder.agenda("calendars").output == calendars)
    #expect(try folder.agenda("edit", id, "--calendar", "./empty").status == 0)
    #expect(try folder.rows("Series").allSatisfy { $0["calendar"] == "empty" })
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.agenda("calendars").output == calendars)
    #expect(try folder.names(in: "home") == ["s.ics"] && folder.names(in: "empty") == [])
  }

  @Test("a move takes older versions of the event in other files along, and undo restores them")
  func moveOfVersions() throws {
    try write("home/a.ics", Self.lunch("s", "Old", stamp: 1), Self.lunch("other", "Other"))
    try write("home/b.ics", Self.lunch("s", "New", stamp: 2))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let before = try ["home/a.ics", "home/b.ics"].map(folder.contents)
    let id = try #require(try folder.rows("New").first?["id"])
    let run = try folder.agenda("edit", id, "--calendar", "local")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.storeAgrees)
    #expect(try folder.rows("Old").isEmpty && folder.rows("New").count == 1)
    #expect(try folder.rows("Other").count == 1)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try ["home/a.ics", "home/b.ics"].map(folder.contents) == before)
    #expect(try folder.storeAgrees)
  }

  @Test("a series that is split off or moved keeps no METHOD of a mail")
  func methodOfMail() throws {
    let series = component(
      "VEVENT", "s", ["DTSTART:20261124T120000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Series"])
    try folder.scratch.write("home/s.ics", calendar([series], Self.properties + ["METHOD:REQUEST"]))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let second = try #require(try folder.rows("Series").dropFirst().first?["id"])
    #expect(try folder.agenda("edit", second, "--following", "--title", "Rest").status == 0)
    let rest = try #require(try folder.names(in: "home").first { $0.contains("@agenda") })
    #expect(try !folder.contents("home/\(rest)").contains("METHOD"))
    for line in Self.properties {
      #expect(try folder.contents("home/\(rest)").contains("\(line)\r\n"))
    }
    // The file itself keeps its other lines.
    #expect(try folder.contents("home/s.ics").contains("METHOD:REQUEST\r\n"))
  }

  private static let zone = """
    BEGIN:VTIMEZONE
    TZID:Club
    X-ZONE:keep
    BEGIN:STANDARD
    DTSTART:19700101T000000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0130
    END:STANDARD
    END:VTIMEZONE
    """

  @Test("a copy in the local calendar is exported with the zone that only its source defines")
  func copyKeepsZone() throws {
    let event = component("VEVENT", "one", ["DTSTART;TZID=Club:20261124T120000", "SUMMARY:One"])
    try folder.scratch.write("home/one.ics", calendar([Self.zone, event]))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let one = try #require(try folder.rows("One").first?["id"])
    let run = try folder.agenda("add", "--like", one, "--calendar", "local", "--title", "Copy")
    #expect(run.status == 0, "\(run.errors)")
    let starts = try folder.starts("Copy")
    #expect(try starts == folder.starts("One") && starts.count == 1)
    let export = try folder.agenda("export", "local").output
    #expect(export.contains("BEGIN:VTIMEZONE\r\nTZID:Club"))
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.rows("Copy").isEmpty)
    try folder.scratch.write("export.ics", export)
    #expect(try folder.agenda("import", "export.ics", "-q").status == 0)
    #expect(try folder.starts("Copy") == starts)
  }

  @Test("a copy keeps the zone of its calendar (X-WR-TIMEZONE)", arguments: ["local", "./home"])
  func copyKeepsCalendarZone(_ calendar: String) throws {
    try folder.makeFolder("home")
    let text = TestSupport.calendar(
      event(
        "f", "DTSTART:20261124T090000", "DTEND;TZID=Nowhere/None:20261124T100000",
        "RRULE:FREQ=DAILY;UNTIL=20261128T090000", "EXDATE:20261125T090000",
        "RDATE;VALUE=PERIOD:20261201T090000/PT3H", "SUMMARY:Float"),
      event("f", "RECURRENCE-ID:20261126T090000", "DTSTART:20261126T140000", "SUMMARY:Float"))
    try folder.scratch.write(
      "f.ics", text.replacing("VERSION:2.0", with: "VERSION:2.0\r\nX-WR-TIMEZONE:America/New_York"))
    #expect(try folder.agenda("import", "f.ics").status <= 1)
    func times(_ calendar: String) throws -> [[String?]] {
      try folder.rows("float").filter { $0["calendar"] == calendar }.map {
        [$0["start"], $0["end"], $0["timeZone"]]
      }
    }
    let original = try times("f")
    #expect(original.count == 5 && original[0][0] == "2026-11-24T15:00:00+01:00", "\(original)")
    let rehearsal = try folder.agenda("add", "--like", "f", "--calendar", calendar, "--dry-run")
    #expect(rehearsal.output.contains("+END:VEVENT\n+BEGIN:VEVENT\n"), "\(rehearsal)")
    let add = try folder.agenda("add", "--like", "f", "--calendar", calendar)
    #expect(add.status == 0, "\(add)")
    #expect(try times(calendar == "local" ? "local" : "home") == original)
    let export = try folder.agenda("export", calendar == "local" ? "local" : "home").output
    for line in [
      "DTSTART;TZID=America/New_York:20261124T090000",
      "DTEND;TZID=America/New_York:20261124T100000",
      "EXDATE;TZID=America/New_York:20261125T090000", "UNTIL=20261128T140000Z",
      "RECURRENCE-ID;TZID=America/New_York:20261126T090000",
      "DTSTART;TZID=America/New_York:20261126T140000", "TZID:America/New_York",
    ] { #expect(export.contains("\(line)\r\n"), "\(line): \(export)") }
    #expect(try folder.storeAgrees)
  }

  /// Outlook writes the rules of its zones since 1601.
  @Test("an answer to an event in a zone that only its file defines changes no time")
  func answerKeepsZone() throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Custom
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0230
      TZOFFSETTO:+0130
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010101T020000
      TZOFFSETFROM:+0130
      TZOFFSETTO:+0230
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      END:DAYLIGHT
      END:VTIMEZONE

      """.replacing("\n", with: "\r\n")
    let text = TestSupport.calendar(
      event(
        "i", "DTSTART;TZID=Custom:20261124T090000", "DTEND;TZID=Custom:20261124T100000",
        "SUMMARY:Invitation", "ORGANIZER:mailto:boss@example.com",
        "ATTENDEE:mailto:ana@example.com"))
    try folder.scratch.write(
      "i.ics", text.replacing("BEGIN:VEVENT", with: "\(zone)BEGIN:VEVENT"))
    #expect(try folder.agenda("import", "i.ics").status == 0)
    #expect(try folder.agenda("reply", "i", "--accept").status == 0)
    let changes = try folder.agenda("changes", "-f", "json").output
    #expect(changes.contains("\"properties\":[\"ATTENDEE\"]"), "\(changes)")
  }

  @Test(
    "an event brings the lines of its VCALENDAR back from the local calendar",
    arguments: ["\r\n", "\n"])
  func localKeepsLines(lineEnd: String) throws {
    let event = component(
      "VEVENT", "one",
      ["DTSTART;TZID=Club:20261124T120000", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:One"])
    let whole = calendar([Self.zone, event], Self.properties)
      .replacing("\r\n", with: "\n").replacing("\n", with: lineEnd)
    try folder.scratch.write("home/one.ics", whole)
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    _ = try folder.agenda("add", "tomorrow", "Else")
    func id(_ title: String, _ number: Int = 0) throws -> String {
      try #require(try folder.rows(title).dropFirst(number).first?["id"])
    }
    func move(_ title: String, to calendar: String) throws {
      let run = try folder.agenda("edit", try id(title), "--all", "--calendar", calendar)
      #expect(run.status == 0, "\(run.errors)")
    }
    func export() throws -> String {
      try folder.agenda("export", "local").output.replacing("\r\n", with: "\n")
    }
    let starts = try folder.starts("One")
    try move("One", to: "local")
    #expect(try folder.names(in: "home").isEmpty)
    #expect(try folder.starts("One") == starts)
    for line in Self.properties + ["PRODID:-//test//EN", "X-ZONE:keep"] {
      #expect(try export().contains("\n\(line)\n"))
    }
    try move("One", to: "home")
    let name = try #require(try folder.names(in: "home").first)
    #expect(try folder.contents("home/\(name)") == whole)
    #expect(try !export().contains("X-KEEP") && export().contains("SUMMARY:Else"))
    // The same after changes there, and `undo` of each of them.
    try move("One", to: "local")
    let dry = try folder.agenda("edit", try id("One"), "--all", "--title", "Two", "--dry-run")
    #expect(dry.output.contains("\n-SUMMARY:One\n") && !dry.output.contains("VTIMEZONE"), "\(dry)")
    #expect(try folder.agenda("edit", try id("One"), "--all", "--title", "Two").status == 0)
    #expect(
      try folder.agenda("edit", try id("Two", 2), "--following", "--title", "Three").status == 0)
    #expect(try folder.starts("Two") + folder.starts("Three") == starts)
    #expect(try export().components(separatedBy: "\nX-KEEP").count >= 2)
    try move("Three", to: "home")
    let three = try #require(try folder.names(in: "home").first)
    for line in Self.properties + ["PRODID:-//test//EN", "X-ZONE:keep", "SUMMARY:Three"] {
      #expect(try folder.contents("home/\(three)").contains("\(line)\(lineEnd)"))
    }
    if lineEnd == "\n" { #expect(try !folder.contents("home/\(three)").utf8.contains(0x0D)) }
    #expect(try folder.agenda("remove", "--event", try id("Two"), "--all").status == 0)
    #expect(try !export().contains("X-KEEP"))
    for _ in 1...4 { #expect(try folder.agenda("undo").status == 0) }
    #expect(try folder.starts("One") == starts)
    #expect(try export().contains("\nX-KEEP"))
    try move("One", to: "home")
    #expect(try folder.contents("home/\(try folder.names(in: "home")[0])") == whole)
    #expect(try folder.storeAgrees)
  }

  @Test("a file with line ends of LF gets no others")
  func lineEnds() throws {
    let events = calendar(
      [Self.lunch("one", "One"), Self.lunch("two", "Two"), Self.lunch("three", "Three")],
      Self.properties)
    try folder.scratch.write("home/all.ics", events.replacing("\r\n", with: "\n"))
    try folder.makeFolder("family")
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    func id(_ title: String, _ number: Int = 0) throws -> String {
      try #require(try folder.rows(title).dropFirst(number).first?["id"])
    }
    for arguments in [
      [try id("One"), "--at", "12:00", "--in-zone", "America/New_York", "--alarm", "5m"],
      [try id("Two"), "--calendar", "./family"], [try id("Three"), "--repeat", "daily, 4 times"],
    ] {
      let run = try folder.agenda(["edit"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    let split = try folder.agenda(
      "edit", try id("Three", 2), "--following", "--at", "9:00", "--in-zone", "Asia/Tokyo")
    #expect(split.status == 0, "\(split.errors)")
    let copy = try folder.agenda("add", "--like", try id("One"), "--calendar", "home")
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(try folder.names(in: "home").count == 3)
    for directory in ["home", "family"] {
      for name in try folder.names(in: directory) {
        let text = try folder.contents("\(directory)/\(name)")
        #expect(!text.utf8.contains(0x0D) && text.hasSuffix("\n"), "\(name)")
      }
    }
    #expect(try folder.storeAgrees)
  }

  @Test("an empty folder becomes a calendar with its first event, and undo forgets it")
  func emptyFolder() throws {
    try folder.makeFolder("calendars/home")
    try folder.makeFolder("calendars/work")
    try folder.scratch.write("calendars/home/displayname", "Family\n")
    let refused = try folder.agenda("import", "calendars/home")
    #expect(refused.status == 1 && refused.errors.contains("agenda add --calendar"), "\(refused)")
    let dry = try folder.agenda(
      "add", "tomorrow", "Trip", "--calendar", "calendars/home", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("+SUMMARY:Trip\n"), "\(dry)")
    #expect(try folder.names(in: "calendars/home") == ["displayname"])
    for _ in 1...2 {
      let add = try folder.agenda("add", "tomorrow", "Trip", "--calendar", "calendars/home/")
      #expect(add.status == 0 && add.output.hasSuffix(", all day, Family\n"), "\(add)")
      #expect(try folder.names(in: "calendars/home").count == 2)
      #expect(try folder.storeAgrees)
      #expect(try folder.agenda("undo").output.hasSuffix("\nFamily: 1 entry removed\n"))
      #expect(try folder.names(in: "calendars/home") == ["displayname"])
      #expect(try folder.agenda("calendars").output.contains("No calendars"))
    }
    #expect(
      try folder.agenda("add", "tomorrow", "Trip", "--calendar", "calendars/home").status == 0)
    // Then it is a calendar as any other, also by its path.
    #expect(try folder.agenda("add", "tomorrow", "Picnic", "--calendar", "family").status == 0)
    #expect(
      try folder.agenda("add", "tomorrow", "Swim", "--calendar", "calendars/home").status == 0)
    let swim = try #require(try folder.rows("swim").first?["id"])
    #expect(try folder.agenda("edit", swim, "--calendar", "calendars/work").status == 0)
    #expect(try folder.rows("swim").map { $0["calendar"] } == ["work"])
    #expect(try folder.names(in: "calendars/work").count == 1)
    #expect(try folder.storeAgrees)
    // A folder with events is imported first; a folder of calendars is none itself.
    try write("other/a.ics", Self.lunch("a"))
    for path in ["./other", "calendars/"] {
      let run = try folder.agenda("add", "tomorrow", "Trip", "--calendar", path)
      #expect(run.status == 1 && run.errors.contains("import it first"), "\(run)")
    }
    for path in ["./missing", "missing"] {
      let run = try folder.agenda("add", "tomorrow", "Trip", "--calendar", path)
      #expect(run.status == 2 && run.errors.contains("no calendar is called"), "\(run)")
      let names = try folder.agenda("calendars").output.split(separator: "\n").dropLast()
        .filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: ":").first }
      #expect(!names.isEmpty && names.allSatisfy { run.errors.contains($0) }, "\(run) \(names)")
    }
  }

  @Test("an older version of the event in the same or another file is no conflict")
  func olderVersions() throws {
    let series = component(
      "VEVENT", "series",
      ["DTSTART:20261124T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SEQUENCE:2", "SUMMARY:Team"])
    let older = series.replacing("SEQUENCE:2", with: "SEQUENCE:1").replacing("Team", with: "Old")
    let override = component(
      "VEVENT", "series",
      [
        "RECURRENCE-ID:20261125T090000Z", "DTSTART:20261125T100000Z", "SEQUENCE:2",
        "SUMMARY:Team, later",
      ])
    try write("home/a.ics", older, override)
    try write("home/b.ics", series)
    try write("home/c.ics", Self.lunch("lunch", "Brunch"), Self.lunch("lunch", stamp: 2))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let lunch = try #require(try folder.rows("lunch").first?["id"])
    #expect(try folder.agenda("edit", lunch, "--location", "Café").status == 0)
    #expect(try folder.contents("home/c.ics").contains("SUMMARY:Brunch\r\n"))
    let ids = try folder.rows("team").compactMap { $0["id"] }
    #expect(ids.count == 3)
    for command in [
      ["edit", ids[1], "--only", "--location", "Room 2"],
      ["edit", ids[0], "--only", "--location", "Room 3"],
    ] {
      let run = try folder.agenda(command)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try folder.contents("home/a.ics").contains("LOCATION:Room 2\r\n"))
    #expect(try folder.contents("home/a.ics").contains("SUMMARY:Old\r\n"))
    #expect(try folder.contents("home/b.ics").contains("LOCATION:Room 3\r\n"))
    #expect(try folder.storeAgrees)
    // A change of the whole series writes both files.
    let starts = try folder.starts("team")
    for command in [
      ["edit", ids[2], "--all", "--at", "12:00"], ["remove", "--event", ids[1], "--only"],
    ] {
      let run = try folder.agenda(command)
      #expect(run.status == 0, "\(run)")
      #expect(try folder.storeAgrees)
      #expect(try folder.agenda("undo").status == 0)
      #expect(try folder.starts("team") == starts)
    }
    // A newer version that another program wrote is a conflict as before.
    try write("home/b.ics", series, override.replacing("SEQUENCE:2", with: "SEQUENCE:3"))
    #expect(try folder.agenda("edit", ids[2], "--only", "--title", "x").status == 1)
  }

  @Test("a file that another program removed is reported as removed")
  func removedFile() throws {
    try write("home/a.ics", Self.lunch("a"))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let id = try #require(try folder.rows("lunch").first?["id"])
    try FileManager.default.removeItem(
      at: folder.scratch.url.appendingPathComponent("home/a.ics"))
    let run = try folder.agenda("edit", id, "--title", "x")
    run.expect(
      1, output: "",
      errors: "agenda: \(folder.path)/home/a.ics: another program removed the file, "
        + "nothing written; run agenda refresh first\n")
  }

  @Test("a file that agenda cannot change is named with its folder")
  func unchangeableFile() throws {
    let event = calendar([Self.lunch("utf16", "Brunch")], Self.properties)
    for (name, data) in [
      ("utf16.ics", Data([0xFF, 0xFE]) + (event.data(using: .utf16LittleEndian) ?? Data())),
      ("nul.ics", Data(calendar([Self.lunch("nul", "Lu\0nch")], Self.properties).utf8)),
    ] {
      try folder.scratch.write("home/\(name)", "")
      try data.write(to: folder.scratch.url.appendingPathComponent("home/\(name)"))
    }
    try write("home/link.ics", Self.lunch("link", "Dinner"))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let files = FileManager.default
    let path = "\(folder.path)/home"
    try files.moveItem(atPath: "\(path)/link.ics", toPath: "\(path)/../target.ics")
    try files.createSymbolicLink(
      atPath: "\(path)/link.ics", withDestinationPath: "\(path)/../target.ics")
    let encoding = "agenda changes only files that are in UTF-8 and have no NUL bytes"
    for (title, name, reason) in [
      ("brunch", "utf16.ics", encoding), ("lunch", "nul.ics", encoding),
      ("dinner", "link.ics", "agenda does not change a link, a folder or a device"),
    ] {
      let id = try #require(try folder.rows(title).first?["id"])
      try folder.agenda("edit", id, "--title", "x").expect(
        1, output: "", errors: "agenda: \(path)/\(name): \(reason)\n")
    }
  }

  @Test("reply --mail stores no answer if no mail can be sent to the organizer")
  func unusableOrganizer() throws {
    for (number, address) in ["mailto:boss at example.com", "mailto:", "urn:uuid:1"].enumerated() {
      let text = Self.lunch("a\(number)", "Lunch \(number)").replacing(
        "mailto:boss@example.com", with: address)
      try write("home\(number)/a.ics", text)
      #expect(try folder.agenda("import", "home\(number)", "-q").status == 0)
      let before = try folder.contents("home\(number)/a.ics")
      let row = try folder.rows("lunch").first { $0["title"] == "Lunch \(number)" }
      let id = try #require(row?["id"])
      let run = try folder.agenda("reply", id, "--accept", "--mail", "-o", "mail.txt")
      run.expect(
        1, output: "",
        errors: "agenda: \(id): no mail can be sent to the organizer's address; "
          + "without --mail, agenda prints the reply alone\n")
      #expect(try folder.contents("home\(number)/a.ics") == before)
      #expect(try !folder.names(in: ".").contains { $0.hasPrefix("mail.txt") })
      let plain = try folder.agenda("reply", id, "--accept", "--as", "MAILTO:Ana@example.com")
      #expect(plain.status == 0 && plain.output.contains("METHOD:REPLY\r\n"), "\(plain)")
    }
  }

  // Checks RFC 5545: 3.3.3/1
  @Test("reply finds the mail addresses that programs write in several ways")
  func addresses() throws {
    let invitations = [
      // What follows the question mark is not part of the address (RFC 6068).
      ("mailto:boss@example.com?subject=Hello%20all", "mailto:ana@example.com", "boss", "ana"),
      ("mailto:boss%2Bwork@example.com", "mailto:ana%2Bwork@example.com", "boss+work", "ana+work"),
      ("boss@example.com", "ana@example.com", "boss", "ana"),
    ]
    for (number, (organizer, attendee, boss, ana)) in invitations.enumerated() {
      let text = Self.lunch("a\(number)", "Lunch \(number)")
        .replacing("mailto:boss@example.com", with: organizer)
        .replacing("mailto:ana@example.com", with: attendee)
      try write("home\(number)/a.ics", text)
      #expect(try folder.agenda("import", "home\(number)", "-q").status == 0)
      let row = try folder.rows("lunch").first { $0["title"] == "Lunch \(number)" }
      let run = try folder.agenda(
        "reply", try #require(row?["id"]), "--accept", "--mail", "--as", "\(ana)@example.com")
      #expect(run.status == 0, "\(run.errors)")
      let lines = run.output.split(whereSeparator: \.isNewline)
      #expect(
        lines.contains("From: \(ana)@example.com") && lines.contains("To: \(boss)@example.com"),
        "\(run.output)")
      #expect(try folder.contents("home\(number)/a.ics").contains("PARTSTAT=ACCEPTED"))
    }
    // Apple's calendars name people by a path.
    let apple = Self.lunch("apple", "Apple").replacing(
      "ATTENDEE:mailto:ana@example.com",
      with: "ATTENDEE;EMAIL=ana@example.com:/aBCd/principal/")
    try write("home9/a.ics", apple)
    #expect(try folder.agenda("import", "home9", "-q").status == 0)
    let id = try #require(try folder.rows("Apple").first?["id"])
    let run = try folder.agenda("reply", id, "--accept", "--mail", "--as", "ana@example.com")
    #expect(run.status == 0 && run.output.contains("From: ana@example.com\n"), "\(run)")
  }

  // Checks Decisions: Recurrence/10
  @Test(
    "of two versions of an override the newest is answered and changed",
    arguments: [[1, 2], [2, 1]])
  func versionsOfOverride(_ order: [Int]) throws {
    let people = ["ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com"]
    let series = component(
      "VEVENT", "s",
      ["DTSTART;TZID=Europe/Berlin:20261124T100000", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Plan"]
        + people)
    let places = [";TZID=Europe/Berlin:20261125T100000", ":20261125T090000Z"]
    let versions = order.map { number in
      component(
        "VEVENT", "s",
        [
          "RECURRENCE-ID\(places[number - 1])", "SEQUENCE:\(number)", "SUMMARY:Plan \(number)",
          "DTSTART;TZID=Europe/Berlin:20261125T1\(number)0000",
        ] + people)
    }
    try folder.scratch.write("home/s.ics", calendar([series] + versions))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let rows = try folder.rows("plan")
    #expect(rows.map { $0["title"] } == ["Plan", "Plan 2", "Plan"])
    let id = try #require(rows[1]["id"])
    let reply = try folder.agenda("reply", id, "--accept")
    #expect(
      reply.output.contains("SEQUENCE:2\r\n") && reply.output.contains("SUMMARY:Plan 2\r\n"),
      "\(reply)")
    #expect(try folder.agenda("edit", id, "--only", "--title", "Plan B").status == 0)
    #expect(try folder.rows("plan").map { $0["title"] } == ["Plan", "Plan B", "Plan"])
    #expect(try folder.storeAgrees)
  }

  @Test("reply records the answer after its message is written")
  func replyIsWrittenFirst() throws {
    try write("home/a.ics", Self.lunch("a"))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    let id = try #require(try folder.rows("lunch").first?["id"])
    let before = try folder.contents("home/a.ics")
    let files = FileManager.default
    func link(_ name: String, to target: String) throws {
      try files.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    }
    func isLink(_ name: String) throws -> Bool {
      let kind = try files.attributesOfItem(atPath: "\(folder.path)/\(name)")[.type]
      return kind as? FileAttributeType == .typeSymbolicLink
    }
    let answer = ["reply", id, "--accept", "--as", "ana@example.com", "--mail"]
    if files.fileExists(atPath: "/dev/full") {
      let words = (answer + AgendaRun.pinned).map { "'\($0)'" }.joined(separator: " ")
      try AgendaRun(
        shell: "agenda \(words) > /dev/full", environment: ["AGENDA_STORE": "agenda.sqlite"],
        in: folder.scratch.url
      ).expect(
        1, output: "",
        errors: "agenda: cannot write to standard output: No space left on device\n")
      try link("full", to: "/dev/full")
      try folder.agenda(answer + ["-o", "full"]).expect(
        1, output: "", errors: "agenda: full: No space left on device\n")
      #expect(try isLink("full"))
    }
    try folder.agenda(answer + ["-o", "home"]).expect(
      1, output: "", errors: "agenda: home: Is a directory\n")
    #expect(try folder.contents("home/a.ics") == before)

    // A link stays, and so do the permissions of the file that it leads to.
    try folder.scratch.write("mail.txt", "")
    let path = "\(folder.path)/mail.txt"
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try link("link", to: "mail.txt")
    try folder.agenda(answer + ["--comment", "Late; sorry", "-o", "link"]).expect(0, output: "")
    #expect(try isLink("link"))
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try folder.contents("mail.txt").contains("Accepted: Lunch\n\nLate; sorry\n\n"))
    let changes = try folder.agenda("changes").output
    #expect(
      changes.contains("ana@example.com: not answered → ana@example.com: accepted"), "\(changes)")
    #expect(try !folder.names(in: ".").contains { $0.hasSuffix(".part") })
  }

  @Test("a folder that cannot be written is reported before the editor starts")
  func readOnly() throws {
    // Root may write everywhere.
    guard getuid() != 0 else { return }
    try write("home/a.ics", Self.lunch("a"))
    try write("file.ics", Self.lunch("b", "Dinner"))
    try folder.scratch.write("editor", "#!/bin/sh\ntouch started\n")
    #expect(try folder.agenda("import", "home", "file.ics", "-q").status == 0)
    let path = folder.scratch.url.appendingPathComponent("home").path
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }
    for (title, reason) in [
      ("lunch", "\(path): the folder is not writable; nothing was changed\n"),
      ("dinner", "copies the event\n"),
    ] {
      let id = try #require(try folder.rows(title).first?["id"])
      let run = try folder.agenda("edit", id, "--editor", environment: ["VISUAL": "sh ./editor"])
      #expect(run.status == 1 && run.errors.hasSuffix(reason), "\(run)")
    }
    #expect(try !folder.names(in: ".").contains("started"))
  }
}
