package import AgendaCore
package import AgendaPictures
package import AgendaReader
package import CivilTime

/// The events for a command or a program, from files in memory or from a store.
package protocol EventSource: AnyObject {
  /// The problems that the store recorded when its sources were imported.
  var findings: [SourceFinding] { get }
  func calendars() throws -> [CalendarLabel]

  func series(_ query: SeriesQuery) throws -> [Series]

  /// The busy times (VFREEBUSY) in a span of time, in no particular order.
  func busyTimes(in span: Range<Instant>, of selection: Selection) throws -> [Range<Instant>]

  func details(of reference: EventReference) -> EventDetails
  func alarms(of reference: EventReference) -> [Alarm]
  /// The content lines of the component, as in its source.
  func lines(of reference: EventReference) -> ComponentLines?
  /// The X-WR-TIMEZONE of the component's VCALENDAR.
  func calendarZoneName(of reference: EventReference) -> String?
  /// The bytes of an inline attachment; `nil` for one that is only a reference.
  func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]?
  /// The thumbnail of an inline attachment that can be a picture, made now if none is stored.
  func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail?
  /// The source of an event and its line, for messages.
  func place(of reference: EventReference) -> SourcePlace?
}

/// The series that a caller asks for. A source may return more of them, because the caller filters
/// the occurrences.
package struct SeriesQuery {
  package enum Scope: Equatable {
    /// Series with all properties.
    case complete
    /// Series with only the properties that a listing of the span shows.
    case listed
    /// Series with an event, at any time, that contains all of these words.
    case words([String])
    /// The series of all events with this UID, at any time.
    case uid(String)
    /// Series of which an alarm can go off in the span.
    case alarms
    /// Everything of one kind, with or without a date.
    case all(Event.Kind)

    func admitsKind(_ kind: Event.Kind) -> Bool {
      if case .all(let only) = self { kind == only } else { true }
    }
  }

  package var scope: Scope
  /// `nil` for all of time.
  package var span: Range<Instant>?
  /// The zone of dates and floating times.
  package var viewer: Zone
  package var selection: Selection

  package init(
    _ scope: Scope, in span: Range<Instant>? = nil, viewer: Zone, of selection: Selection
  ) {
    self.scope = scope
    self.span = span
    self.viewer = viewer
    self.selection = selection
  }

  package init(_ scope: Scope, in window: DateWindow, of selection: Selection) {
    self.init(scope, in: window.start..<window.end, viewer: window.zone, of: selection)
  }
}

/// The source of an event, and its line there.
package struct SourcePlace {
  package let source: String
  package let line: Int?
  /// The file of a folder, which is the end of `source`.
  package var document = ""

  /// `work.ics:120`
  package var name: String { source + (line.map { ":\($0)" } ?? "") }

  /// The source itself: of a file in a folder, the folder.
  package var root: String {
    document.isEmpty ? source : String(source.dropLast(document.count + 1))
  }
}

/// Occurrences, and the problems that were found while they were computed.
package struct FoundOccurrences {
  package var occurrences: [Occurrence]
  /// The days of the occurrences. If there are too many for a listing, they are fewer than those that
  /// were asked for.
  package var window: DateWindow
  package var findings: [SourceFinding]
  /// That there are too many.
  package var cut: SourceFinding?

  /// All problems.
  package var problems: [SourceFinding] { findings + [cut].compactMap(\.self) }

  package init(
    _ occurrences: [Occurrence], in window: DateWindow, findings: [SourceFinding] = [],
    cut: Finding? = nil
  ) {
    self.occurrences = occurrences
    self.window = window
    self.findings = findings
    self.cut = cut.map { SourceFinding(source: "agenda", finding: $0) }
  }
}

/// The name and colour of a calendar.
package struct CalendarLabel: Hashable, Sendable {
  package let name: String
  package let color: String?

  package init(name: String, color: String?) {
    self.name = name
    self.color = color
  }
}

extension EventSource {
  package var findings: [SourceFinding] { [] }

  /// A finding about an event, with its source and the line of its property.
  package func sourceFinding(
    _ finding: Finding, of reference: EventReference, otherwise name: String
  ) -> SourceFinding {
    var finding = finding
    let place = place(of: reference)
    finding.line = place?.line
    if let first = place?.line, let property = finding.property,
      let line = lines(of: reference)?.named(property).first
    {
      finding.line = first + line.number - 1
    }
    return SourceFinding(source: place?.source ?? name, finding: finding)
  }

  package func busyTimes(
    in span: Range<Instant>, of selection: Selection
  ) throws -> [Range<Instant>] { [] }

  package func alarms(of reference: EventReference) -> [Alarm] { details(of: reference).alarms }

  /// The occurrences in a window, in no particular order.
  package func occurrences(
    of selection: Selection, in window: DateWindow
  ) throws -> FoundOccurrences {
    let series = try series(SeriesQuery(.listed, in: window, of: selection))
    let listing = selection.listing(of: series, in: window, details: details)
    return FoundOccurrences(
      listing.occurrences, in: listing.window,
      findings: listing.findings.map { index, finding in
        sourceFinding(finding, of: series[index].master.reference, otherwise: "store")
      }, cut: listing.cut)
  }

  package func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    newThumbnail(of: reference, attachment, maker: maker)
  }

  func newThumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    guard let count = attachment.byteCount, count <= PictureLimit.bytes,
      let bytes = attachmentBytes(of: reference, number: attachment.number),
      case .made(let thumbnail) = maker.thumbnail(of: bytes)
    else { return nil }
    return thumbnail
  }
}
