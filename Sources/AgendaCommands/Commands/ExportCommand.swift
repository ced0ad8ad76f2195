internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  static let export = AgendaCommand(
    Command(
      "export", summary: "write the calendars of the store as .ics files",
      discussion: [
        "agenda import brings all calendars of such a file back, each with its name and colour. Hidden events are left out, and answers are in their events.",
        "--into writes a file for each calendar, named after it, and replaces files of these names.",
      ],
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "export only these calendars",
          isOptional: true, isRepeatable: true)
      ],
      options: [Options.outputFile, Options.outputFolder, Options.store] + Options.momentOptions,
      examples: [
        Command.Example("agenda export -o all.ics", "export all calendars"),
        Command.Example("agenda export --into backup", "write a file for each calendar"),
      ],
      group: "Store"),
    isPaged: false,
    arguments: ExportArguments.init
  ) { arguments, run in
    let store = try run.filledStore(arguments.store, for: arguments.viewer)
    let names = arguments.calendars
    if let folder = arguments.folder { return try run.export(names, of: store, into: folder) }
    guard let output = arguments.output else {
      return try run.writeFile { try store.export(calendars: names, to: $0) }
    }
    let file = try OutputFile(output)
    try store.export(calendars: names) { try file.write($0) }
    try file.finish()
  }
}

extension CommandRun {
  /// Writes a file for each calendar.
  fileprivate func export(
    _ names: [String], of store: CalendarStore, into folder: String
  ) throws {
    if !FileAccess.exists(folder) {
      do throws(SystemError) {
        try FileAccess.createFolder(folder, permissions: 0o777)
      } catch {
        throw CommandError.failed("\(folder): \(error)")
      }
    }
    var taken: Set<String> = []
    let all = names.isEmpty ? try store.read { try $0.calendarNames() } : names
    for name in all {
      var fileName = Self.fileName(ofCalendar: name)
      // Two names can differ only in characters that a file cannot have, or in their case.
      var number = 2
      while !taken.insert(fileName.lowercased()).inserted {
        fileName = "\(Self.fileName(ofCalendar: name)) \(number)"
        number += 1
      }
      let file = try OutputFile("\(folder)/\(fileName).ics")
      try store.export(calendars: [name]) { try file.write($0) }
      try file.finish()
    }
  }

  /// The name of a calendar without what a name of a file must not have. It comes from strangers.
  private static func fileName(ofCalendar name: String) -> String {
    let safe = SafeText.line(name).map { $0 == "/" || $0 == "\0" ? "_" : $0 }
    var text = String(safe)
    while text.utf8.count > mostBytes { text.removeLast() }
    // A name with a leading dot is hidden, and programs read one with a leading dash as an option.
    return text.hasPrefix(".") || text.hasPrefix("-") || text.isEmpty ? "_\(text)" : text
  }

  private static var mostBytes: Int { 200 }
}

private struct ExportArguments {
  /// All of them if it is empty.
  let calendars: [String]
  let viewer: Viewer
  let store: StoreArgument
  /// `nil` for standard output.
  let output: String?
  /// `--into`.
  let folder: String?

  init(_ invocation: Invocation) throws(CommandError) {
    calendars = invocation.line.operands
    viewer = try Viewer(invocation)
    store = try StoreArgument(invocation)
    output = invocation.outputFile
    folder = invocation.line.value(of: Options.outputFolder)
  }
}

extension Invocation {
  /// `--output`; `nil` for standard output.
  var outputFile: String? {
    let path = line.value(of: Options.outputFile)
    return path == "-" ? nil : path
  }
}
