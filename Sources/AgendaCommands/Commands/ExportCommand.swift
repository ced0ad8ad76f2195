internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let export = AgendaCommand(
    Command(
      "export", summary: "write the calendars of the store as one .ics file",
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "export only these calendars",
          isOptional: true, isRepeatable: true)
      ],
      options: [Options.outputFile, Options.store] + Options.momentOptions,
      examples: [Command.Example("agenda export -o all.ics", "export all calendars")],
      group: "Store"),
    isPaged: false,
    arguments: ExportArguments.init
  ) { arguments, run in
    let store = try run.filledStore(arguments.store, for: arguments.viewer)
    let names = arguments.calendars
    guard let output = arguments.output else {
      let isSeen = run.environment.outputColumns() != nil
      return try run.write { sink in
        try store.export(calendars: names) {
          sink.write(contentsOf: isSeen ? SafeText.file($0) : $0)
        }
      }
    }
    let file = try OutputFile(output)
    try store.export(calendars: names) { try file.write($0) }
    try file.finish()
  }
}

private struct ExportArguments {
  /// All of them if it is empty.
  let calendars: [String]
  let viewer: Viewer
  let store: StoreArgument
  /// `nil` for standard output.
  let output: String?

  init(_ invocation: Invocation) throws(CommandError) {
    calendars = invocation.line.operands
    viewer = try Viewer(invocation)
    store = try StoreArgument(invocation)
    output = invocation.outputFile
  }
}

extension Invocation {
  /// `--output`; `nil` for standard output.
  var outputFile: String? {
    let path = line.value(of: Options.outputFile)
    return path == "-" ? nil : path
  }
}
