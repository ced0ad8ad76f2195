import Foundation
import TestSupport
import Testing

/// The rules that `add` and `edit` write.
@Suite("--repeat writes rules that other programs accept")
struct RepetitionTests {
  private let folder: WrittenFolder

  init() throws {
    folder = try WrittenFolder()
    try folder.makeFolder("home")
  }

  /// RFC 5545 3.3.10: UNTIL has the type of DTSTART, and is in UTC next to a time in a zone. dateutil
  /// refuses other pairs.
  private static let oracle = """
    import sys, datetime, icalendar
    from dateutil.rrule import rrulestr
    for path in sys.argv[1:]:
        calendar = icalendar.Calendar.from_ical(open(path, 'rb').read())
        event = [c for c in calendar.subcomponents if c.name in ('VEVENT', 'VTODO')][0]
        start, until = event['DTSTART'].dt, event['RRULE']['UNTIL'][0]
        is_date = not isinstance(start, datetime.datetime)
        assert is_date == (not isinstance(until, datetime.datetime)), (start, until)
        if not is_date and start.tzinfo: assert until.tzinfo and event['RRULE'].to_ical().decode().count('Z'), until
        if is_date: start = datetime.datetime.combine(start, datetime.time())
        print(list(rrulestr(event['RRULE'].to_ical().decode(), dtstart=start))[-1].isoformat())
    """

  /// The last date of the rule in the only file of the folder, and the rule.
  private func lastDate() throws -> (date: String, rule: String) {
    let name = try #require(try folder.names(in: "home").first)
    let path = folder.scratch.url.appendingPathComponent("home/\(name)").path
    let output = try Python.output(of: ["-c", Self.oracle, path])
    let event = try folder.contents("home/\(name)").components(separatedBy: "BEGIN:VEVENT").last
    let rule = event?.split(separator: "\r\n").first { $0.hasPrefix("RRULE:") } ?? ""
    return (String(output.dropLast()), String(rule))
  }

  /// Today is Saturday, 21 November 2026.
  @Test("the end of a repetition without a year is the first such date from the start on")
  func untilWithoutYear() throws {
    let ends: [(words: [String], until: String)] = [
      (["Run", "--at", "2026-03-01", "--repeat", "weekly until 3 june"], "3 June 2026"),
      (["Run", "--at", "2027-05-01", "--repeat", "weekly until 3 march"], "3 March 2028"),
      (["2027-05-01", "Run", "--repeat", "weekly until 3 march"], "3 March 2028"),
    ]
    for (words, until) in ends {
      let add = try folder.agenda(["add"] + words)
      #expect(add.output.contains(" until \(until), local"), "\(add)")
    }
    let add = try folder.agenda("add", "Choir", "--at", "2026-03-01", "--repeat", "weekly")
    #expect(add.status == 0)
    // The end is counted from the occurrence that the id names.
    let id = try #require(try folder.rows("choir").first?["id"])
    let edit = try folder.agenda("edit", id, "--all", "--repeat", "weekly until 3 march")
    #expect(edit.output.contains(" until 3 March 2027, local"), "\(edit)")
  }

