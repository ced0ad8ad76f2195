public import AgendaCore
public import AgendaRendering
public import CivilTime

/// How an agenda is rendered.
public struct RenderingOptions: Sendable {
  /// The language and conventions of dates and times.
  package var locale: LocaleData
  /// The width of text in columns; `nil` writes each entry on one line.
  package var columns: Int?
  /// The day that is marked as today; `nil` for none.
  package var today: CivilDate?
  /// A zone whose times are shown next to those of the agenda's own zone.
  package var secondZone: Zone?

  /// English dates and no line breaks, unless the arguments ask for something else.
  public init(
    locale: LocaleData = .plain, columns: Int? = nil, today: CivilDate? = nil,
    secondZone: Zone? = nil
  ) {
    self.locale = locale
    self.columns = columns
    self.today = today
    self.secondZone = secondZone
  }
}

extension Calendars {
  /// The same agenda with the details of its events and the problems of the sources, so that nothing is
  /// missing if it is encoded. `JSONEncoder` makes the document of `rendering(agenda, as: .json)` of
  /// it.
  public func withDetails(_ agenda: Agenda) -> Agenda {
    agenda.with(details: details(of:), warnings: findings)
  }

  /// An agenda of these calendars as text, Markdown, HTML, JSON, JSON lines or TSV.
  ///
  ///     print(calendars.rendering(agenda, as: .markdown))
  public func rendering(
    _ agenda: Agenda, as format: AgendaFormat, _ options: RenderingOptions = RenderingOptions()
  ) -> String {
    let bytes = ByteSink.bytes { render(agenda, as: format, options, to: &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Renders a long agenda in pieces. An error of `output` ends the rendering and is thrown.
  package func render(
    _ agenda: Agenda, as format: AgendaFormat, _ options: RenderingOptions = RenderingOptions(),
    to output: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var sink = ByteSink(flush: output)
    render(agenda, as: format, options, to: &sink)
    try sink.finish()
  }

  private func render(
    _ agenda: Agenda, as format: AgendaFormat, _ options: RenderingOptions,
    to sink: inout ByteSink
  ) {
    let wording = DateWording(options.locale)
    let zone = options.secondZone
    switch format {
    case .text:
      let style = TextStyle(
        width: options.columns, today: options.today, secondZone: zone)
      TextFormat(wording, style: style).render(agenda, to: &sink)
    case .markdown:
      MarkdownFormat(wording, details: details(of:), secondZone: zone).render(agenda, to: &sink)
    case .html:
      let style = PageStyle(today: options.today, secondZone: zone)
      HTMLFormat(wording, style: style, details: details(of:)).render(agenda, to: &sink)
    case .json:
      JSONFormat(details: details(of:), secondZone: zone)
        .render(agenda, warnings: findings, to: &sink)
    case .jsonl:
      JSONFormat(details: details(of:), secondZone: zone).renderLines(agenda, to: &sink)
    case .tsv: TSVFormat(secondZone: zone).render(agenda, to: &sink)
    }
  }
}
