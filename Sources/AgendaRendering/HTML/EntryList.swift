internal import AgendaCore
internal import CivilTime

/// The sections of a page: a heading for each, and its entries as a list.
struct EntryList {
  private let agenda: Agenda
  private let wording: DateWording
  private let style: PageStyle
  private let context: EventContext
  private let pictures: ((EventReference) -> [Thumbnail])?
  private let entryWording: EntryWording
  private let secondZone: SecondZone?
  private let groupedBy: SectionKey
  private let zone: Zone
  private var colors: CalendarColors
  private var rendered = RenderedEvents<TitleEnd>()
  /// The events whose pictures were looked up, and the pictures on the page. Each picture is
  /// embedded once.
  private var askedEvents: Set<EventReference> = []
  private var shownPictures: Set<String> = []
  /// The texts of times, by the seconds of start and end within the day. Each is made when it is
  /// first needed.
  private var ranges: [Int: TimeRange] = [:]

  /// The values for writing events. It is a class because every entry passes it on, and a copy of
  /// the wording would retain each of its lists.
  private final class EventContext {
    let groupedBy: SectionKey
    let wording: DateWording
    let comma: String
    let details: (EventReference) -> EventDetails

    init(
      _ groupedBy: SectionKey, _ wording: DateWording,
      _ details: @escaping (EventReference) -> EventDetails
    ) {
      self.groupedBy = groupedBy
      self.wording = wording
      comma = wording.words.lists.comma
      self.details = details
    }
  }

  /// Two times, escaped: `9:30` and `10:15 AM`.
  private struct TimeRange {
    let first: [UInt8]
    let second: [UInt8]
  }

  /// The position of the notes of an entry: after the title of its event, and before the rest.
  private struct TitleEnd {
    let place: Int
  }

  init(
    _ agenda: Agenda, wording: DateWording, style: PageStyle,
    details: @escaping (EventReference) -> EventDetails,
    pictures: ((EventReference) -> [Thumbnail])?
  ) {
    self.agenda = agenda
    self.wording = wording
    self.style = style
    context = EventContext(agenda.options.groupedBy, wording, details)
    self.pictures = pictures
    entryWording = EntryWording(wording, for: agenda)
    secondZone = style.secondZone.map { SecondZone($0, wording, window: agenda.window) }
    groupedBy = agenda.options.groupedBy
    zone = agenda.window.zone
    colors = CalendarColors(style.calendarColors)
  }

  mutating func write(to sink: inout ByteSink) {
    if agenda.isEmpty {
      sink.write("<p>" as StaticString)
      sink.write(html: entryWording.nothing)
      sink.write("</p>\n" as StaticString)
    }
    for section in agenda.sections {
      if sink.hasFailed { return }
      sink.write("<section id=\"" as StaticString)
      sink.write(html: PageIdentifier.of(section))
      sink.write("\">\n<h2>" as StaticString)
      writeTitle(of: section, to: &sink)
      sink.write("</h2>\n<ul>\n" as StaticString)
      for entry in section.entries { write(entry, to: &sink) }
      sink.write("</ul>\n</section>\n" as StaticString)
    }
    if let note = secondZone?.note, !agenda.isEmpty {
      sink.write("<p>" as StaticString)
      sink.write(html: note)
      sink.write("</p>\n" as StaticString)
    }
  }

  private func writeTitle(of section: AgendaSection, to sink: inout ByteSink) {
    guard case .day(let date) = section.value else { return sink.write(html: section.title) }
    sink.write("<time datetime=\"" as StaticString)
    sink.write(date)
    sink.write("\">" as StaticString)
    sink.write(html: section.title)
    sink.write("</time>" as StaticString)
    if let today = style.today, let mark = wording.relativeDay(date, today: today) {
      sink.write(" <span class=\"tag\">" as StaticString)
      sink.write(html: mark)
      sink.write("</span>" as StaticString)
    }
  }

  // MARK: Entries