  // Checks RFC 5545: 3.3.10/10, 3.3.10/11, 3.3.10/12, 3.3.10/14
  @Test(
    "UNTIL has the form that its DTSTART needs, whatever was typed", .requiresPythonPackages,
    arguments: [
      ("2027-04-28T09:00", "daily until 3 may", "", "2027-05-03T09:00:00+02:00"),
      (
        "2027-04-28T23:30", "RRULE:FREQ=DAILY;UNTIL=20270503", "America/New_York",
        "2027-05-03T23:30:00-04:00"
      ),
      ("2027-04-28T09:00", "daily until 3 may", "UTC", "2027-05-03T09:00:00+00:00"),
      ("2027-04-28T09:00", "FREQ=DAILY;UNTIL=20270503T090000", "", "2027-05-03T09:00:00+02:00"),
      ("2027-04-28T09:00", "FREQ=DAILY;UNTIL=20270503T060000Z", "", "2027-05-02T09:00:00+02:00"),
      ("2027-04-28", "daily until 3 may", "", "2027-05-03T00:00:00"),
      ("2027-04-28", "FREQ=DAILY;UNTIL=20270503T060000Z", "", "2027-05-03T00:00:00"),
    ])
  func until(_ at: String, _ rule: String, _ zone: String, _ last: String) throws {
    let options = zone.isEmpty ? [] : ["--in-zone", zone]
    // agenda makes the folder a calendar when it writes the first event.
    let add = try folder.agenda(
      ["add", "Run", "--at", at, "--repeat", rule, "--calendar", "./home"] + options)
    #expect(add.status == 0, "\(add.errors)")
    #expect(try lastDate().date == last)
    // An edit of the rule, and the way from a time to a whole day and back.
    let id = String(add.output.split(separator: " ")[1])
    let edit = try folder.agenda("edit", id, "--all", "--repeat", "daily until 2 may 2027")
    #expect(edit.status == 0, "\(edit.errors)")
    #expect(try lastDate().date.hasPrefix("2027-05-02"))
    let toggled =
      at.contains("T")
      ? ["--at", "2027-04-28", "--until", "2027-04-28"] : ["--at", "2027-04-28T10:00"]
    let toggle = try folder.agenda(["edit", id, "--all"] + toggled)
    #expect(toggle.status == 0, "\(toggle.errors)")
    #expect(try lastDate().date.hasPrefix("2027-05-02"))
    #expect(try folder.storeAgrees)
  }

