import AgendaKit
import AgendaSources
import AgendaStore
import Testing

@testable import AgendaCommands

/// The library says what is wrong; the commands add the option or the command that leads on.
@Suite("errors in the words of the command line")
struct ErrorWordingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let error: any Error
    let library: String
    let commands: String

    var testDescription: String { library }
  }

  private static let many = (1...12).map { "c\($0)" }
  private static let firstTen = many.prefix(10).joined(separator: ", ")

  private static let cases: [Case] = [
    Case(
      error: ReplyError.noMailAddress,
      library: "no mail can be sent to the organizer's address",
      commands: "no mail can be sent to the organizer's address; "
        + "without --mail, agenda prints the reply alone"),
    Case(
      error: ReplyError.notInvited(["eve@example.com"], invited: ["a@b.c", "d@e.f"]),
      library: "eve@example.com is not invited; these addresses are: a@b.c, d@e.f",
      commands: "eve@example.com is not invited; choose one with --as: a@b.c, d@e.f"),
    Case(
      error: ReplyError.ambiguous(["a@b.c", "d@e.f"]),
      library: "several of these addresses can answer: a@b.c, d@e.f",
      commands: "choose who answers with --as: a@b.c, d@e.f"),
    Case(
      error: ReplyError.noAttendees, library: "the event has no attendees",
      commands: "the event has no attendees"),
    Case(
      error: StoreError.unknown(what: "calendar", name: "nope"),
      library: "unknown calendar \"nope\"",
      commands: "unknown calendar \"nope\"; agenda calendars lists what is in the store"),
    Case(
      error: StoreError.retired(path: "f"),
      library: "f was written by an early version of agenda and can no longer be read; "
        + "it was left as it is",
      commands: "f was written by an early version of agenda and can no longer be read; "
        + "move it away and import your calendars again with `agenda import SOURCE`; "
        + "it was left as it is"),
    Case(
      error: StoreError.damagedContent(path: "f", what: "component 3 is damaged"),
      library: "f is damaged: component 3 is damaged",
      commands: "f is damaged: component 3 is damaged; see agenda doctor"),
    Case(
      error: CalendarError.partOfSource(calendar: "Work", location: "f"),
      library: "the calendar Work is part of f, which has other calendars too",
      commands: "the calendar Work is part of f, which has other calendars too; "
        + "to remove all of them, run agenda remove --source f"),
    Case(
      error: WritingError.needsScope,
      library: "this is a series, and the change needs a scope",
      commands: "this is a series: choose --only, --following or --all"),
    Case(
      error: WritingError.conflict(file: "f", stored: "A", present: "B"),
      library: "f: the event was changed by another program, nothing written: "
        + "the store has A, the file has B",
      commands: "f: the event was changed by another program, nothing written: "
        + "the store has A, the file has B; run agenda refresh first"),
    Case(
      error: WritingError.missing(file: "f"),
      library: "f: another program removed the file, nothing written",
      commands: "f: another program removed the file, nothing written; run agenda refresh first"),
    Case(
      error: WritingError.unknownCalendar("x", CalendarOwners(own: ["a", "b"], others: ["c"])),
      library: "no calendar is called \"x\"; you can add events to a and b; c belongs to others",
      commands: "no calendar is called \"x\"; you can add events to a and b; c belongs to others; "
        + "agenda calendars new x begins it"),
    Case(
      error: WritingError.unknownCalendar("./x", CalendarOwners(own: ["a"], others: many)),
      library: "no calendar is called \"./x\"; you can add events to a; "
        + "\(firstTen) and 2 more belong to others",
      commands: "no calendar is called \"./x\"; you can add events to a; "
        + "\(firstTen) and 2 more belong to others; "
        + "agenda import FOLDER makes a folder with .ics files a calendar"),
    Case(
      error: WritingError.notOwn(
        calendar: "x", folders: [], CalendarOwners(own: ["a"], others: ["x"])),
      library: "calendar x takes no new events; you can add events to a; x belongs to others",
      commands: "calendar x takes no new events; you can add events to a; x belongs to others; "
        + "agenda calendars new NAME begins one of your own"),
    Case(
      error: WritingError.invalid(because: .repetitionOfOneOccurrence),
      library: "a repetition changes the whole series",
      commands: "--repeat changes the whole series: choose --all or --following"),
    Case(
      error: WritingError.invalid(because: .cancelledTask),
      library: "the task is cancelled",
      commands: "the task is cancelled; open it again with agenda edit --status needs-action"),
    Case(
      error: WritingError.invalid(because: .endBeforeStart),
      library: "the event ends before it begins",
      commands: "--until: the event ends before it begins"),
    Case(
      error: WritingError.invalid(because: .status("done", of: .task)),
      library: "a task can be needs-action, in-process, completed, cancelled; got \"done\"",
      commands:
        "--status: a task can be needs-action, in-process, completed, cancelled; got \"done\""),
    Case(
      error: WritingError.invalid(because: .lengthWithoutStart(isEnd: false, isDue: true)),
      library: "a task without a start has no length",
      commands: "--for: a task without a start has no length; set when it is due with --due"),
    Case(
      error: WritingError.invalid(because: .repetitionWithoutDate(of: .task)),
      library: "the first date is missing",
      commands: "--repeat: the first date is missing: add --due or --at"),
    Case(
      error: WritingError.invalid(because: .ruleNamesDays),
      library: "the rule names days that agenda cannot move",
      commands: "the rule names days that agenda cannot move: set --repeat too"),
    Case(
      error: WritingError.changedSinceWritten(file: "f"),
      library: "f: changed since agenda wrote it, so nothing was undone",
      commands: "f: changed since agenda wrote it, so nothing was undone; "
        + "agenda changes shows the previous values, and agenda edit sets them"),
    Case(
      error: WritingError.writtenButNotStored(file: "f", reason: "a", obstacle: "b"),
      library: "f: the file has the change, but the store does not (a), and the file cannot be "
        + "restored (b)",
      commands: "f: the file has the change, but the store does not (a), and the file cannot be "
        + "restored (b): run agenda refresh"),
  ]

  @Test("the problems of a store name the commands that repair it")
  func problems() {
    let words: [(Diagnosis.Problem, String)] = [
      (
        .store(.searchIndex),
        "the search index is damaged or was modified outside agenda; "
          + "agenda doctor --rebuild makes it again"
      ),
      (
        .store(.times(component: 3)),
        "the times of component 3 differ from its text; "
          + "agenda doctor --rebuild makes them again"
      ),
      (
        .damagedStore(path: "f"),
        "the store is damaged; save its events with agenda export -o FILE, "
          + "move f away and import your calendars and FILE again"
      ),
      (.store(.other("x")), "x"),
    ]
    for (problem, text) in words { #expect(ErrorWording.text(of: problem) == text) }
  }

  @Test("the library names no option, the commands do", arguments: cases)
  func words(_ test: Case) {
    #expect("\(test.error)" == test.library)
    #expect(ErrorWording.text(of: test.error) == test.commands)
  }
}
