internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let reply = AgendaCommand(
    Command(
      "reply", summary: "answer an invitation",
      discussion: [
        "agenda prints the answer as a calendar with METHOD:REPLY, or as a complete mail to the organizer, and records it in the event. It sends nothing. In a calendar on a CalDAV server that sends answers itself, agenda prints no message.",
        "An occurrence that was changed separately gets its own answer. For any other one agenda answers for the whole series; --only answers for this occurrence.",
        "agenda invitations lists what is not answered yet.",
      ],
      operands: [.referenceWords],
      options: [
        Options.accept, Options.decline, Options.tentative, Options.onlyThis, Options.answerAs,
        Options.ownAddress,
        Options.comment, Options.replyMail, Options.outputFile, Options.dryRunOfEvent, Options.send,
      ] + Options.windowOptions + [Options.search, Options.groupBy, Options.locale, Options.store],
      examples: [
        Command.Example(
          "agenda reply 3.1 --accept --mail | sendmail -t", "accept, and mail the organizer"),
        Command.Example(
          "agenda reply 3.1 --decline --as ana@example.com --comment \"On holiday\" -o reply.ics",
          "decline, and write the reply to a file"),
        Command.Example(
          "agenda reply choir --decline --only --mail | sendmail -t",
          "decline the next occurrence of a series"),
      ], group: "Store"),
    isPaged: false,
    arguments: ReplyArguments.init
  ) { arguments, run in
    let request = arguments.request
    let viewer = request.viewer
    let store = try run.filledStore(request.input.store, for: viewer)
    let occurrence = try run.entry(arguments.reference, request).entry.occurrence
    let writing = { (isDryRun: Bool) throws -> StoreWriter.Reply in
      try run.writing(arguments.reference) {
        try store.write(isDryRun: isDryRun) {
          try $0.reply(
            arguments.answer, to: occurrence, as: arguments.addresses, only: arguments.isOnly,
            comment: arguments.comment, requiresMailAddress: arguments.isMail)
        }
      }
    }
    let reply: StoreWriter.Reply
    do {
      reply = try writing(true)
    } catch let failure as CalendarError {
      guard let error = failure.origin as? ReplyError else { throw failure }
      let message = "\(arguments.reference): \(ErrorWording.text(of: error))"
      switch error {
      case .notInvited, .ambiguous: throw CommandError.wrongUsage(message)
      default: throw CommandError.failed(message)
      }
    }
    if reply.answersSeries {
      run.messages.warn(
        "\(arguments.reference): the answer is for the whole series; "
          + "--only answers for one occurrence")
    }
    if reply.isRepeated {
      run.messages.warn("\(arguments.reference): \(reply.attendee) has given this answer before")
    }
    if arguments.isDryRun {
      let words = TimeWords(wording: request.presentation.wording, zone: viewer.zone)
      let title = words.title(of: occurrence.event)
      let answer = words.words.statuses.text(ofParticipation: arguments.answer.participation)
      let sentence =
        "would answer \(title): \(words.span(of: occurrence)), \(reply.attendee): \(answer)"
      return try run.printChangedLines(reply.changedLines, after: SafeText.line(sentence))
    }
    if reply.isSentByServer {
      // A second answer would confuse the organizer.
      run.messages.warn(
        "\(arguments.reference): the server sends the answer to the organizer, so agenda printed none"
      )
      return try run.send(
        changesOf: try writing(false).serverCalendars, store, now: arguments.sends, isQuiet: true)
    }
    let mail = arguments.isMail ? reply.mail(now: viewer.now, zone: viewer.zone) : nil
    let bytes = mail ?? reply.message
    // The answer is recorded when its message is safe: the organizer cannot get a lost one.
    if let path = arguments.outputPath {
      let file = try OutputFile(path)
      try file.write(bytes)
      try file.finish()
    } else {
      try run.writeFile { try $0(bytes) }
    }
    try run.send(
      changesOf: try writing(false).serverCalendars, store, now: arguments.sends, isQuiet: true)
  }
}

private struct ReplyArguments {
  let reference: EntryReference
  let request: AgendaRequest
  let answer: StoreWriter.Answer
  let addresses: [String]
  let isOnly: Bool
  let comment: String?
  let isMail: Bool
  let outputPath: String?
  let isDryRun: Bool
  let sends: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    var request = try AgendaRequest(invocation, sources: []).inAllCalendars.forWriting
    request.selection.includesTasks = true
    self.request = request
    reference = try EntryReference(line.operands.joined(separator: " "))
    if line.has(Options.accept) {
      answer = .accepted
    } else if line.has(Options.decline) {
      answer = .declined
    } else if line.has(Options.tentative) {
      answer = .tentative
    } else {
      throw .wrongUsage("expected one of --accept, --decline and --tentative")
    }
    addresses = line.ownAddresses(Options.answerAs)
    isOnly = line.has(Options.onlyThis)
    comment = line.value(of: Options.comment)
    isMail = line.has(Options.replyMail)
    outputPath = line.value(of: Options.outputFile)
    isDryRun = line.has(Options.dryRunOfEvent)
    sends = line.has(Options.send)
  }
}

extension StoreWriter.Answer {
  fileprivate var participation: String {
    switch self {
    case .accepted: "accepted"
    case .declined: "declined"
    case .tentative: "tentative"
    }
  }
}

extension ParsedCommandLine {
  /// Whose answer is meant: the addresses of an option, otherwise those of the configuration.
  func ownAddresses(_ option: Option) -> [String] {
    let typed = values(of: option)
    return typed.isEmpty ? values(of: Options.ownAddress) : typed
  }
}
