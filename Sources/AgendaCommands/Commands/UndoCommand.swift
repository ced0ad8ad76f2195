internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let undo = AgendaCommand(
    Command(
      "undo", summary: "undo the last changes of the store",
      discussion: [
        "It reverts everything that the last import, refresh or change of an event did, also to files of folders, and says what that was. Run it again to revert the change before that, or give the number of changes. If another program has changed a file since, nothing is undone. agenda redo brings it back.",
        "On a terminal it asks before it undoes an import.",
      ],
      operands: [
        Operand(Value("N"), help: "how many changes to undo; default: 1", isOptional: true)
      ],
      options: [
        Options.undoList, Options.yes, Options.reportFormat, Options.quiet, Options.locale,
        Options.store,
      ] + Options.momentOptions,
      examples: [
        Command.Example("agenda undo", "take back the last change"),
        Command.Example("agenda undo --list", "list the changes that can be taken back"),
      ], group: "Store"),
    isPaged: false,
    arguments: UndoArguments.init
  ) { arguments, run in
    let store = try run.existingStore(arguments.store, for: arguments.viewer)
    let words = TimeWords(wording: arguments.wording, zone: arguments.viewer.zone)
    if arguments.isList {
      let steps = try store.undoSteps()
      return try run.write { sink in
        if arguments.isJSON {
          let list = ListFormat.ofSteps(in: words.zone)
          ListFormat.writeDocument([.init(list) { $0 }], of: steps, to: &sink)
        } else {
          if steps.isEmpty {
            sink.write("no change can be undone; only those of the last 40 days are kept\n")
          }
          for step in steps {
            let sentence = step.listed(words, today: arguments.viewer.today)
            sink.write(SafeText.line("\(step.number)  \(sentence)") + "\n")
          }
        }
      }
    }
    let steps = try store.undoSteps(atMost: arguments.count)
    guard !steps.isEmpty else { throw StoreError.nothingToUndo }
    guard steps.count == arguments.count else {
      throw CommandError.wrongUsage(
        "N: expected at most \(steps.count), because earlier changes cannot be undone; "
          + "see agenda undo --list")
    }
    try run.confirm(steps, arguments, words)
    let undone = try run.writing { try store.write { try $0.undo(steps) } }
    if arguments.isQuiet { return }
    try run.write { sink in
      for reverted in undone {
        let sentence = reverted.sentence(words, today: arguments.viewer.today)
        sink.write(SafeText.line("undid: \(sentence)") + "\n")
        for line in StepSummary.lines(of: reverted.effects, as: .undone) {
          sink.write(SafeText.line(line) + "\n")
        }
        if reverted.effects.isEmpty {
          sink.write("the messages of the last import are forgotten; no event changed\n")
        }
      }
    }
  }
}

extension CommandRun {
  /// Asks on a terminal before an import is undone: it can have brought many events.
  fileprivate func confirm(
    _ steps: [UndoStep], _ arguments: UndoArguments, _ words: TimeWords
  ) throws {
    guard !arguments.isConfirmed, let ask = environment.ask,
      steps.contains(where: { $0.command == "import" || $0.command == "refresh" })
    else { return }
    let sentences = steps.map { $0.sentence(words, today: arguments.viewer.today) }
    let answer = ask(
      SafeText.line("undo the \(sentences.joined(separator: ", the "))? [y/N]") + " ")
    guard let answer, ["y", "yes"].contains(answer.lowercased()) else {
      throw CommandError.failed("nothing was undone; --yes answers the question")
    }
  }
}

extension ListFormat<UndoStep> {
  fileprivate static func ofSteps(in zone: Zone) -> ListFormat {
    ListFormat(
      name: "steps",
      fields: [
        .init("number") { .number($0.number) },
        .init("time") { FieldValue($0.moment, in: zone) },
        .init("command") { .text($0.command) },
        .init("calendars") { .texts($0.calendars) },
        .init("titles") { .texts(Array($0.titles.prefix(UndoStep.mostTitles))) },
      ])
  }
}

private struct UndoArguments {
  let viewer: Viewer
  let wording: DateWording
  let store: StoreArgument
  let count: Int
  let isList: Bool
  let isConfirmed: Bool
  let isJSON: Bool
  let isQuiet: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    viewer = try Viewer(invocation)
    wording = try Presentation(invocation).wording
    store = try StoreArgument(invocation)
    isList = line.has(Options.undoList)
    isConfirmed = line.has(Options.yes)
    isJSON = line.value(of: Options.reportFormat) == "json"
    isQuiet = line.has(Options.quiet)
    guard let text = line.operands.first else {
      count = 1
      return
    }
    guard let number = Int(text), number > 0 else {
      throw .wrongUsage("N: expected a number of changes such as 2, got \"\(text)\"")
    }
    if isList { throw .wrongUsage("--list and N cannot be used together") }
    count = number
  }
}
