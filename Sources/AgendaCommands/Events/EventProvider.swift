internal import AgendaCore
internal import AgendaPictures
internal import AgendaReader
internal import CivilTime

/// Where a command's events come from: the sources it names, or the store.
protocol EventProvider {
  /// Whether there is anything that could be asked: a source that was read.
  var isReadable: Bool { get }
  /// The series that can touch the window, or all, of the kinds and calendars that the selection admits.
  func series(touching window: DateWindow?, selection: Selection) throws -> [Series]
  /// The same with no more of each series than it takes to list the window.
  func listedSeries(in window: DateWindow, selection: Selection) throws -> [Series]
  /// The series that can have all of the words in some event of theirs, in any time.
  func series(withWords words: [String], selection: Selection) throws -> [Series]
  /// The series of which an alarm can go off in that time.
  func series(ringing span: Range<Instant>, selection: Selection) throws -> [Series]
  /// The alarms of an event.
  func alarms(of reference: EventReference) -> [Alarm]
  /// What happens in the window, in no particular order, to list it.
  func listedOccurrences(
    in window: DateWindow, selection: Selection, messages: Messages
  ) throws -> [Occurrence]
  /// What is known of an event beside its place in the agenda.
  func details(of reference: EventReference) -> EventDetails
  /// The component's lines as its source wrote them.
  func lines(of reference: EventReference) -> ComponentLines?
  /// The bytes of an inline attachment; `nil` for one that is only referred to.
  func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]?
  /// The calendars that there are.
  func calendarNames() throws -> [String]
  /// The thumbnail of an inline attachment that can be a picture; made now where there is none kept.
  func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail?
  /// The colours that calendars ask for, by their names.
  var calendarColors: [String: String] { get }
  /// What was found wrong with the sources when they were read into the store; what is found while
  /// a command reads them is in its messages.
  var findings: [SourceFinding] { get }
  /// The source that an event came from, as messages name it.
  func sourceName(of reference: EventReference) -> String?
}

extension EventProvider {
  func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    madeThumbnail(of: reference, attachment, maker: maker)
  }

  func madeThumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    guard let count = attachment.byteCount, count <= PictureLimit.bytes,
      let bytes = attachmentBytes(of: reference, number: attachment.number),
      case .made(let thumbnail) = maker.thumbnail(of: bytes)
    else { return nil }
    return thumbnail
  }

  func series(ringing span: Range<Instant>, selection: Selection) throws -> [Series] {
    try series(touching: nil, selection: selection)
  }

  func alarms(of reference: EventReference) -> [Alarm] { details(of: reference).alarms }

  func listedSeries(in window: DateWindow, selection: Selection) throws -> [Series] {
    try series(touching: window, selection: selection)
  }

  func listedOccurrences(
    in window: DateWindow, selection: Selection, messages: Messages
  ) throws -> [Occurrence] {
    try occurrences(in: window, selection: selection, messages: messages)
  }

  /// What happens in the window, in no particular order.
  func occurrences(
    in window: DateWindow, selection: Selection, messages: Messages
  ) throws -> [Occurrence] {
    selection.occurrences(
      of: try listedSeries(in: window, selection: selection), in: window, details: details
    ) { series, finding in
      messages.report([finding], of: sourceName(of: series.master.reference) ?? "store")
    }
  }
}
