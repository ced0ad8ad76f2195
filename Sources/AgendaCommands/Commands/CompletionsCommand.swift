internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let completions = AgendaCommand(
    Command(
      "completions", summary: "print the completion script of a shell",
      discussion: [
        "Save the script where your shell finds it. bash: ~/.local/share/bash-completion/completions/agenda. zsh: _agenda in a folder of fpath. fish: ~/.config/fish/completions/agenda.fish."
      ],
      operands: [
        Operand(
          Value("SHELL", .choice(["bash", "zsh", "fish"].map { Value.Choice($0) })),
          help: "the shell: bash, zsh or fish", isOptional: true)
      ],
      options: [Options.offeredWords, Options.store],
      examples: [
        Command.Example("source <(agenda completions bash)", "turn on completion in this bash")
      ], group: "About agenda"),
    readsConfiguration: false, isPaged: false,
    arguments: CompletionsArguments.init
  ) { arguments, run in
    let program = Program.agenda
    let text =
      switch arguments {
      case .script(.bash): BashCompletion(program).script()
      case .script(.zsh): ZshCompletion(program).script()
      case .script(.fish): FishCompletion(program).script()
      case .commands: lines(program.commands.map(\.name))
      case .zones(let zones): lines(zones.names)
      case .calendars(let store, let zones):
        // Nothing is offered if the store can't be read.
        lines(
          (try? run.store(store, zones: zones, now: run.environment.clock()) { .utc }
            .read { try $0.calendarNames() }.map(SafeText.line)) ?? [])
      }
    try run.environment.print(text)
  }

  private static func lines(_ words: [String]) -> String {
    words.map { $0 + "\n" }.joined()
  }
}

private enum CompletionsArguments {
  enum Shell: String {
    case bash, zsh, fish
  }

  case script(Shell)
  /// The words that a script offers for a value, one per line.
  case calendars(StoreArgument, ZoneDatabase)
  case commands
  case zones(ZoneDatabase)

  init(_ invocation: Invocation) throws(CommandError) {
    let zones = ZoneDatabase.system(TZDIR: invocation.environment.filled("TZDIR"))
    switch invocation.line.value(of: Options.offeredWords) {
    case "commands"?: self = .commands
    case "zones"?: self = .zones(zones)
    case .some: self = .calendars(try StoreArgument(invocation), zones)
    case nil:
      guard let shell = invocation.line.operands.first.flatMap(Shell.init) else {
        throw .wrongUsage("missing SHELL: bash, zsh or fish")
      }
      self = .script(shell)
    }
  }
}
