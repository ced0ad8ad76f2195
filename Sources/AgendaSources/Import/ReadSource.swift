internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import Platform

/// A source as an import has read it. Files that have not changed since the last import are not opened.
struct ReadSource {
  /// A file of a folder, or the only one of another source.
  struct Document {
    /// The name of the file within a folder; otherwise empty.
    let name: String
    let fingerprint: FileFingerprint?
    /// The digest of all bytes of a source that is no folder.
    var digest: Int?
    let content: Content
  }

  enum Content {
    /// The store has what the file has.
    case unchanged(StoredDocument)
    case file(CalendarFile)
    /// A file of a folder that cannot be read. What the store has of it is kept.
    case unreadable(ReaderError)
  }

  /// The name that the source gives its calendar.
  let name: String
  let color: String?
  let documents: [Document]
  /// Whether it has only messages about events of other sources.
  let isMail: Bool
  /// The calendar of a mail: none, unless it adds occurrences, which are shown also without their
  /// series.
  var mailCalendar = ""

  /// Whether it was read, and has only messages, whether the user named a calendar or not.
  var hasMailOnly: Bool {
    guard case .file(let file)? = documents.first?.content else { return false }
    return documents.count == 1 && file.isMail
  }

  /// Whether nothing of it had to be read.
  var isUnchanged: Bool {
    documents.allSatisfy {
      if case .unchanged = $0.content { true } else { false }
    }
  }

  /// The lines of its VCALENDARs, if it is no folder.
  var calendarProperties: [UInt8] {
    guard case .file(let file)? = documents.first?.content else { return [] }
    return Array(file.calendarProperties.joined())
  }

  /// The content of an address that its server has confirmed.
  init(confirmed known: StoredSource, _ document: StoredDocument) {
    self.init(
      name: known.source.calendar, color: nil,
      documents: [
        Document(
          name: "", fingerprint: nil, digest: document.digest, content: .unchanged(document))
      ], isMail: document.isMail)
  }

  init(
    name: String, color: String?, documents: [Document], isMail: Bool, mailCalendar: String = ""
  ) {
    self.name = name
    self.color = color
    self.documents = documents
    self.isMail = isMail
    self.mailCalendar = mailCalendar
  }

  /// Identifies how bytes are read, except for the bytes themselves: by the version of agenda, the zone
  /// rules and the encoding. Bytes that were read without a zone are read again.
  static func interpretation(encoding: String?, zones: ZoneDatabase, lacksZone: Bool) -> Int {
    var digest = StableDigest()
    digest.add(agendaVersion)
    digest.add(zones.version ?? "")
    if lacksZone { digest.add(1) }
    digest.add(encoding ?? "")
    return Int(truncatingIfNeeded: digest.value)
  }
}

/// Reads sources for an import into a store.
struct ImportReading {
  let store: Store
  let options: ImportOptions

  /// Whether a document can be kept without reading it. A strict import must refuse a source with
  /// rejected components.
  private func isReadInTheSameWay(_ document: StoredDocument, _ settings: SourceSettings) -> Bool {
    let rejected = document.counts.rejected + document.counts.rejectedJournals
    let current = ReadSource.interpretation(
      encoding: settings.encoding, zones: options.zones, lacksZone: false)
    return document.interpretation == current
      && (!options.isStrict || rejected == 0)
  }

