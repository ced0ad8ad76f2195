import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// The alarms that the store finds by their reach against those of the file, where all are looked at.
@Suite("the store has the same alarms as the file")
struct AlarmEqualityTests {
  private static let triggers = [
    "TRIGGER:-PT15M", "TRIGGER:PT0S", "TRIGGER:PT10M", "TRIGGER:-P1D", "TRIGGER:-P2W",
    "TRIGGER;RELATED=END:PT5M", "TRIGGER;RELATED=END:-P3D",
    "TRIGGER:-PT1H\nREPEAT:3\nDURATION:PT20M",
    "TRIGGER:-P6D\nREPEAT:5\nDURATION:P1D", "TRIGGER;VALUE=DATE-TIME:20261121T093000Z",
    "TRIGGER;VALUE=DATE-TIME:20261120T093000Z\nREPEAT:4\nDURATION:P1D",
    "TRIGGER;VALUE=DATE-TIME:20200101T000000Z", "TRIGGER:-P40D",
  ]

  private static let starts = [
    "DTSTART;TZID=Europe/Berlin:202611%02dT%02d0000\nDURATION:PT1H",
    "DTSTART:202611%02dT%02d3000Z\nDTEND:20261230T100000Z",
    "DTSTART;TZID=Europe/Berlin:202611%02dT%02d0000\nRRULE:FREQ=DAILY;INTERVAL=2",
    "DTSTART;TZID=America/New_York:202501%02dT%02d0000\nRRULE:FREQ=WEEKLY;BYDAY=SA,SU",
    "DTSTART:202511%02dT%02d0000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=21,22;COUNT=30",
    "DTSTART;VALUE=DATE:202611%02d\nX-HOUR:%02d", "DTSTART:202612%02dT%02d0000Z",
    "DTSTART;VALUE=DATE:202411%02d\nX-HOUR:%02d\nRRULE:FREQ=YEARLY",
  ]

  private static func alarm(_ trigger: String) -> String {
    "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\n\(trigger)\nEND:VALARM\n"
  }

  private static func calendar(events count: Int) -> String {
    var text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//\n"
    for number in 0..<count {
      let day = 1 + number * 7 % 28
      let start = String(format: starts[number % starts.count], day, number % 24)
      let isTask = number % 11 == 0 && !start.contains("DTEND") && !start.contains("DURATION")
      let kind = isTask ? "VTODO" : "VEVENT"
      text += "BEGIN:\(kind)\nUID:\(number)\nSUMMARY:Number \(number % 5)\n\(start)\n"
      if number % 5 != 0 { text += alarm(triggers[number * 5 % triggers.count]) }
      if number % 13 == 0 { text += alarm(triggers[number % triggers.count]) }
      text += "END:\(kind)\n"
      // Moved to the time of the question, with its own alarm and without.
      if number % 6 == 2 {
        let time = String(format: "202611%02dT%02d0000", day, number % 24)
        text += """
          BEGIN:VEVENT
          UID:\(number)
          SUMMARY:Moved \(number)
          RECURRENCE-ID;TZID=Europe/Berlin:\(time)
          DTSTART;TZID=Europe/Berlin:20261121T\(10 + number % 10)4500
          DURATION:PT30M

          """
        if number % 4 == 2 { text += alarm(triggers[number % triggers.count]) }
        text += "END:VEVENT\n"
      }
    }
    return (text + "END:VCALENDAR\n").replacingOccurrences(of: "\n", with: "\r\n")
  }

  @Test("in the next minutes, hours, days and weeks, asked for once and again")
  func alarms() throws {
    let folder = ScratchFolder.parent
      .appendingPathComponent("agenda-alarms-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("work.ics").path
    let store = folder.appendingPathComponent("agenda.sqlite").path
    func run(_ arguments: [String]) -> InMemoryRun {
      InMemoryRun(
        arguments, variables: ["AGENDA_STORE": store, "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8"])
    }
    func compare(_ options: [String], least: Int) {
      let arguments = ["alarms", "-f", "jsonl", "--tasks"] + options
      let expected = run(["alarms", file] + arguments.dropFirst())
      let found = run(arguments)
      #expect(found.output == expected.output, "\(options)")
      #expect(expected.output.split(separator: "\n").count >= least, "\(options)")
    }
    try calendar(events: 400).write(toFile: file)
    _ = run(["import", file, "--quiet"])
    for (now, within) in [
      ("09:15", "1m"), ("09:20", "10m"), ("10:25", "2h"), ("00:00", "1d"), ("13:00", "3w"),
    ] {
      compare(
        ["--now", "2026-11-21T\(now):00+01:00", "--within", within], least: within == "1m" ? 0 : 1)
    }
    try calendar(events: 401).write(toFile: file)
    _ = run(["import", file, "--quiet"])
    compare(["--now", "2026-11-21T00:00:00+01:00", "--within", "1d"], least: 20)
    compare(["--now", "2027-02-28T00:00:00+01:00", "--within", "1d"], least: 20)
  }

  private func calendar(events count: Int) -> String { Self.calendar(events: count) }
}

extension String {
  fileprivate func write(toFile path: String) throws {
    try write(toFile: path, atomically: true, encoding: .utf8)
  }
}
