internal import AgendaCore
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let attachment = AgendaCommand(
    Command(
      "attachment", summary: "write one attachment of an entry to a file or standard output",
      discussion: [
        "The file name in the calendar is never used as a path. If the calendar contains only the address of an attachment, agenda prints the address and does not fetch it."
      ],
      operands: [
        .reference,
        Operand(
          Value("NUMBER"), help: "the number of the attachment (default: 1)", isOptional: true),
        .sources,
      ],
      options: [Options.outputFile] + Options.entryLookupOptions,
      examples: [
        Command.Example(
          "agenda attachment 3f9a2c71 -o ticket.pdf", "write the first attachment to a file"),
        Command.Example(
          "agenda attachment 3.2 2 calendar.ics > picture.jpg",
          "write the second attachment to standard output"),
      ], group: "One entry"),
    isPaged: false,
    arguments: AttachmentArguments.init
  ) { arguments, run in
    let number = arguments.number
    let found = try run.entry(arguments.reference, arguments.request)
    let event = found.entry.event
    let attachments = found.calendars.details(of: event).attachments
    guard let attachment = attachments.first(where: { $0.number == number }) else {
      throw CommandError.failed(
        attachments.isEmpty
          ? "\(arguments.reference): this entry has no attachments"
          : "\(arguments.reference): no attachment \(number); this entry has \(attachments.count)")
    }
    guard let bytes = found.calendars.attachmentBytes(of: event, number: number) else {
      throw CommandError.failed(
        "\(arguments.reference): the calendar contains only the address of attachment \(number): "
          + (attachment.uri ?? "none"))
    }
    guard let output = arguments.output else {
      return try run.write { $0.write(contentsOf: bytes) }
    }
    let file = try OutputFile(output)
    try file.write(bytes)
    try file.finish()
  }
}

private struct AttachmentArguments {
  let reference: EntryReference
  /// From 1.
  let number: Int
  let request: AgendaRequest
  /// `nil` for standard output.
  let output: String?

  init(_ invocation: Invocation) throws(CommandError) {
    let operands = invocation.line.operands
    let count = try EntryReference.wordCount(in: operands) { $0.isLikeNumber }
    var sources = Array(operands.dropFirst(count))
    var number = 1
    if let first = sources.first, first.isLikeNumber {
      guard let typed = Value.number(first), typed >= 1 else {
        throw .wrongUsage(
          "NUMBER: expected the number of an attachment, from 1, got \(first); "
            + "write ./\(first) for a source of that name")
      }
      number = typed
      sources.removeFirst()
    }
    self.number = number
    request = try AgendaRequest(invocation, sources: sources)
    reference = try EntryReference(operands.prefix(count).joined(separator: " "))
    output = invocation.outputFile
  }
}

extension String {
  /// Digits, also with a sign or with letters after them: `1x` is hardly a source.
  fileprivate var isLikeNumber: Bool {
    let digits = first == "+" || first == "-" ? dropFirst() : self[...]
    let letters = digits.drop { ("0"..."9").contains($0) }
    return letters.startIndex > digits.startIndex && letters.allSatisfy(\.isLetter)
  }
}
