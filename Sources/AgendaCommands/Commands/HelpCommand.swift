internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  static let help = AgendaCommand(
    Command(
      "help", summary: "explain agenda or one of its commands",
      operands: [
        Operand(
          Value("COMMAND", .listed("commands")), help: "the command to explain", isOptional: true)
      ],
      options: [Options.manual, Options.into],
      examples: [
        Command.Example("agenda -h", "list the commands on one screen"),
        Command.Example("agenda help show", "explain one command"),
        Command.Example("agenda help --man show | man -l -", "read a manual page"),
        Command.Example(
          "agenda help --into ~/.local/share/man/man1",
          "write all manual pages to a folder where man finds them"),
      ], group: "About agenda"),
    readsConfiguration: false,
    arguments: HelpArguments.init
  ) { arguments, run in
    let program = Program.agenda
    let environment = run.environment
    if let folder = arguments.folder { return try writeManualPages(of: program, into: folder) }
    guard let name = arguments.command else {
      return try environment.print(
        arguments.isManual
          ? ManualPage(program).programPage()
          : HelpText(program, width: environment.textWidth).programText())
    }
    guard let command = program.command(named: name) else {
      let nearest = program.command(meantBy: name)
      throw CommandError.wrongUsage(
        "unknown command \"\(name)\"; "
          + (nearest.map { "did you mean \($0)?" } ?? "\(program.name) help lists all commands"))
    }
    try environment.print(
      arguments.isManual
        ? ManualPage(program).page(of: command)
        : HelpText(program, width: environment.textWidth).text(of: command))
  }

  private static func writeManualPages(of program: Program, into folder: String) throws {
    do throws(SystemError) {
      try FileAccess.createFolders(folder)
    } catch {
      throw CommandError.failed("\(folder): \(error)")
    }
    let manual = ManualPage(program)
    var pages = [(name: program.name, text: manual.programPage())]
    for command in program.commands {
      pages.append((manual.name(of: command), manual.page(of: command)))
    }
    for page in pages {
      let file = try OutputFile("\(folder)/\(page.name).1")
      try file.write(Array(page.text.utf8))
      try file.finish()
    }
  }
}

private struct HelpArguments {
  /// The folder for all manual pages.
  let folder: String?
  let command: String?
  let isManual: Bool

  init(_ invocation: Invocation) {
    folder = invocation.line.value(of: Options.into)
    command = invocation.line.operands.first
    isManual = invocation.line.has(Options.manual)
  }
}