  private mutating func write(_ entry: Entry, to sink: inout ByteSink) {
    let event = entry.event
    sink.write("<li><p class=\"at\">" as StaticString)
    if groupedBy != .day, !entry.occurrence.isUndated {
      sink.write(
        html: groupedBy.isTime
          ? wording.shortDateWithoutYear(entry.date) : wording.shortDate(entry.date))
      sink.write(" " as StaticString)
    }
    let times = entryWording.times(of: entry)
    write(times, of: entry, to: &sink)
    if let secondZone, let times = secondZone.times(of: entry, shownAs: times) {
      sink.write("<br><small>" as StaticString)
      sink.write(html: "\(secondZone.text(of: times)) \(secondZone.name)")
      sink.write("</small>" as StaticString)
    }
    sink.write("</p>" as StaticString)
    let color = colors.color(of: event).hexadecimal
    let notes = entryWording.notes(of: entry)
    let context = context
    rendered.use(event, isRepeated: entry.occurrence.isRepeated(days: entry.days)) {
      Self.write(event, color: color, context, to: &$0)
    } _: { bytes, title in
      sink.write(UnsafeBufferPointer(rebasing: bytes[..<title.place]))
      if !notes.isEmpty {
        sink.write(" <small>(" as StaticString)
        sink.write(html: notes.joined(separator: context.comma))
        sink.write(")</small>" as StaticString)
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[title.place...]))
    }
    writePictures(of: event, to: &sink)
    sink.write("</div></li>\n" as StaticString)
  }

  /// `<time datetime="2026-11-21T09:30:00+01:00">09:30</time>–<time …>09:45</time>`. The first one
  /// is always the start, as in the JSON.
  private mutating func write(
    _ times: EntryWording.Times, of entry: Entry, to sink: inout ByteSink
  ) {
    guard let start = EntryTime(startOf: entry.occurrence) else { return }
    sink.write("<time datetime=\"" as StaticString)
    sink.write(start, in: zone)
    sink.write("\">" as StaticString)
    switch times {
    case .allDay: sink.write(html: wording.words.entries.allDay)
    case .unstated:
      sink.write(html: wording.shortDateWithoutYear(entry.occurrence.start.civil.date))
    case .at(let time): sink.write(html: wording.time(time))
    case .span(let from, let to):
      let range = range(from, to)
      sink.write(contentsOf: range.first)
      writeEnd(range.second, of: entry, to: &sink)
    case .from(let time):
      sink.write(html: wording.time(time))
      sink.write("</time>" as StaticString)
      sink.write(wording.dash)
      sink.write("…" as StaticString)
      return
    case .until(let time):
      sink.write("…" as StaticString)
      writeEnd(ByteSink.bytes { $0.write(html: wording.time(time)) }, of: entry, to: &sink)
    }
    sink.write("</time>" as StaticString)
  }

  private func writeEnd(_ time: [UInt8], of entry: Entry, to sink: inout ByteSink) {
    sink.write("</time>" as StaticString)
    sink.write(wording.dash)
    sink.write("<time datetime=\"" as StaticString)
    if let end = EntryTime(endOf: entry.occurrence) { sink.write(end, in: zone) }
    sink.write("\">" as StaticString)
    sink.write(contentsOf: time)
  }

  private mutating func range(_ from: TimeOfDay, _ to: TimeOfDay) -> TimeRange {
    let key = Int(from.secondOfDay) * TimeOfDay.secondsPerCivilDay + Int(to.secondOfDay)
    if let made = ranges[key] { return made }
    let parts = wording.timeRangeParts(from, to)
    let made = TimeRange(
      first: ByteSink.bytes { $0.write(html: parts.first) },
      second: ByteSink.bytes { $0.write(html: parts.second) })
    ranges[key] = made
    return made
  }

  /// Writes the part that is the same for all entries of an event.
  private static func write(
    _ event: Event, color: String, _ context: EventContext, to sink: inout ByteSink
  ) -> TitleEnd {
    let words = context.wording.words
    sink.write("<div class=\"is\" style=\"border-color:" as StaticString)
    sink.write(color)
    sink.write("\"><p>" as StaticString)
    if event.kind == .task {
      sink.write(event.status == .completed ? "☑ " as StaticString : "☐ ")
    }
    let title = SafeText.line(event.title)
    let isOff = event.status == .cancelled
    sink.write(isOff ? "<s><bdi>" as StaticString : "<bdi>")
    sink.write(html: title.isEmpty ? context.wording.noTitle : title)
    sink.write(isOff ? "</bdi></s>" as StaticString : "</bdi>")
    let end = sink.count
    sink.write("</p>" as StaticString)
    let details = event.details(context.details)
    var isFirst = true
    if context.groupedBy != .location, let location = event.location {
      writeAside(location, isFirst: &isFirst, to: &sink)
    }
    if context.groupedBy != .calendar { writeAside(event.calendar, isFirst: &isFirst, to: &sink) }
    writeLink(words.entries.link, to: details.url, isFirst: &isFirst, in: &sink)
    if details.conference != details.url {
      writeLink(words.entries.join, to: details.conference, isFirst: &isFirst, in: &sink)
    }
    if !isFirst { sink.write("</p>" as StaticString) }
    if let description = details.description, !SafeText.line(description).isEmpty {
      sink.write("<details><summary>" as StaticString)
      sink.write(html: words.labels.description)
      sink.write("</summary><p dir=\"auto\">" as StaticString)
      sink.write(htmlLines: description)
      sink.write("</p></details>" as StaticString)
    }
    return TitleEnd(place: end)
  }

  private static func beginAside(_ isFirst: inout Bool, to sink: inout ByteSink) {
    sink.write(isFirst ? "<p class=\"in\">" as StaticString : " · ")
    isFirst = false
  }

  private static func writeAside(
    _ text: String, isFirst: inout Bool, to sink: inout ByteSink
  ) {
    let line = SafeText.line(text)
    guard !line.isEmpty else { return }
    beginAside(&isFirst, to: &sink)
    sink.write("<bdi>" as StaticString)
    sink.write(html: line)
    sink.write("</bdi>" as StaticString)
  }

  private static func writeLink(
    _ name: String, to address: String?, isFirst: inout Bool, in sink: inout ByteSink
  ) {
    guard let destination = address.flatMap(LinkDestination.of) else { return }
    beginAside(&isFirst, to: &sink)
    sink.write("<a rel=\"noreferrer\" href=\"" as StaticString)
    // Quotes and angle brackets are percent-encoded, ampersands are escaped.
    sink.write(destination)
    sink.write("\">" as StaticString)
    sink.write(html: name)
    sink.write("</a>" as StaticString)
  }

  private mutating func writePictures(of event: Event, to sink: inout ByteSink) {
    guard let pictures, askedEvents.insert(event.reference).inserted else { return }
    for picture in pictures(event.reference) where shownPictures.insert(picture.picture).inserted {
      sink.write("<img alt=\"\" src=\"data:" as StaticString)
      sink.write(picture.format == .png ? "image/png" as StaticString : "image/jpeg")
      sink.write(";base64," as StaticString)
      sink.write(base64: picture.bytes)
      sink.write("\">" as StaticString)
    }
  }
}
