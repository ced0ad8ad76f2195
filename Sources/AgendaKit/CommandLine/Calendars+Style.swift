package import AgendaCore
package import AgendaRendering
internal import CivilTime

// A terminal has colours, links and widths, which only a command knows.

extension Calendars {
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
    case .tsv, .csv:
      let table = TableStyle(kind: format == .csv ? .csv : .tsv, isSafe: style.isSafe)
      TSVFormat(table, secondZone: zone).render(agenda, to: &sink)
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
  /// Whether cells of a table that a spreadsheet would take for formulas are marked.
  package var isSafe = false
  /// The problems in JSON, if they are not those of the calendars.
  package var warnings: [SourceFinding]?
  /// Where the thumbnails of an event are, by the numbers of their attachments, and the thumbnails
  /// themselves; `nil` for none.
  package var thumbnails:
    (paths: (EventReference) -> [Int: String], pictures: (EventReference) -> [Thumbnail])?

  package init() {}
}
