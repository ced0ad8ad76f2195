internal import AgendaCore
internal import AgendaPictures
internal import AgendaRendering
internal import CivilTime

extension Invocation {
  /// Prints an agenda in the format that was asked for.
  func render(_ agenda: Agenda, _ request: AgendaRequest, events: any EventProvider) throws {
    let presentation = request.presentation
    if agenda.isEmpty, presentation.printsNothingIfEmpty { return }
    // What no source could say is not nothing. A document is one all the same, for its readers.
    if !events.isReadable, [.text, .markdown].contains(presentation.format) { return }
    let thumbnails = try thumbnails(request, events: events)
    try write { sink in
      switch presentation.format {
      case .text:
        TextFormat(presentation.wording, style: presentation.textStyle(request, events: events))
          .render(agenda, to: &sink)
      case .markdown:
        MarkdownFormat(
          presentation.wording, contents: presentation.hasTableOfContents, details: events.details,
          thumbnails: { thumbnails?.paths(of: $0) ?? [] }
        ).render(agenda, to: &sink)
      case .json:
        json(events, thumbnails).render(
          agenda, warnings: events.findings + messages.findings, to: &sink)
      case .jsonl: json(events, thumbnails).renderLines(agenda, to: &sink)
      case .tsv: TSVFormat().render(agenda, to: &sink)
      }
    }
  }

  private func json(_ events: any EventProvider, _ thumbnails: ShownThumbnails?) -> JSONFormat {
    JSONFormat(
      details: events.details,
      thumbnail: { thumbnails?.path(of: $0, number: $1) })
  }

  /// `--media`, for the formats that can name a picture.
  private func thumbnails(
    _ request: AgendaRequest, events: any EventProvider
  ) throws(CommandError) -> ShownThumbnails? {
    guard let folder = request.presentation.mediaFolder,
      [.markdown, .json, .jsonl].contains(request.presentation.format)
    else { return nil }
    return try ShownThumbnails(
      folder, events: events, maker: ThumbnailMaker(environment.pictureDecoder),
      messages: messages)
  }

  /// Standard output through one buffer; what it meets becomes one of our errors.
  func write(_ body: (inout ByteSink) throws -> Void) throws {
    let writeOutput = environment.writeOutput
    var sink = ByteSink { bytes in
      if let failure = writeOutput(bytes) { throw CommandError(failure) }
    }
    try body(&sink)
    try sink.finish()
  }
}

extension Presentation {
  fileprivate func textStyle(_ request: AgendaRequest, events: any EventProvider) -> TextStyle {
    TextStyle(
      width: columns, color: color, today: request.viewer.today, showsZones: showsZones,
      showsIdentifiers: showsIdentifiers, calendarColors: events.calendarColors)
  }
}

extension Invocation {
  /// The agenda of a request, with the events it was made of. What is only listed needs not say
  /// what makes it recur.
  func agenda(
    _ request: AgendaRequest, sources: [String], isListing: Bool = false
  ) throws -> (agenda: Agenda, events: any EventProvider) {
    let events = try events(of: sources, viewer: request.viewer, window: request.window)
    // Of files all is read already; the store is asked for no more than the limit needs.
    let narrow = sources.isEmpty ? request.narrowerWindows : []
    for window in narrow {
      let found = try events.agenda(
        request, in: window, isListing: isListing, messages: messages)
      guard found.entryCount == request.grouping.limit else { continue }
      let agenda = Agenda(
        found.occurrences, in: request.window, options: request.grouping,
        wording: request.presentation.wording)
      return (agenda, events)
    }
    return (
      try events.agenda(request, in: request.window, isListing: isListing, messages: messages),
      events
    )
  }
}

extension EventProvider {
  fileprivate func agenda(
    _ request: AgendaRequest, in window: DateWindow, isListing: Bool, messages: Messages
  ) throws -> Agenda {
    let selection = request.selection
    let occurrences =
      isListing
      ? try listedOccurrences(in: window, selection: selection, messages: messages)
      : try occurrences(in: window, selection: selection, messages: messages)
    return Agenda(
      occurrences, in: window, options: request.grouping, wording: request.presentation.wording)
  }
}
