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

  /// The only function that chooses a renderer. `style` is what a command adds to the options.
  package func render(
    _ agenda: Agenda, as format: AgendaFormat, _ options: RenderingOptions,
    _ style: RenderingStyle = RenderingStyle(), to sink: inout ByteSink
  ) {
    let wording = DateWording(options.locale)
    let zone = options.secondZone
    let page = PageStyle(
      today: options.today, calendarColors: style.calendarColors, secondZone: zone)
    switch format {
    case .text:
      let text =
        style.text ?? TextStyle(width: options.columns, today: options.today, secondZone: zone)
      TextFormat(wording, style: text, details: details(of:)).render(agenda, to: &sink)
    case .markdown:
      MarkdownFormat(
        wording, contents: style.hasContents, details: details(of:),
        thumbnails: { style.thumbnails?.paths($0).sorted { $0.key < $1.key }.map(\.value) ?? [] },
        secondZone: zone
      ).render(agenda, to: &sink)
    case .html:
      let format = HTMLFormat(
        wording, style: page, details: details(of:), pictures: style.thumbnails?.pictures)
      if style.hasOnlyMonths {
        format.renderMonths(agenda, to: &sink)
      } else {
        format.render(agenda, to: &sink)
      }
    case .json, .jsonl:
      let json = JSONFormat(
        details: details(of:), thumbnail: { style.thumbnails?.paths($0)[$1] }, secondZone: zone)
      if format == .json {
        json.render(agenda, warnings: style.warnings ?? findings, to: &sink)
      } else {
        json.renderLines(agenda, to: &sink)
      }
    case .tsv: TSVFormat(secondZone: zone).render(agenda, to: &sink)
    }
  }
}

/// What a command adds to the options of a rendering.
package struct RenderingStyle {
  /// The layout of text.
  package var text: TextStyle?
  /// The colours of calendars, by their names.
  package var calendarColors: [String: String] = [:]
  /// Whether Markdown begins with a table of contents.
  package var hasContents = false
  /// Whether a web page has only its months.
  package var hasOnlyMonths = false
  /// The problems in JSON, if they are not those of the calendars.
  package var warnings: [SourceFinding]?
  /// Where the thumbnails of an event are, by the numbers of their attachments, and the thumbnails
  /// themselves; `nil` for none.
  package var thumbnails:
    (paths: (EventReference) -> [Int: String], pictures: (EventReference) -> [Thumbnail])?

  package init() {}
}
