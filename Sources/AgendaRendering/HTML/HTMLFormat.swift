public import AgendaCore
internal import CivilTime

/// An agenda as one web page that contains everything it needs: the months as tables, then the
/// sections as lists.
///
/// The page has no script and sends no request. Style and pictures are part of it, and a content
/// security policy forbids everything else. Text of a calendar never becomes markup, style, or a
/// link with another scheme than http, https or mailto.
public struct HTMLFormat {
  private let wording: DateWording
  private let style: PageStyle
  private let details: (EventReference) -> EventDetails
  private let pictures: ((EventReference) -> [Thumbnail])?

  /// - Parameters:
  ///   - wording: the words for dates and times.
  ///   - style: today, and the colours of the calendars.
  ///   - details: returns the details of an event, for links and descriptions.
  ///   - pictures: the thumbnails of an event, to be embedded; `nil` for no pictures.
  package init(
    _ wording: DateWording, style: PageStyle = PageStyle(),
    details: @escaping (EventReference) -> EventDetails,
    pictures: ((EventReference) -> [Thumbnail])? = nil
  ) {
    self.wording = wording
    self.style = style
    self.details = details
    self.pictures = pictures
  }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let months = MonthTables(agenda, wording: wording, style: style)
    writeHead(agenda, sheets: [StyleSheet.text], to: &sink)
    writeHeader(agenda, months, to: &sink)
    sink.write("<main>\n" as StaticString)
    months.write(to: &sink)
    sink.write("<div id=\"~list\">\n" as StaticString)
    var list = EntryList(
      agenda, wording: wording, style: style, details: details, pictures: pictures)
    list.write(to: &sink)
    sink.write("</div>\n</main>\n</body>\n</html>\n" as StaticString)
  }

  /// Renders only the months. A printer puts each of them on one sheet.
  package func renderMonths(_ agenda: Agenda, to sink: inout ByteSink) {
    writeHead(agenda, sheets: [StyleSheet.text, StyleSheet.months], to: &sink)
    sink.write("<main>\n" as StaticString)
    MonthTables(agenda, wording: wording, style: style, areAlone: true).write(to: &sink)
    sink.write("</main>\n</body>\n</html>\n" as StaticString)
  }

  // MARK: Before the months

  private func writeHead(
    _ agenda: Agenda, sheets: [StaticString], to sink: inout ByteSink
  ) {
    sink.write("<!DOCTYPE html>\n<html lang=\"" as StaticString)
    sink.write(html: wording.locale.languageTag)
    sink.write(
      wording.locale.isRightToLeft ? "\" dir=\"rtl\">\n" as StaticString : "\" dir=\"ltr\">\n")
    sink.write(
      """
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <title>
      """ as StaticString)
    sink.write(html: "\(wording.words.entries.agenda): \(dates(of: agenda.window))")
    sink.write("</title>\n<style>\n" as StaticString)
    for sheet in sheets { sink.write(sheet) }
    sink.write("</style>\n</head>\n<body>\n" as StaticString)
  }

  /// The title, the calendars with their colours, and links to the months and the list.
  private func writeHeader(
    _ agenda: Agenda, _ months: borrowing MonthTables, to sink: inout ByteSink
  ) {
    sink.write("<header>\n<h1>" as StaticString)
    sink.write(html: dates(of: agenda.window))
    sink.write("</h1>\n" as StaticString)
    let calendars = Self.calendars(of: agenda)
    if calendars.count > 1 {
      var colors = CalendarColors(style.calendarColors)
      sink.write("<ul class=\"bar\" aria-label=\"" as StaticString)
      sink.write(html: wording.words.labels.calendar)
      sink.write("\">" as StaticString)
      for calendar in calendars {
        sink.write("<li class=\"key\" style=\"--own:" as StaticString)
        sink.write(colors.color(ofCalendar: calendar).hexadecimal)
        sink.write("\"><bdi>" as StaticString)
        sink.write(html: calendar)
        sink.write("</bdi></li>" as StaticString)
      }
      sink.write("</ul>\n" as StaticString)
    }
    sink.write("<nav aria-label=\"" as StaticString)
    sink.write(html: wording.words.entries.agenda)
    sink.write("\"><ul class=\"bar\">" as StaticString)
    for month in months.months {
      sink.write("<li><a href=\"#" as StaticString)
      sink.write(MonthTables.identifier(of: month))
      sink.write("\">" as StaticString)
      sink.write(html: wording.monthAndYear(month))
      sink.write("</a></li>" as StaticString)
    }
    sink.write("<li><a href=\"#~list\">" as StaticString)
    sink.write(html: wording.count(wording.words.entries.count, agenda.entryCount))
    sink.write("</a></li></ul></nav>\n</header>\n" as StaticString)
  }

  private func dates(of window: DateWindow) -> String {
    let last = window.dayAfterLast.adding(days: -1) ?? .last
    if last <= window.firstDay { return wording.fullDate(window.firstDay) }
    return "\(wording.shortDate(window.firstDay)) – \(wording.shortDate(last))"
  }

  /// The names of the calendars, sorted.
  private static func calendars(of agenda: Agenda) -> [String] {
    var names: Set<String> = []
    var last: String?
    for occurrence in agenda.occurrences where occurrence.event.calendar != last {
      last = occurrence.event.calendar
      names.insert(occurrence.event.calendar)
    }
    return names.filter { !SafeText.line($0).isEmpty }.sorted()
  }
}

/// The `id` attributes of a page. The page's own ids begin with a tilde.
enum PageIdentifier {
  /// The id of a section. HTML forbids empty ids and white space in ids: `My%20work`, and `~` for
  /// an empty id.
  static func of(_ section: AgendaSection) -> String { of(section.id.description) }

  static func of(_ id: String) -> String {
    let isPlain = id.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "~")
    }
    if isPlain, !id.isEmpty { return id }
    var encoded = ""
    for scalar in SafeText.line(id).unicodeScalars {
      switch scalar {
      case " ": encoded += "%20"
      case "%": encoded += "%25"
      case "~": encoded += "%7E"
      default: encoded.unicodeScalars.append(scalar)
      }
    }
    return encoded.isEmpty ? "~" : encoded
  }
}
