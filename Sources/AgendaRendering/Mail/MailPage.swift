internal import AgendaCore
internal import CivilTime

/// The HTML part of a mail, for the limits of mail programs: tables, styles on each element, and a
/// colour and a background on each cell, because some programs change only one of them in dark
/// mode.
struct MailPage {
  private let agenda: Agenda
  private let wording: DateWording
  private let style: PageStyle
  private let details: (EventReference) -> EventDetails
  private let entryWording: EntryWording
  private let secondZone: SecondZone?
  private var colors: CalendarColors

  private static let cell = "padding:4px 8px;vertical-align:top;background-color:#ffffff;"
  private static let ink = "color:#1f2328;"
  private static let quiet = "color:#59636e;"

  init(
    _ agenda: Agenda, wording: DateWording, style: PageStyle,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.agenda = agenda
    self.wording = wording
    self.style = style
    self.details = details
    entryWording = EntryWording(wording, for: agenda)
    secondZone = style.secondZone.map { SecondZone($0, wording, window: agenda.window) }
    colors = CalendarColors(style.calendarColors)
  }

  /// `more` is written after the last entry.
  mutating func write(more: String?, to sink: inout ByteSink) {
    let direction = wording.locale.isRightToLeft ? "rtl" : "ltr"
    sink.write(
      """
      <!DOCTYPE html>
      <html lang="\(wording.locale.languageTag)" dir="\(direction)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(wording.words.entries.agenda)</title>
      </head>
      <body style="margin:0;padding:8px;background-color:#ffffff;\(Self.ink)\
      font:16px/1.4 Arial,Helvetica,sans-serif">
      <table role="presentation" dir="\(direction)" width="100%" cellpadding="0" cellspacing="0" \
      bgcolor="#ffffff" style="max-width:640px;border-collapse:collapse">

      """)
    if agenda.isEmpty, more == nil { writeLine(entryWording.nothing, to: &sink) }
    for section in agenda.sections {
      writeHeading(of: section, to: &sink)
      for entry in section.entries { write(entry, to: &sink) }
    }
    if let more { writeLine(more, to: &sink) }
    if let note = secondZone?.note, !agenda.isEmpty { writeLine(note, to: &sink) }
    sink.write("</table>\n</body>\n</html>\n" as StaticString)
  }

  private func writeLine(_ text: String, to sink: inout ByteSink) {
    sink.write("<tr><td colspan=\"2\" bgcolor=\"#ffffff\" style=\"\(Self.cell)\(Self.ink)\">")
    sink.write(html: text)
    sink.write("</td></tr>\n" as StaticString)
  }

  private func writeHeading(of section: AgendaSection, to sink: inout ByteSink) {
    sink.write(
      """
      <tr><td colspan="2" bgcolor="#eef1f4" style="padding:6px 8px;background-color:#eef1f4;\
      \(Self.ink)"><h2 style="margin:0;font-size:16px;\(Self.ink)">
      """)
    sink.write(html: section.title)
    if case .day(let date) = section.value, let today = style.today,
      let mark = wording.relativeDay(date, today: today)
    {
      sink.write(" · " as StaticString)
      sink.write(html: mark)
    }
    sink.write("</h2></td></tr>\n" as StaticString)
  }

  private mutating func write(_ entry: Entry, to sink: inout ByteSink) {
    let event = entry.event
    sink.write(
      """
      <tr><td width="120" bgcolor="#ffffff" style="\(Self.cell)\(Self.quiet)white-space:nowrap">
      """)
    if agenda.options.groupedBy != .day, !entry.occurrence.isUndated {
      sink.write(html: wording.shortDateWithoutYear(entry.date))
      sink.write("<br>" as StaticString)
    }
    let times = entryWording.times(of: entry)
    sink.write(html: wording.text(of: times))
    if let secondZone, let times = secondZone.times(of: entry, shownAs: times) {
      sink.write("<br>" as StaticString)
      sink.write(html: "\(secondZone.text(of: times)) \(secondZone.name)")
    }
    let side = wording.locale.isRightToLeft ? "right" : "left"
    sink.write(
      """
      </td><td bgcolor="#ffffff" style="\(Self.cell)\(Self.ink)border-\(side):4px solid \
      \(colors.color(of: event).hexadecimal)">
      """)
    let title = SafeText.line(event.title)
    if event.kind == .task {
      sink.write(event.status == .completed ? "☑ " as StaticString : "☐ ")
    }
    let isOff = event.status == .cancelled
    sink.write(isOff ? "<b><s>" as StaticString : "<b>")
    sink.write(html: title.isEmpty ? wording.noTitle : title)
    sink.write(isOff ? "</s></b>" as StaticString : "</b>")
    let notes = entryWording.notes(of: entry)
    if !notes.isEmpty {
      sink.write(UInt8(ascii: " "))
      sink.write(html: "(\(notes.joined(separator: wording.words.lists.comma)))")
    }
    writeAsides(of: event, to: &sink)
    sink.write("</td></tr>\n" as StaticString)
  }

  private func writeAsides(of event: Event, to sink: inout ByteSink) {
    let groupedBy = agenda.options.groupedBy
    let location = groupedBy == .location ? "" : SafeText.line(event.location ?? "")
    let calendar = groupedBy == .calendar ? "" : SafeText.line(event.calendar)
    let details = event.details(details)
    var isFirst = true
    func begin(_ sink: inout ByteSink) {
      sink.write(isFirst ? "<br><span style=\"\(Self.quiet)font-size:14px\">" : " · ")
      isFirst = false
    }
    for text in [location, calendar] where !text.isEmpty {
      begin(&sink)
      sink.write(html: text)
    }
    let conference = details.conference == details.url ? nil : details.conference
    for (name, address) in [
      (wording.words.entries.link, details.url), (wording.words.entries.join, conference),
    ] {
      guard let destination = address.flatMap(LinkDestination.of) else { continue }
      begin(&sink)
      sink.write("<a href=\"" as StaticString)
      sink.write(destination)
      sink.write("\" style=\"color:#0550ae\">" as StaticString)
      sink.write(html: name)
      sink.write("</a>" as StaticString)
    }
    if !isFirst { sink.write("</span>" as StaticString) }
  }
}
