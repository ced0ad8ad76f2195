import Foundation
import TestSupport
import Testing

/// All messages of the programs, cut out of the sources: errors, warnings, findings, hints. The list
/// is in `.build/messages.txt` after a run of the tests; read it after you add a message.
@Suite("messages")
struct MessageTests {
  struct Message {
    /// The path below `Sources`.
    let file: String
    let line: Int
    let text: String
  }

  /// Texts that are not messages: words of all languages, pages, scripts, tables and SQL.
  private static let otherTexts = [
    "AgendaRendering/Words", "AgendaRendering/HTML", "AgendaRendering/Mail",
    "AgendaRendering/LocaleTable", "AgendaCommands/Program/ImportedSource+CommandName",
    "CivilTime/Windows",
    "CommandLineOptions/Bash", "CommandLineOptions/Option.swift", "Platform/FileStatus",
    "CommandLineOptions/Fish", "CommandLineOptions/ManualPage", "CommandLineOptions/Zsh",
    "AgendaCommands/Arguments/Options.swift", "AgendaCommands/Program/Program+Agenda.swift",
    "agenda-fetch/Program+Fetch.swift", "AgendaStore/SQLite/Schema.swift",
  ]

  /// Labels of help texts and of names.
  private static let otherLabels: Set<String> = [
    "defaultText", "details", "group", "help", "name", "placeholder", "summary",
  ]