  // Checks RFC 5545: 3.8.5.1/1, 3.8.5.2/1, 3.8.5.3/2
  @Test(
    "a new series begins with the first date of its rule",
    arguments: [
      ("2026-11-28T09:00", "weekdays", "2026-11-30T09:00"),
      ("2026-11-27T09:00", "weekdays", "2026-11-27T09:00"),
      ("2026-11-28", "weekdays, 2 times", "2026-11-30"),
      ("2026-11-11T09:00", "every 2nd tuesday of the month", "2026-12-08T09:00"),
      ("2026-11-28T09:00", "last friday of every month", "2026-12-25T09:00"),
      ("2026-11-23T09:00", "weekends until 20 dec", "2026-11-28T09:00"),
    ])
  func firstDate(_ at: String, _ rule: String, _ first: String) throws {
    let run = try folder.agenda(
      "add", "Run", "--at", at, "--repeat", rule, "--for", at.contains("T") ? "90m" : "2d")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("is not a date of the rule") == (at != first), "\(run.errors)")
    let event = try folder.agenda(
      "event", String(run.output.split(separator: " ")[1]), "-f", "json")
    let object = try JSONSerialization.jsonObject(with: Data(event.output.utf8)) as? [String: Any]
    let entry = try #require(object?["entry"] as? [String: Any])
    #expect((entry["start"] as? String)?.hasPrefix(first) == true, "\(event.output)")
    let length = first.contains("T") ? "T10:30" : "2026-12-02"
    #expect((entry["end"] as? String)?.contains(length) == true, "\(event.output)")
  }

  /// What other programs make of the EXDATEs.
  private static let exceptionOracle = """
    import sys, icalendar
    from dateutil.rrule import rruleset, rrulestr
    event = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read()).walk('VEVENT')[0]
    times = rruleset()
    start = event['DTSTART'].dt
    import datetime
    def moment(time): return time if isinstance(time, datetime.datetime) else datetime.datetime.combine(time, datetime.time())
    times.rrule(rrulestr(event['RRULE'].to_ical().decode(), dtstart=moment(start)))
    lists = event.get('EXDATE', [])
    for line in lists if isinstance(lists, list) else [lists]:
        for time in line.dts:
            assert type(time.dt) == type(start), time
            times.exdate(moment(time.dt))
    print(' '.join(time.strftime('%m-%d') for time in times))
    """

  @Test(
    "dates after except are left out, also for other programs", .requiresPythonPackages,
    arguments: ["2026-12-03T09:00", "2026-12-03"])
  func except(_ at: String) throws {
    let add = try folder.agenda(
      "add", "Run", "--at", at, "--calendar", "./home", "--repeat",
      "weekly except 10 dec and 24 dec, 5 times")
    #expect(add.status == 0, "\(add.errors)")
    #expect(
      add.output.contains("except Thu, 10 Dec 2026") && add.output.contains("24 Dec"), "\(add)")
    func dates() throws -> String {
      let name = try #require(try folder.names(in: "home").first)
      let path = folder.scratch.url.appendingPathComponent("home/\(name)").path
      return try Python.output(of: ["-c", Self.exceptionOracle, path])
    }
    #expect(try dates() == "12-03 12-17 12-31\n")
    #expect(
      try folder.starts("run").map { String($0.prefix(10)) }
        == ["2026-12-03", "2026-12-17", "2026-12-31"])
    let id = try #require(try folder.rows("run").compactMap { $0["id"] }.first)
    let edit = try folder.agenda(
      "edit", id, "--all", "--repeat", "fortnightly until 2026, except 31 dec")
    #expect(edit.status == 0, "\(edit.errors)")
    #expect(try dates() == "12-03 12-17\n")
    let wrong = try folder.agenda("edit", id, "--all", "--repeat", "weekly except 11 dec")
    wrong.expect(
      2, output: "",
      errors:
        "agenda: --repeat: the rule has no occurrence on 2026-12-11, so it needs no exception\n")
    #expect(try folder.storeAgrees)
  }

  @Test("an edit keeps a first date outside of the rule, and says so")
  func firstDateOfEdit() throws {
    let add = try folder.agenda("add", "Run", "--at", "2026-11-28T09:00")
    let id = String(add.output.split(separator: " ")[1])
    let edit = try folder.agenda("edit", id, "--repeat", "weekdays, 3 times")
    #expect(edit.status == 0 && edit.errors.contains("stays the first occurrence"), "\(edit)")
    #expect(
      try folder.starts("run") == ["2026-11-28T09:00", "2026-11-30T09:00", "2026-12-01T09:00"])
  }

  // Checks RFC 5545: 3.8.2.4/2
  @Test(
    "a repeating task has a DTSTART, and its date follows the due date", .requiresPythonPackages)
  func tasks() throws {
    let add = try folder.agenda(
      "add", "--task", "Bins", "--due", "2026-11-24", "--repeat", "weekly until 8 dec",
      "--calendar", "./home")
    #expect(add.status == 0, "\(add.errors)")
    let name = try #require(try folder.names(in: "home").first)
    #expect(try folder.contents("home/\(name)").contains("DTSTART;VALUE=DATE:20261124\r\n"))
    #expect(try lastDate().date == "2026-12-08T00:00:00")
    let ids = try folder.rows("bins").compactMap { $0["id"] }
    #expect(try folder.agenda("edit", ids[1], "--all", "--due", "2026-12-02").status == 0)
    #expect(try folder.starts("bins") == ["2026-11-25", "2026-12-02", "2026-12-09"])
    // A task that exists gets its DTSTART with the rule.
    let milk = try folder.agenda("add", "--task", "Milk", "--due", "2026-11-24T18:00")
    let id = String(milk.output.split(separator: " ")[1])
    #expect(try folder.agenda("edit", id, "--repeat", "daily, 2 times").status == 0)
    #expect(try folder.starts("milk") == ["2026-11-24T18:00", "2026-11-25T18:00"])
    let undated = try folder.agenda("add", "--task", "Someday", "--repeat", "weekly")
    undated.expect(
      2, output: "",
      errors: "agenda: --repeat: the first date is missing: add --due or --at\n")
  }
}
