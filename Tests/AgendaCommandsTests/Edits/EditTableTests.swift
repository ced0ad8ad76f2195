import AgendaCore
import CivilTime
import CommandLineOptions
import Testing

@testable import AgendaCommands
@testable import AgendaReader
@testable import AgendaSources

/// What `edit`, `remove`, `done` and `reply` make of a calendar's text: from the words of the command
/// line to the bytes of the file, without a store or a file. It is Saturday, 21 November 2026, 09:00
/// in Berlin.
@Suite("calendars before and after an edit")
struct EditTableTests {
  // Checks RFC 5545: 3.2.19/1, 3.2.19/3, 3.3.5/4, 3.6.6/4, 3.6.6/9, 3.6.6/11, 3.8.2.1/1, 3.8.4.4/3
  // Checks RFC 5545: 3.8.6.1/1, 3.8.6.3/3, 3.8.7.2/2, 3.8.7.3/1
  @Test("the text after an edit", arguments: EditCase.all)
  func edit(_ example: EditCase) throws {
    let found = try EditRun(example).outcome()
    #expect(found == example.outcome, "the edit gives\n\(found)")
  }

  @Test("the table is whole")
  func count() {
    #expect(EditCase.all.count >= 146)
    #expect(Set(EditCase.all.map(\.name)).count == EditCase.all.count)
  }
}

/// Does the command of a case.
private struct EditRun {
  private let words: [String]
  private let text: String
  private let uid: String
  /// The date on which the entry is shown; `nil` for an event that does not recur.
  private let date: String?
  private let invocation: Invocation
  private let viewer: Viewer

  init(_ example: EditCase) throws {
    words = example.command
    text = example.before
    let reference = words[1].split(separator: "@")
    uid = String(reference[0])
    date = reference.count > 1 ? String(reference[1]) : nil
    let environment = Environment(
      arguments: [], variable: { _ in nil }, clock: { Instant(secondsSinceEpoch: 0) },
      outputColumns: { nil }, errorIsTerminal: { false }, writeOutput: { _ in nil },
      writeError: { _ in nil })
    let pinned = ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]
    let request = try CommandLineParser(.agenda).parse(words + pinned)
    guard case .run(let line) = request else { throw Mistake("\(words) runs nothing") }
    invocation = Invocation(line: line, environment: environment, messages: Messages(environment))
    viewer = try Viewer(invocation)
  }

  private struct Mistake: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  func outcome() throws -> EditCase.Outcome {
    do {
      let before = try read(text)
      try before.checkVersion()
      let occurrence = try occurrence(in: before)
      let members = before.members(of: occurrence.event).onClocksOfSeries
      let editor = SeriesEditor(
        members: members, occurrence: occurrence, viewer: viewer.zone,
        now: viewer.now, zones: viewer.database)
      let changes = try changes(editor, occurrence)
      return try outcome(of: changes, of: members, in: before)
    } catch let error as WritingError {
      return .refused(ErrorWording.text(of: error))
    } catch let error as CommandError {
      return .refused(ErrorWording.text(of: error))
    }
  }

  private func read(_ text: String) throws -> CalendarText {
    try CalendarText(
      Array(text.utf8), reader: CalendarReader(zones: viewer.database), name: "x")
  }

  /// The entry that the command names.
  private func occurrence(in calendar: CalendarText) throws -> Occurrence {
    let series = CalendarFiles([calendar.file]).assembly.series.filter {
      $0.master.identity.uid == uid
    }
    let always = Zone.utc.startOfDay(.first)..<Zone.utc.startOfDay(.afterLast)
    let shown = series.flatMap { series -> [Occurrence] in
      if series.master.start == nil { return [Occurrence(undated: series.master)] }
      return Array(series.occurrences(touching: always, viewer: viewer.zone).prefix(100))
    }
    let meant = shown.filter { occurrence in
      guard let date else { return true }
      return occurrence.firstDay(in: viewer.zone).map { "\($0)" } == date
    }
    guard meant.count == 1 || date == nil, let first = meant.first else {
      throw Mistake("\(meant.count) entries are \(words[1])")
    }
    return first
  }

  private func changes(
    _ editor: SeriesEditor, _ occurrence: Occurrence
  ) throws -> ComponentChanges {
    let line = invocation.line
    switch words[0] {
    case "edit":
      var edit = try EventEdit(invocation, viewer: viewer)
      let day = occurrence.firstDay(in: edit.zone ?? viewer.zone)
      try edit.read(TypedTimes(line), viewer: viewer, date: day)
      return try editor.edit(edit, SeriesScope(line))
    case "remove": return try editor.remove(SeriesScope(line))
    case "done": return try editor.complete()
    case "reply":
      let answer = ["accept", "decline", "tentative"].first { words.contains("--\($0)") }
      let participation = ["accept": "ACCEPTED", "decline": "DECLINED"][answer ?? ""]
      return try editor.answer(
        address: line.values(of: Options.answerAs).first ?? "",
        participation: participation ?? "TENTATIVE")
    default: throw Mistake("no command \(words[0])")
    }
  }

  private func outcome(
    of changes: ComponentChanges, of members: [SeriesEditor.Member], in before: CalendarText
  ) throws -> EditCase.Outcome {
    if changes.isEmpty { return .unchanged }
    let zones = NewDefinitions(zones: viewer.database)
    guard let after = try before.applying(changes, of: members, zones: zones) else {
      return .removed
    }
    let newFile =
      changes.newSeries.isEmpty
      ? nil : before.calendar(of: changes.newSeries, like: members.first, zones: zones)
    // As an edit session checks what it is about to write.
    let texts = [after] + [newFile].compactMap(\.self)
    for text in texts {
      let text = String(decoding: text, as: UTF8.self)
      try EditSession.check(read(text).file, known: KnownFindings(before.file.findings))
    }
    let written = texts.map { text in
      let text = String(decoding: text, as: UTF8.self)
      return changes.newUID.map { text.replacing($0, with: "NEW-UID") } ?? text
    }
    return .changed(written[0], newFile: newFile.map { _ in written[1] })
  }
}