  static let all: [Message] = {
    let root = Repository.root.appendingPathComponent("Sources").path
    let paths = (FileManager.default.enumerator(atPath: root)?.allObjects ?? [])
      .compactMap { $0 as? String }
    let files = paths.filter { path in
      path.hasSuffix(".swift") && !otherTexts.contains { path.hasPrefix($0) }
    }
    return files.sorted().flatMap { path in
      let source = (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? ""
      return SourceLiterals(of: source).all.filter { literal in
        literal.text.contains(#/[a-z] [a-z]/#) && !literal.text.contains(#/^\s*[A-Z]{3,} /#)
          && !otherLabels.contains(literal.label)
      }.map { Message(file: path, line: $0.line, text: $0.text) }
    }
  }()

  init() throws {
    try FileManager.default.createDirectory(
      at: Repository.build, withIntermediateDirectories: true)
    let lines = Self.all.map { "\($0.file):\($0.line): \($0.text)\n" }
    try lines.joined().write(
      to: Repository.build.appendingPathComponent("messages.txt"), atomically: true,
      encoding: .utf8)
  }

  @Test("the list contains messages of every module that reports something")
  func listIsComplete() {
    let texts = Set(Self.all.map(\.text))
    for text in [
      "unknown option …; did you mean …?", "not a time zone file (TZif)",
      "not an iCalendar file: …",
      "…: the event was changed by another program, nothing written: "
        + "the store has …, the file has …", "…; run agenda refresh first",
      "not found (404)", "libgd is not installed", "libical does not know this value",
      "nothing to undo", "…: missing value", "the folder is not writable",
    ] {
      #expect(texts.contains(text), "missing: \(text)")
    }
    #expect(Self.all.count > 400)
  }

  @Test("every message is plain English: usual words, at most 25 words a sentence")
  func plainEnglish() {
    for message in Self.all {
      let place = Comment("\(message.file):\(message.line): \(message.text)")
      for foreign in Self.dialect { #expect(!message.text.contains(foreign), place) }
      for sentence in message.text.split(separator: #/[.;:?] /#) {
        #expect(sentence.split(separator: " ").count <= 25, place)
      }
    }
  }

  /// Words that people do not use in messages.
  private static var dialect: [Regex<Substring>] {
    [
      /\b(?:is|are|be|was|were) (?:no|none|nobody)\b/, /\b(?:tells?|told|stands?|beside)\b/,
      /\b(?:nobody|mended|found out|gives? out|of its own)\b/, /\bis not there\b/,
    ]
  }

  /// Where the callers of a file put its messages. The message itself then needs no place.
  private static let places = [
    // SOURCE:LINE: severity: COMPONENT UID: PROPERTY MESSAGE; ACTION
    "AgendaCore/Findings/": "finding", "Recurrence/": "finding",
    "AgendaReader/Findings/": "finding", "AgendaReader/Decoding/": "finding",
    "AgendaReader/Details/": "finding", "AgendaSources/Finding+": "finding",
    "AgendaPictures/Finding+": "finding",
    // SOURCE: MESSAGE
    "AgendaReader/ReaderError": "source", "AgendaReader/Text/ForeignFormat": "source",
    "AgendaSources/FileKind+Refusal": "source", "AgendaSources/FolderListing": "source",
    "AgendaSources/Source": "source", "AgendaSources/Import/": "source",
    "AgendaSources/Subscriptions/": "source", "AgendaSources/Servers/": "source",
    "FetchProtocol/": "source", "AgendaCore/SourceReport": "source",
    "agenda-fetch/": "source", "AgendaKit/CalendarStore": "source",
    "AgendaKit/Results/": "source", "AgendaKit/EventEdit+Files": "source",
    // REF: MESSAGE
    "AgendaSources/Writing/": "entry",
    // PATH: MESSAGE
    "AgendaSources/FolderWriter": "file", "AgendaSources/TemporaryStore": "file",
    "AgendaCommands/Program/TextFile": "file",
    "AgendaStore/File/": "store", "AgendaStore/SQLite/": "store",
    "AgendaStore/Maintenance/": "store", "AgendaStore/Records/": "store",
    // --option: MESSAGE
    "AgendaKit/Conditions/": "option", "AgendaRendering/Template/": "option",
    "AgendaPictures/PictureMetadata": "option", "CivilTime/": "option",
    "Phrases/": "option", "AgendaCommands/Arguments/AgendaRequest": "option",
    "AgendaCommands/Program/ErrorWording": "finding",
  ]

  @Test("every message names its place or a way out")
  func placeOrWayOut() {
    // The rest of a message that began with its place.
    let rest = /^[;, ]/
    let way =
      /\b(?:use|[Rr]un|try|set|choose|see|write|expected|install|missing|only|must|needs?|standard output)\b|--\w|did you mean/
    for message in Self.all where !Self.isPartOfReport(message) {
      let names = message.text.contains("…") || message.text.contains(#/^ *[A-Z]{2,}\b/#)
      let placed = Self.places.keys.contains { message.file.hasPrefix($0) }
      #expect(
        names || placed || message.text.contains(way) || message.text.contains(rest)
          || ["nothing to undo", "nothing to redo", "agenda import"].contains(
            message.text),
        "\(message.file):\(message.line): \(message.text)")
    }
  }

  /// Rows and counts of a result, which the lines around them explain, and what the full screen says
  /// about the entry that is selected on it.
  private static func isPartOfReport(_ message: Message) -> Bool {
    [
      "AgendaCommands/Browse/",
      "AgendaCommands/Commands/EntryWords+Advice", "AgendaCommands/Commands/CalendarsCommand",
      "AgendaCommands/Commands/DoctorCommand",
      "AgendaCommands/Commands/UndoCommand", "AgendaCommands/Reports/ReportText",
      "AgendaCommands/Reports/StepSummary",
      "AgendaCommands/Events/EditReport", "AgendaCommands/Events/WritingVerb",
      "AgendaCommands/Program/FindingSummary", "AgendaCore/Agenda/SectionKey",
    ].contains { message.file.hasPrefix($0) }
  }

  struct Placed: CustomTestStringConvertible, Sendable {
    let kind: String
    let arguments: [String]
    /// How a line of standard error, or of the report, begins.
    let start: String
    var testDescription: String { kind }
  }

  /// `@` is the folder of the test.
  static let placed = [
    Placed(kind: "finding", arguments: ["check", "@/bad.ics"], start: "@/bad.ics:7: error: "),
    Placed(kind: "source", arguments: ["show", "@/page.html"], start: "agenda: @/page.html: not "),
    Placed(
      kind: "entry", arguments: ["reply", "lunch@example.com", "--accept"],
      start: "agenda: lunch@example.com: the event has no ORGANIZER"),
    Placed(
      kind: "file", arguments: ["import", "--url-from", "@/folder"],
      start: "agenda: --url-from: @/folder: "),
    Placed(
      kind: "store", arguments: ["today", "--store", "@/page.html"],
      start: "agenda: @/page.html is not a store"),
    Placed(
      kind: "option", arguments: ["show", "@/work.ics", "--where", "title ="],
      start: "agenda: --where: column "),
  ]

  @Test("the callers add the place", arguments: placed)
  func callersAddPlaces(_ placed: Placed) throws {
    let fixture = try OptionFixture()
    try fixture.write("bad.ics", calendar(event("1", "DTSTART:20260230T090000Z")))
    try fixture.write("lunch.ics", calendar(event("lunch@example.com", "DTSTART:20261123T090000Z")))
    try fixture.write("page.html", "<html></html>\n")
    try fixture.write("folder/empty.txt", "")
    let imported = fixture.run(["import", fixture.path("lunch.ics"), "--quiet"], isPinned: false)
    #expect(imported.status == .done)
    let folder = fixture.folder.path
    let run = fixture.run(
      placed.arguments.map { $0.replacing("@/", with: "\(folder)/") },
      isPinned: placed.kind != "file")
    let start = placed.start.replacing("@/", with: "\(folder)/")
    #expect(run.status != .done)
    #expect(
      (run.errors + run.output).split(separator: "\n").contains { $0.hasPrefix(start) },
      "\(run.errors)\(run.output)")
  }

  @Test("each kind of place is shown by a run")
  func kinds() {
    #expect(Set(Self.places.values) == Set(Self.placed.map(\.kind)))
  }
}
