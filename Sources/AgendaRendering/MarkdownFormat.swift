public import AgendaCore
package import CivilTime

/// An agenda as CommonMark: a heading for each section, a list item for each entry.
///
///     ## Saturday, 21 November 2026
///
///     - **09:30–09:45** Stand-up · Room 2 · *work*
///     - [ ] **all day** Water the plants · *home*
///
/// Whatever the data says is text: nothing of it becomes a heading, a link or HTML.
public struct MarkdownFormat {
  private let wording: DateWording
  private let hasContents: Bool
  private let details: ((EventReference) -> EventDetails)?
  private let thumbnails: (EventReference) -> [String]
  private let secondZone: Zone?

  /// - Parameters:
  ///   - wording: the words for dates and times.
  ///   - contents: whether a table of contents made of the index titles comes first.
  ///   - details: the source of links; without it, no links are written.
  ///   - thumbnails: the paths of an event's pictures, to be shown.
  ///   - secondZone: a zone whose times follow those of the window, in brackets.
  package init(
    _ wording: DateWording, contents: Bool = false,
    details: ((EventReference) -> EventDetails)? = nil,
    thumbnails: @escaping (EventReference) -> [String] = { _ in [] }, secondZone: Zone? = nil
  ) {
    self.wording = wording
    hasContents = contents
    self.details = details
    self.thumbnails = thumbnails
    self.secondZone = secondZone
  }

