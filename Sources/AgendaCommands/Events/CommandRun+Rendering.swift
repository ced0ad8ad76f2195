internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime

extension CommandRun {
  /// Prints an agenda in the requested format.
  func render(
    _ agenda: Agenda, _ request: AgendaRequest, _ calendars: Calendars
  ) throws {
    let presentation = request.presentation
    if agenda.isEmpty, presentation.printsNothingIfEmpty { return }
    if let template = presentation.template {
      let format = TemplateFormat(
        template, presentation.wording, now: request.viewer.now,
        secondZone: presentation.secondZone, details: calendars.details(of:))
      return try write { format.render(agenda, to: &$0) }
    }
    // If no source could be read, an empty agenda would mislead people. Programs get a valid
    // document nevertheless.
    let isForPeople =
      !presentation.recipients.isEmpty || [.text, .markdown, .html].contains(presentation.format)
    if !calendars.isReadable, isForPeople { return }
    let colors = isForPeople ? try calendars.calendarColors() : [:]
    let style = PageStyle(
      today: request.viewer.today, calendarColors: colors, secondZone: presentation.secondZone)
    if !presentation.recipients.isEmpty {
      let format = MailFormat(
        presentation.wording, style: style, to: presentation.recipients,
        subject: presentation.subject, now: request.viewer.now, details: calendars.details(of:))
      return try write { format.render(agenda, to: &$0) }
    }
    let thumbnails = try thumbnails(request, calendars)
    try write { sink in
      switch presentation.format {
      case .text:
        TextFormat(
          presentation.wording, style: presentation.textStyle(request, calendarColors: colors),
          details: calendars.details(of:)
        ).render(agenda, to: &sink)
      case .markdown:
        MarkdownFormat(
          presentation.wording, contents: presentation.hasTableOfContents,
          details: calendars.details(of:), thumbnails: { thumbnails?.paths(of: $0) ?? [] },
          secondZone: presentation.secondZone
        ).render(agenda, to: &sink)
      case .html:
        let format = HTMLFormat(
          presentation.wording, style: style, details: calendars.details(of:),
          pictures: thumbnails.map { thumbnails in { thumbnails.thumbnails(of: $0) } })
        if presentation.hasOnlyMonths {
          format.renderMonths(agenda, to: &sink)
        } else {
          format.render(agenda, to: &sink)
        }
      case .json:
        json(calendars, thumbnails, presentation).render(
          agenda, warnings: calendars.storedFindings + messages.findings, to: &sink)
      case .jsonl: json(calendars, thumbnails, presentation).renderLines(agenda, to: &sink)
      case .tsv: TSVFormat(secondZone: presentation.secondZone).render(agenda, to: &sink)
      }
    }
  }

  private func json(
    _ calendars: Calendars, _ thumbnails: ShownThumbnails?, _ presentation: Presentation
  ) -> JSONFormat {
    JSONFormat(
      details: calendars.details(of:), thumbnail: { thumbnails?.path(of: $0, number: $1) },
      secondZone: presentation.secondZone)
  }

  /// `--media`, for the formats that can show or name a picture.
  private func thumbnails(
    _ request: AgendaRequest, _ calendars: Calendars
  ) throws(CommandError) -> ShownThumbnails? {
    guard let folder = request.presentation.mediaFolder,
      [.markdown, .html, .json, .jsonl].contains(request.presentation.format)
    else { return nil }
    return try ShownThumbnails(
      folder, calendars.thumbnails(decodedBy: environment.pictureDecoder), messages: messages)
  }

  /// Writes to standard output through one buffer, and converts its errors to ours.
  func write(_ body: (inout ByteSink) throws -> Void) throws {
    let writeOutput = environment.writeOutput
    var sink = ByteSink { bytes in
      if let failure = writeOutput(bytes) { throw CommandError(failure) }
    }
    try body(&sink)
    try sink.finish()
  }

  /// Writes the parts of a file to standard output. A pipe gets its bytes, and a terminal a text on
  /// which it cannot act. Parts can end within a line, or within a character.
  func writeFile(_ body: (([UInt8]) throws -> Void) throws -> Void) throws {
    let isSeen = environment.outputColumns() != nil
    try write { sink in
      var begun: [UInt8] = []
      try body { part in
        guard isSeen else { return sink.write(contentsOf: part) }
        begun += part
        guard let end = begun.lastIndex(of: UInt8(ascii: "\n")) else { return }
        sink.write(contentsOf: SafeText.file(Array(begun[...end])))
        begun.removeFirst(end + 1)
      }
      sink.write(contentsOf: SafeText.file(begun))
    }
  }
}

extension Presentation {
  func textStyle(
    _ request: AgendaRequest, width: Int? = nil, calendarColors: [String: String]
  ) -> TextStyle {
    let width = width ?? columns
    var style = TextStyle(
      width: width, color: color, today: request.viewer.today,
      listsEmptyToday: request.selection.keepsWholeDays, showsZones: showsZones,
      secondZone: secondZone, showsIdentifiers: listsIdentifiers(in: width),
      calendarColors: calendarColors)
    style.showsIndexPaths = showsIndexPaths
    style.links = links
    style.namesOnlyCalendar = !isOnTerminal
    if isOnTerminal {
      style.now = request.viewer.now
      style.countsToday = request.countsToday
    }
    return style
  }
}

extension CommandRun {
  /// The agenda of a request, and the calendars that it was made of. `isListing` allows events that
  /// lack what makes them recur.
  func agenda(
    _ request: AgendaRequest, isListing: Bool = false
  ) throws -> (agenda: Agenda, calendars: Calendars) {
    let calendars = try calendars(of: request.input, for: request.viewer)
    // Files are read as a whole. From the store, only what the limit needs is read.
    let narrow = request.input.usesStore ? request.narrowerWindows : []
    for window in narrow {
      let (agenda, findings, _) = try calendars.agenda(
        request, in: window, isListing: isListing)
      guard agenda.entryCount == request.grouping.limit else { continue }
      messages.report(findings)
      return (agenda.extended(to: request.window), calendars)
    }
    let (agenda, findings, cut) = try calendars.agenda(
      request, in: request.window, isListing: isListing)
    // A listing in the order of time with a limit ends before the days that are missing.
    let isComplete =
      request.grouping.groupedBy.isTime && agenda.entryCount == request.grouping.limit
    messages.report(findings)
    if let cut, !isComplete { messages.reportLast([cut]) }
    return (agenda, calendars)
  }
}

extension Calendars {
  fileprivate func agenda(
    _ request: AgendaRequest, in window: DateWindow, isListing: Bool
  ) throws -> (Agenda, findings: [SourceFinding], cut: SourceFinding?) {
    var found = try found(request.selection, in: window, isListing: isListing)
    try addUndated(
      to: &found.occurrences, in: found.window, of: request.selection,
      today: request.grouping.today)
    var options = request.grouping
    options.unanswered = unanswered(
      by: request.presentation.ownAddresses, among: found.occurrences, now: request.viewer.now)
    options.declined = declined(
      by: request.presentation.ownAddresses, among: found.occurrences)
    let agenda = Agenda(
      found.occurrences, of: request.selection, in: found.window, options: options,
      wording: request.presentation.wording, details: details(of:))
    return (agenda, found.findings, found.cut)
  }
}
