internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let invitations = AgendaCommand(
    Command(
      "invitations", summary: "list invitations that are not answered yet",
      discussion: [
        "agenda lists the events and tasks of the coming year to which you are invited, with its organizer. A series is listed once, at its next occurrence. agenda reply answers.",
        "Set your address in the configuration file: address = ana@example.com. You can set several. With it, agenda show marks such entries, too.",
      ],
      operands: [.sources],
      options: Options.windowOptions + [Options.invitedAs, Options.ownAddress]
        + [Options.calendar, Options.search, Options.linesFormat, Options.safe, Options.locale]
        + [Options.showIdentifiers, Options.ifAny] + Options.sourceOptions,
      examples: [
        Command.Example("agenda invitations --ids", "list them with ids, for agenda reply"),
        Command.Example(
          "agenda invitations --as ana@example.com -f json", "list them for a program"),
      ], group: "Agenda"),
    arguments: InvitationsArguments.init
  ) { arguments, run in
    let request = arguments.request
    let calendars = try run.calendars(of: request.input, for: request.viewer)
    let invitations = try calendars.openInvitations(
      to: arguments.addresses, in: request.window, of: request.selection, now: request.viewer.now)
    if invitations.isEmpty, request.presentation.printsNothingIfEmpty { return }
    try run.write { sink in InvitationListing(invitations, request: request).write(to: &sink) }
  }
}

private struct InvitationsArguments {
  let request: AgendaRequest
  let addresses: [String]

  init(_ invocation: Invocation) throws(CommandError) {
    var request = try AgendaRequest(
      invocation, sources: invocation.line.sources(of: invocation))
    request.selection.includesTasks = true
    self.request = request
    addresses = invocation.line.ownAddresses(Options.invitedAs)
    if addresses.isEmpty {
      throw .wrongUsage(
        "your address is missing; use --as ADDRESS, or set \"address = ADDRESS\" in the "
          + "configuration file")
    }
  }
}

/// Invitations in each format.
private struct InvitationListing {
  private let invitations: [OpenInvitation]
  private let request: AgendaRequest
  private let zone: Zone
  private let words: TimeWords

  init(_ invitations: [OpenInvitation], request: AgendaRequest) {
    self.invitations = invitations
    self.request = request
    zone = request.viewer.zone
    words = TimeWords(wording: request.presentation.wording, zone: zone)
  }

  func write(to sink: inout ByteSink) {
    switch request.presentation.format {
    case .text, .html:
      var layout = TextLayout(
        width: request.presentation.columns, color: request.presentation.color)
      if invitations.isEmpty { sink.write(words.words.entries.nothingFound + "\n") }
      for invitation in invitations {
        layout.write(text(of: invitation), to: &sink)
        layout.newLine(to: &sink)
      }
    case .markdown:
      for invitation in invitations {
        sink.write("- \(MarkdownText.inline(text(of: invitation)))\n")
      }
    case .json, .jsonl, .tsv, .csv:
      list.write(
        invitations, as: request.presentation.format, safe: request.presentation.isSafe, to: &sink)
    }
  }

  /// `Planning · Tuesday, 24 November 2026, 10:00–11:00 (1 h) · every Tuesday · boss@example.com`
  private func text(of invitation: OpenInvitation) -> String {
    let occurrence = invitation.occurrence
    let event = occurrence.event
    var parts = [words.title(of: event), words.span(of: occurrence)]
    parts += (event.recurrence?.rules ?? []).map { words.words(for: $0, of: event) }
    if let location = event.location { parts.append(location) }
    if let organizer = invitation.organizer, let name = organizer.name ?? organizer.email {
      parts.append(name)
    }
    if request.presentation.showsIdentifiers {
      parts.append(OccurrenceID(of: occurrence).description)
    }
    return parts.filter { !$0.isEmpty }.map(SafeText.line).joined(separator: " · ")
  }

  private var list: ListFormat<OpenInvitation> {
    ListFormat(
      name: "invitations",
      fields: [ListFormat<Occurrence>.Field].ofAgenda(
        [.id, .uid, .title, .start, .end, .location, .calendar], in: zone
      ).of(\.occurrence) + [
        .init("organizer", cell: { FieldValue($0.organizer?.email) }) {
          FieldValue($0.organizer?.email ?? $0.organizer?.name)
        },
        .init("attendee") { FieldValue($0.attendee.person.email) },
      ],
      columns: [
        "start", "end", "title", "location", "calendar", "organizer", "attendee", "id", "uid",
      ])
  }
}
