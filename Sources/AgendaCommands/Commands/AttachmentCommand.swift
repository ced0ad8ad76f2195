internal import AgendaCore
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let attachment = AgendaCommand(
    Command(
      "attachment", summary: "write one attachment of an entry to a file or standard output",
      discussion: [
        "The name that the source gives an attachment is never used as a path. One that is only referred to is not fetched: its address is said instead."
      ],
      operands: [
        .reference,
        Operand(
          Value("NUMBER"), help: "which attachment, the first if not given", isOptional: true),
        .sources,
      ],
      options: [Options.outputFile] + Options.windowOptions + Options.selectionOptions
        + [Options.groupBy] + Options.sourceOptions,
      examples: [
        Command.Example("agenda attachment 3f9a2c71 -o ticket.pdf", "the first one"),
        Command.Example("agenda attachment 3.2 2 calendar.ics > picture.jpg", "the second one"),
      ], group: "One entry"),
    isPaged: false
  ) { invocation in
    let request = try AgendaRequest(invocation)
    var operands = Array(invocation.line.operands.dropFirst())
    var number = 1
    if let first = operands.first, let typed = Value.number(first) {
      guard typed >= 1 else { throw CommandError.wrongUsage("NUMBER: attachments count from 1") }
      number = typed
      operands.removeFirst()
    }
    let found = try invocation.entry(
      EntryReference(invocation.line.operands[0]), request, sources: operands)
    let reference = found.entry.occurrence.event.reference
    let attachments = found.events.details(of: reference).attachments
    guard let attachment = attachments.first(where: { $0.number == number }) else {
      throw CommandError.failed(
        attachments.isEmpty
          ? "this entry has no attachments" : "this entry has \(attachments.count) attachments")
    }
    guard let bytes = found.events.attachmentBytes(of: reference, number: number) else {
      throw CommandError.failed(
        "attachment \(number) is not in the calendar, only its address: \(attachment.uri ?? "none")"
      )
    }
    guard let path = invocation.line.value(of: Options.outputFile), path != "-" else {
      return try invocation.write { $0.write(contentsOf: bytes) }
    }
    let file = try OutputFile(path)
    try file.write(bytes)
    try file.finish()
  }
}
