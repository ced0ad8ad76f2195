internal import AgendaCore
internal import AgendaPictures
internal import AgendaReader
internal import AgendaStore
internal import CivilTime

/// The events of the store.
final class StoreEvents: EventProvider {
  /// `nil` for a store into which nothing was imported yet.
  private let store: Store?
  private let viewer: Zone
  private let zones: ZoneDatabase
  private let messages: Messages
  /// A store that fails while details are read fails once.
  private var hasFailed = false

  init(_ store: Store?, viewer: Viewer, messages: Messages) {
    self.store = store
    self.viewer = viewer.zone
    zones = viewer.database
    self.messages = messages
  }

  var isReadable: Bool { store != nil }

  func series(touching window: DateWindow?, selection: Selection) throws -> [Series] {
    let span =
      window.map { $0.start..<$0.end } ?? viewer.startOfDay(.first)..<viewer.startOfDay(.afterLast)
    return try store?.series(touching: span, viewer: viewer, of: selection) ?? []
  }

  func listedSeries(in window: DateWindow, selection: Selection) throws -> [Series] {
    try store?.listedSeries(
      touching: window.start..<window.end, viewer: viewer, of: selection) ?? []
  }

  /// Of a single day: with what the store keeps of it.
  func listedOccurrences(
    in window: DateWindow, selection: Selection, messages: Messages
  ) throws -> [Occurrence] {
    guard let store, window.firstDay.adding(days: 1) == window.dayAfterLast else {
      return try occurrences(in: window, selection: selection, messages: messages)
    }
    var interpretation = ContentDigest(key: 0)
    interpretation.add(agendaVersion)
    interpretation.add(zones.folder)
    interpretation.add(zones.version ?? "")
    let day = try store.day(window, interpretation: interpretation.value)
    for (master, finding) in day.findings {
      messages.report([finding], of: sourceName(of: master) ?? store.path)
    }
    var admitted = SeriesSelection(selection, details: details)
    return day.occurrences.filter { admitted.admits($0) }
  }

  func series(withWords words: [String], selection: Selection) throws -> [Series] {
    try store?.series(withWords: words, of: selection) ?? []
  }

  func series(ringing span: Range<Instant>, selection: Selection) throws -> [Series] {
    try store?.series(ringing: span, viewer: viewer, of: selection) ?? []
  }

  func alarms(of reference: EventReference) -> [Alarm] {
    asking { try store?.alarms(of: reference) } ?? []
  }

  func details(of reference: EventReference) -> EventDetails {
    asking { try store?.details(of: reference) } ?? EventDetails()
  }

  func calendarNames() throws -> [String] {
    try store?.calendarNames().sorted { $0.key < $1.key }.map(\.value) ?? []
  }

  func lines(of reference: EventReference) -> ComponentLines? {
    asking { try store?.text(of: reference) }.map { text in
      text.withUnsafeBufferPointer(ComponentLines.init)
    }
  }

  func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    asking { try store?.attachmentBytes(of: reference, number: number) }
  }

  func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    switch asking({ try store?.thumbnail(of: reference, number: attachment.number) }) {
    case .made(let thumbnail)?: thumbnail
    case .awaited?: madeThumbnail(of: reference, attachment, maker: maker)
    case StoredThumbnail.none?, nil: nil
    }
  }

  var calendarColors: [String: String] { asking { try store?.calendarColors() } ?? [:] }

  var findings: [SourceFinding] {
    (asking { try store?.findings() } ?? []).map {
      SourceFinding(source: name(of: $0.origin), finding: $0.finding)
    }
  }

  func sourceName(of reference: EventReference) -> String? {
    asking { try store?.origin(of: reference) }.map(name)
  }

  /// As messages name it: `/home/ana/work.ics:12`.
  private func name(of origin: ComponentOrigin) -> String {
    let source =
      switch origin.kind {
      case .local: store?.path ?? origin.location
      case .standardInput: SourceAddress.standardInput.displayName
      case .file, .folder, .url: SourceAddress(origin.location).displayName
      }
    let file = origin.document.isEmpty ? source : "\(source)/\(origin.document)"
    return file + (origin.line.map { ":\($0)" } ?? "")
  }

  private func asking<Answer>(_ question: () throws -> Answer?) -> Answer? {
    do {
      return try question()
    } catch {
      if !hasFailed { messages.reject("\(error)") }
      hasFailed = true
      return nil
    }
  }
}
