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
    if calendars.areUnreadable, isForPeople { return }
    var style = RenderingStyle()
    style.calendarColors = isForPeople ? try calendars.calendarColors() : [:]
    if !presentation.recipients.isEmpty {
      let page = PageStyle(
        today: request.viewer.today, calendarColors: style.calendarColors,
        secondZone: presentation.secondZone)
      let format = MailFormat(
        presentation.wording, style: page, to: presentation.recipients,
        subject: presentation.subject, now: request.viewer.now, details: calendars.details(of:))
      return try write { format.render(agenda, to: &$0) }
    }
    style.text = presentation.textStyle(request, calendarColors: style.calendarColors)
    style.hasContents = presentation.hasTableOfContents
    style.hasOnlyMonths = presentation.hasOnlyMonths
    style.isSafe = presentation.isSafe
    style.thumbnails = try thumbnails(request, calendars).map { ($0.paths, $0.thumbnails) }
    if presentation.format == .json {
      // Those of files were reported when they were read.
      style.warnings = (request.input.usesStore ? calendars.findings : []) + messages.findings
    }
    let options = RenderingOptions(
      locale: presentation.wording.locale, today: request.viewer.today,
      secondZone: presentation.secondZone)
    try write { calendars.render(agenda, as: presentation.format, options, style, to: &$0) }
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
  /// The agenda of a request, and the calendars that it was made of.
  func agenda(_ request: AgendaRequest) throws -> (agenda: Agenda, calendars: Calendars) {
    let calendars = try calendars(of: request.input, for: request.viewer)
    // Files are read as a whole. From the store, only what the limit needs is read.
    let narrow = request.input.usesStore ? request.narrowerWindows : []
    for window in narrow {
      var problems: [SourceFinding] = []
      let agenda = try calendars.agenda(of: request, in: window) { problems.append($0) }
      guard agenda.entryCount == request.grouping.limit else { continue }
      messages.report(problems.filter { !$0.finding.cutsListing })
      return (agenda.extended(to: request.window), calendars)
    }
    var problems: [SourceFinding] = []
    let agenda = try calendars.agenda(of: request, in: request.window) { problems.append($0) }
    // A listing in the order of time with a limit ends before the days that are missing.
    let isComplete =
      request.grouping.groupedBy.isTime && agenda.entryCount == request.grouping.limit
    messages.report(listing: problems, isComplete: isComplete)
    return (agenda, calendars)
  }
}

extension Messages {
  /// Reports the problems of a listing. That entries are missing at its end comes last, where it is seen.
  func report(listing problems: [SourceFinding], isComplete: Bool = false) {
    report(problems.filter { !$0.finding.cutsListing })
    let cut = problems.filter(\.finding.cutsListing)
    if !cut.isEmpty, !isComplete { reportLast(cut) }
  }
}

extension Calendars {
  /// Whether sources were named, and none of them could be read.
  var areUnreadable: Bool { !readings.isEmpty && readings.allSatisfy { $0.error != nil } }

  /// The agenda of a request in a window.
  func agenda(
    of request: AgendaRequest, in window: DateWindow,
    reportProblem: (SourceFinding) -> Void = { _ in }
  ) throws -> Agenda {
    var options = request.grouping
    options.viewer = (request.presentation.ownAddresses, request.viewer.now)
    return try agenda(
      in: window, of: request.selection, options: options,
      locale: request.presentation.wording.locale, reportProblem: reportProblem)
  }
}