  /// A file, an address or standard input. `content` is the answer of an address.
  func read(
    _ origin: SourceOrigin, _ settings: SourceSettings, known: StoredSource?, content: [UInt8]?
  ) throws -> ReadSource {
    if origin.kind == .folder, let path = origin.path {
      return try readFolder(path, settings, known: known)
    }
    var document: StoredDocument?
    if let known {
      document = try store.document(source: known.id, name: "").flatMap {
        isReadInTheSameWay($0, settings) ? $0 : nil
      }
    }
    func unchanged(_ document: StoredDocument, digest: Int?) -> ReadSource {
      ReadSource(
        name: known?.source.calendar ?? "", color: nil,
        documents: [
          ReadSource.Document(
            name: "", fingerprint: trusted(origin.fingerprint), digest: digest,
            content: .unchanged(document))
        ], isMail: document.isMail)
    }
    if let document, let fingerprint = origin.fingerprint, document.fingerprint == fingerprint {
      return unchanged(document, digest: document.digest)
    }
    let bytes: SourceBytes
    if let content {
      bytes = SourceBytes(content)
    } else {
      bytes = try origin.source.bytes(
        copy: SourceBytes.Copy(
          folder: options.temporaryFolder, mostInMemory: options.mostInMemory))
    }
    let digest = self.digest(of: bytes)
    if let document, document.digest == digest { return unchanged(document, digest: digest) }
    let file = try reader(settings).read(bytes, name: origin.source.calendarName)
    return ReadSource(
      name: file.name, color: file.color,
      documents: [
        ReadSource.Document(
          name: "", fingerprint: trusted(origin.fingerprint), digest: digest, content: .file(file))
      ], isMail: settings.calendar == nil && file.isMail,
      mailCalendar: file.hasOnlyMessages ? "" : file.name)
  }

  /// The document of an address, if its server may confirm that the content is the same.
  func confirmable(
    _ known: StoredSource, _ settings: SourceSettings
  ) throws(StoreError) -> StoredDocument? {
    guard let document = try store.document(source: known.id, name: ""), document.digest != nil,
      isReadInTheSameWay(document, settings)
    else { return nil }
    return document
  }

  private func readFolder(
    _ path: String, _ settings: SourceSettings, known: StoredSource?
  ) throws -> ReadSource {
    var documents: [String: StoredDocument] = [:]
    if let known {
      for document in try store.documents(ofSource: known.id)
      where document.fingerprint != nil && isReadInTheSameWay(document, settings) {
        documents[document.name] = document
      }
    }
    // A folder that the store knows may have lost its last event. The import of an empty source is
    // refused if the store has events of it.
    let folder = try reader(settings).readFolder(at: path, acceptsEmpty: known != nil) {
      documents[$0]?.fingerprint == $1
    }
    var read: [ReadSource.Document] = []
    var unchanged = folder.unchanged[...]
    func addUnchanged(before place: Int) {
      while let next = unchanged.first, next.place <= place {
        unchanged.removeFirst()
        guard let document = documents[next.name] else { continue }
        read.append(
          ReadSource.Document(
            name: next.name, fingerprint: document.fingerprint, digest: document.digest,
            content: .unchanged(document)))
      }
    }
    for (place, entry) in folder.entries.enumerated() {
      addUnchanged(before: place)
      let content: ReadSource.Content =
        switch entry.result {
        case .success(let file): .file(file)
        case .failure(let error): .unreadable(error)
        }
      read.append(
        ReadSource.Document(
          name: entry.name, fingerprint: trusted(entry.fingerprint), digest: nil, content: content))
    }
    addUnchanged(before: folder.entries.count)
    return ReadSource(name: folder.name, color: folder.color, documents: read, isMail: false)
  }

  private func reader(_ settings: SourceSettings) -> CalendarReader {
    var readerOptions = CalendarReader.Options()
    readerOptions.calendar = settings.calendar
    readerOptions.encoding = settings.encoding.map(TextEncoding.init(stored:))
    return CalendarReader(zones: options.zones, options: readerOptions)
  }

  private func trusted(_ fingerprint: FileFingerprint?) -> FileFingerprint? {
    let (now, overflow) = options.now.secondsSinceEpoch
      .multipliedReportingOverflow(by: 1_000_000_000)
    return fingerprint.flatMap { !overflow && $0.isTrusted(at: now) ? $0 : nil }
  }

  /// A digest of the bytes of a whole document, which recognises unchanged bytes.
  private func digest(of bytes: SourceBytes) -> Int {
    var digest = ContentDigest(key: store.key.number)
    let partLength = 32 << 20
    let all = UnsafeRawBufferPointer(bytes.bytes)
    for start in stride(from: 0, to: max(all.count, 1), by: partLength) {
      let part = start..<min(start + partLength, all.count)
      digest.add(UnsafeRawBufferPointer(rebasing: all[part]))
      bytes.release(part)
    }
    return digest.value
  }
}
