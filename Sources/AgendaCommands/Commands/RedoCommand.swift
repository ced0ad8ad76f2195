internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let redo = AgendaCommand(
    Command(
      "redo", summary: "bring back what the last undo took back",
      discussion: [
        "It is possible until the next change of the store. After agenda undo 3 it brings back all three changes. If another program has changed a file since, nothing is done."
      ],
      options: [Options.quiet, Options.locale, Options.store] + Options.momentOptions,
      examples: [Command.Example("agenda redo", "bring back what the last undo took back")],
      group: "Store"),
    isPaged: false,
    arguments: RedoArguments.init
  ) { arguments, run in
    let store = try run.existingStore(arguments.store, for: arguments.viewer)
    let words = TimeWords(wording: arguments.wording, zone: arguments.viewer.zone)
    let steps = try run.writing { try store.write { try $0.redo() } }
    if arguments.isQuiet { return }
    try run.write { sink in
      for redone in steps {
        let sentence = redone.sentence(words, today: arguments.viewer.today)
        sink.write(SafeText.line("redid: \(sentence)") + "\n")
        for line in StepSummary.lines(of: redone.effects, as: .redone) {
          sink.write(SafeText.line(line) + "\n")
        }
      }
    }
  }
}

private struct RedoArguments {
  let viewer: Viewer
  let wording: DateWording
  let store: StoreArgument
  let isQuiet: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    viewer = try Viewer(invocation)
    wording = try Presentation(invocation).wording
    store = try StoreArgument(invocation)
    isQuiet = invocation.line.has(Options.quiet)
  }
}