  private var words: Words.Entries { wording.words.entries }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let entryWording = EntryWording(wording, for: agenda)
    let secondZone = secondZone.map { SecondZone($0, wording, window: agenda.window) }
    guard !agenda.isEmpty else {
      sink.write(MarkdownText.inline(entryWording.nothing))
      return sink.write(UInt8(ascii: "\n"))
    }
    if hasContents { writeContents(of: agenda, to: &sink) }
    var rendered = RenderedEvents<TitleEnd>()
    for section in agenda.sections {
      if sink.hasFailed { return }
      if section.index > 0 { sink.write(UInt8(ascii: "\n")) }
      if case .all = section.value {
        // A single list needs no heading.
      } else {
        sink.write("## " as StaticString)
        sink.write(MarkdownText.inline(section.title))
        sink.write("\n\n" as StaticString)
      }
      for entry in section.entries {
        write(
          entry, of: agenda, wording: entryWording, secondZone: secondZone, &rendered, to: &sink)
      }
    }
    if let note = secondZone?.note {
      sink.write(UInt8(ascii: "\n"))
      sink.write(MarkdownText.inline(note))
      sink.write(UInt8(ascii: "\n"))
    }
  }

  // MARK: Entries

  private func write(
    _ entry: Entry, of agenda: Agenda, wording: EntryWording, secondZone: SecondZone?,
    _ rendered: inout RenderedEvents<TitleEnd>, to sink: inout ByteSink
  ) {
    let event = entry.event
    let groupedBy = agenda.options.groupedBy
    rendered.use(event, isRepeated: entry.occurrence.isRepeated(days: entry.days)) {
      write(event, groupedBy: groupedBy, to: &$0)
    } _: { bytes, title in
      sink.write("- " as StaticString)
      if event.kind == .task {
        sink.write(event.status == .completed ? "[x] " as StaticString : "[ ] ")
      }
      let times = wording.times(of: entry)
      let when = when(entry, times, groupedBy: groupedBy)
      if !when.isEmpty {
        sink.write("**" as StaticString)
        sink.write(MarkdownText.inline(when))
        sink.write("** " as StaticString)
      }
      if let secondZone, let times = secondZone.times(of: entry, shownAs: times) {
        sink.write(MarkdownText.inline("(\(secondZone.text(of: times)) \(secondZone.name))"))
        sink.write(UInt8(ascii: " "))
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[..<title.place]))
      let notes = wording.notes(of: entry)
      if !notes.isEmpty {
        sink.write(" (" as StaticString)
        sink.write(MarkdownText.inline(notes.joined(separator: self.wording.words.lists.comma)))
        sink.write(UInt8(ascii: ")"))
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[title.place...]))
      sink.write(UInt8(ascii: "\n"))
    }
  }

  /// `09:30–10:15`, with the date if the heading lacks it. Empty for a task without a date.
  private func when(_ entry: Entry, _ times: EntryWording.Times, groupedBy: SectionKey) -> String {
    let text = wording.text(of: times)
    if groupedBy == .day || entry.occurrence.isUndated { return text }
    let date =
      groupedBy.isTime
      ? wording.shortDateWithoutYear(entry.date) : wording.shortDate(entry.date)
    return times == .unstated ? date : wording.dateAndTime(date, text)
  }

  /// The position of the notes of an entry: after its title, and before the rest.
  private struct TitleEnd {
    let place: Int
  }

  /// Writes the part that is the same for all entries of an event.
  private func write(
    _ event: Event, groupedBy: SectionKey, to sink: inout ByteSink
  ) -> TitleEnd {
    let title = MarkdownText.inline(event.title)
    sink.write(title.isEmpty ? MarkdownText.inline("(\(words.noTitle))") : title)
    let end = TitleEnd(place: sink.count)
    if groupedBy != .location, let location = event.location {
      writeAside(MarkdownText.inline(location), to: &sink)
    }
    if groupedBy != .calendar {
      let calendar = MarkdownText.inline(event.calendar)
      writeAside(calendar.isEmpty ? "" : "*\(calendar)*", to: &sink)
    }
    writeDetails(of: event, to: &sink)
    return end
  }

  /// The links and pictures of an event.
  private func writeDetails(of event: Event, to sink: inout ByteSink) {
    if let details = details.map(event.details) {
      writeLink(words.link, to: details.url, in: &sink)
      if details.conference != details.url {
        writeLink(words.join, to: details.conference, in: &sink)
      }
    }
    for path in thumbnails(event.reference) {
      sink.write("\n  ![](" as StaticString)
      sink.write(LinkDestination.encoded(path))
      sink.write(UInt8(ascii: ")"))
    }
  }

  private func writeAside(_ text: String, to sink: inout ByteSink) {
    guard !text.isEmpty else { return }
    sink.write(" · " as StaticString)
    sink.write(text)
  }

  private func writeLink(_ name: String, to url: String?, in sink: inout ByteSink) {
    guard let url, let destination = LinkDestination.of(url) else { return }
    sink.write(" · [" as StaticString)
    sink.write(MarkdownText.inline(name))
    sink.write("](" as StaticString)
    sink.write(destination)
    sink.write(UInt8(ascii: ")"))
  }

  // MARK: Contents

  /// Links from the index titles to the headings. The days of a month are on one line.
  private func writeContents(of agenda: Agenda, to sink: inout ByteSink) {
    var anchors = HeadingAnchors()
    var month: String?
    for section in agenda.sections {
      let anchor = anchors.next(for: SafeText.line(section.title))
      let name: String
      if case .day(let date) = section.value {
        let heading = wording.monthAndYear(date)
        if heading != month {
          if month != nil { sink.write(UInt8(ascii: "\n")) }
          sink.write("- " as StaticString)
          sink.write(MarkdownText.inline(heading))
          sink.write(UInt8(ascii: ":"))
          month = heading
        }
        name = section.indexTitle
        sink.write(UInt8(ascii: " "))
      } else if case .all = section.value {
        return
      } else {
        name = section.title
        // What has no date follows the days.
        if month != nil { sink.write(UInt8(ascii: "\n")) }
        month = nil
        sink.write("- " as StaticString)
      }
      sink.write(UInt8(ascii: "["))
      sink.write(MarkdownText.inline(name))
      sink.write("](#" as StaticString)
      sink.write(LinkDestination.encoded(anchor))
      sink.write(UInt8(ascii: ")"))
      if month == nil { sink.write(UInt8(ascii: "\n")) }
    }
    if month != nil { sink.write(UInt8(ascii: "\n")) }
    sink.write(UInt8(ascii: "\n"))
  }
}

/// The anchors of headings, in their order. A repeated title gets a number.
private struct HeadingAnchors {
  private var counts: [String: Int] = [:]

  mutating func next(for title: String) -> String {
    let anchor = MarkdownText.anchor(ofHeading: title)
    let count = counts[anchor, default: 0]
    counts[anchor] = count + 1
    return count == 0 ? anchor : "\(anchor)-\(count)"
  }
}
