internal import AgendaRendering
internal import AgendaStore
internal import CommandLineOptions

extension AgendaCommand {
  static let export = AgendaCommand(
    Command(
      "export", summary: "write the store as one valid .ics, nothing lost",
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "only these calendars",
          isOptional: true, isRepeatable: true)
      ],
      options: [Options.outputFile, Options.store] + Options.momentOptions,
      examples: [Command.Example("agenda export -o all.ics", "everything")], group: "Store"),
    isPaged: false
  ) { invocation in
    let viewer = try Viewer(invocation)
    let store = try invocation.filledStore(viewer.database)
    let names = invocation.line.operands
    let known = try store.calendars(isCounting: false).map(\.name)
    for name in names where !known.contains(name) {
      throw StoreError.unknown(what: "calendar", name: name)
    }
    guard let path = invocation.line.value(of: Options.outputFile), path != "-" else {
      let isSeen = invocation.environment.outputColumns() != nil
      return try invocation.write { sink in
        try store.export(calendars: names) {
          sink.write(contentsOf: isSeen ? SafeText.file($0) : $0)
        }
      }
    }
    let file = try OutputFile(path)
    try store.export(calendars: names) { try file.write($0) }
    try file.finish()
  }
}
