internal import AgendaRendering
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let completions = AgendaCommand(
    Command(
      "completions", summary: "print the completion script of a shell",
      discussion: [
        "bash: put it into ~/.local/share/bash-completion/completions/agenda. zsh: into a folder of fpath as _agenda. fish: into ~/.config/fish/completions/agenda.fish."
      ],
      operands: [
        Operand(
          Value("SHELL", .choice(["bash", "zsh", "fish"].map { Value.Choice($0) })),
          help: "bash, zsh or fish", isOptional: true)
      ],
      options: [Options.list, Options.store],
      examples: [
        Command.Example("source <(agenda completions bash)", "complete in this bash from now on")
      ], group: "About agenda"),
    readsConfiguration: false, isPaged: false
  ) { invocation in
    let program = Program.agenda
    if let list = invocation.line.value(of: Options.list) {
      return try invocation.environment.print(completionWords(list, invocation))
    }
    let script =
      switch invocation.line.operands.first {
      case "bash": BashCompletion(program).script()
      case "zsh": ZshCompletion(program).script()
      case "fish": FishCompletion(program).script()
      default: throw CommandError.wrongUsage("say for which shell: bash, zsh or fish")
      }
    try invocation.environment.print(script)
  }
}

/// What a shell offers for a value that only the program knows, one word a line; nothing where it
/// cannot be found out.
private func completionWords(_ list: String, _ invocation: Invocation) -> String {
  let database = ZoneDatabase.system(TZDIR: invocation.environment.filled("TZDIR"))
  var words: [String] = []
  switch list {
  case "zones": words = database.names
  default:
    if let path = try? invocation.storePath(),
      let store = try? Store.open(reading: path, zones: database)
    {
      words = ((try? store.calendars(isCounting: false)) ?? []).map { SafeText.line($0.name) }
    }
  }
  return words.map { $0 + "\n" }.joined()
}
