internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let open = AgendaCommand(
    Command(
      "open", summary: "open the online meeting or the web page of an entry",
      discussion: [
        "It opens the address of the online meeting, otherwise the link of the entry, otherwise the first address in the location or the description. Only http and https addresses are opened.",
        "It prints the host of the address first. The browser is the command in BROWSER, otherwise xdg-open. No shell reads the address.",
      ],
      operands: [.reference, .sources],
      options: Options.entryLookupOptions,
      examples: [
        Command.Example("agenda open stand-up", "join the next stand-up"),
        Command.Example("agenda open 3f9a2c71", "open the link of the entry with this id"),
      ], group: "One entry"),
    isPaged: false,
    arguments: EntryArguments.init
  ) { arguments, run in
    let found = try run.entry(arguments.reference, arguments.request)
    let event = found.entry.event
    guard let link = EntryLink(event, found.calendars.details(of: event)) else {
      throw CommandError.failed(
        "\(arguments.reference): this entry has no http or https address to open")
    }
    try run.environment.print(link.host + "\n")
    try run.environment.open(link.address)
  }
}

extension Environment {
  /// Opens the address of a web page in the first browser that can be started.
  func open(_ address: String) throws(CommandError) {
    let browsers = browsers
    for browser in browsers {
      guard let (program, arguments) = browser.call(with: address) else { continue }
      if runProgram(program, arguments) == 0 { return }
    }
    let names = browsers.map(\.command).joined(separator: ", ")
    throw .failed("\(names): cannot open \(address); set BROWSER to the command of a browser")
  }

  /// The commands in BROWSER, with colons between them, otherwise the system's program.
  private var browsers: [Browser] {
    let own = (filled("BROWSER") ?? "").split(separator: ":").map { Browser(command: String($0)) }
    #if canImport(Darwin)
      let usual = "open"
    #else
      let usual = "xdg-open"
    #endif
    return own.isEmpty ? [Browser(command: usual)] : own
  }
}

/// A command of BROWSER: `firefox --new-window %s`. No shell reads it.
private struct Browser {
  let command: String

  /// The program and its arguments: the address replaces `%s`, otherwise it is the last argument.
  func call(with address: String) -> (program: String, arguments: [String])? {
    let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let program = words.first else { return nil }
    let arguments = words.dropFirst().map { $0 == "%s" ? address : $0 }
    return (program, words.dropFirst().contains("%s") ? arguments : arguments + [address])
  }
}
