internal import AgendaCore
internal import AgendaPictures
internal import AgendaReader
internal import AgendaRendering
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions

/// Reads sources into the store, each in a transaction of its own, all as one run that `undo` takes
/// back together.
struct SourceImporter {
  private let invocation: Invocation
  /// Where the store of a dry run is that has none yet; it outlives the store.
  private let rehearsal: RehearsalFolder?
  private let store: Store
  private let zones: ZoneDatabase
  private let options: SourceImport.Options
  private let runNumber: Int
  /// The calendars of the store as they were before, without their counts.
  let calendars: [CalendarSummary]
  /// `--encoding`.
  private let encoding: TextEncoding?
  private let progress: ImportProgress
  private let thumbnails: AwaitedThumbnailMaking
  private var reports: [SourceReport] = []

  init(_ invocation: Invocation) throws {
    let line = invocation.line
    self.invocation = invocation
    zones = ZoneDatabase.system(TZDIR: invocation.environment.filled("TZDIR"))
    encoding = try invocation.encoding()
    var options = SourceImport.Options(now: try Viewer.now(invocation))
    options.allowsShrinking = line.has(Options.allowShrink)
    options.isStrict = line.has(Options.strict)
    options.isDryRun = line.has(Options.dryRun)
    self.options = options
    var path = try invocation.storePath()
    if options.isDryRun, try Store.open(reading: path, zones: zones) == nil {
      let folder = try RehearsalFolder(invocation.environment)
      path = folder.storePath
      rehearsal = folder
    } else {
      rehearsal = nil
    }
    store = try Store.open(writing: path, zones: zones)
    thumbnails = AwaitedThumbnailMaking(
      store: store, maker: ThumbnailMaker(invocation.environment.pictureDecoder))
    runNumber = try store.nextRun()
    calendars = try store.calendars(isCounting: false)
    progress = ImportProgress(invocation, isQuiet: line.has(Options.quiet))
  }

  /// Imports one source of the command line.
  mutating func run(_ address: SourceAddress, calendar: String?) {
    load(address.displayName, calendar: calendar, encoding: encoding?.rawValue) { () throws in
      switch address {
      case .url(let url): SourceOrigin(url)
      case .standardInput:
        SourceOrigin(standardInputFor: calendar, name: address.displayName)
      case .path(let path): try SourceOrigin(path: path)
      }
    }
  }

  /// Imports a source again as it was imported the last time. What came from standard input or by
  /// `agenda add` stays as it is.
  mutating func refresh(_ source: ImportedSource) {
    if source.kind == .local || source.kind == .standardInput { return }
    let address = SourceAddress(source.location)
    load(
      address.displayName, location: source.location,
      calendar: source.isNamed ? source.calendar : nil, heldIn: source.calendar,
      encoding: source.encoding
    ) { () throws in
      switch address {
      case .url(let url): SourceOrigin(url)
      case .path, .standardInput: try SourceOrigin(path: source.location)
      }
    }
  }

  /// Prints what came of them all.
  func tell() throws {
    progress.end()
    let messages = invocation.messages
    for report in reports where report.error != nil || report.rejected > 0 {
      messages.noteRejection()
    }
    if invocation.line.value(of: Options.reportFormat) == "json" {
      return try invocation.write { ReportFormat().renderJSON(reports, to: &$0) }
    }
    let isQuiet = invocation.line.has(Options.quiet)
    for report in reports {
      // What was repaired is a success, and cron would mail it every time.
      messages.report(
        isQuiet ? report.problems.filter { $0.finding.severity == .error } : report.problems,
        of: report.source)
      if let error = report.error { messages.reject("\(report.source): \(error)") }
    }
    if isQuiet { return }
    let text = ReportText(manner: options.isDryRun ? .wouldBe : .done)
    try invocation.write { sink in
      for report in reports where report.error == nil {
        sink.write(SafeText.line(text.summary(report)) + "\n")
      }
    }
  }

  // MARK: One source

  private mutating func load(
    _ name: String, location: String? = nil, calendar: String?, heldIn: String? = nil,
    encoding: String?, from origin: () throws -> SourceOrigin
  ) {
    var location = location
    do {
      let origin = try origin()
      location = origin.location
      var report = try importing(origin, calendar: calendar, encoding: encoding)
      if report.error == nil, !options.isDryRun {
        report.findings += thumbnails.run(source: origin.location).map {
          SourceFinding(source: "", finding: $0)
        }
      }
      reports.append(SourceReport(report, source: name))
    } catch {
      reports.append(SourceReport(source: name, calendar: calendar ?? heldIn, error: "\(error)"))
      // A store that cannot be written has said so already.
      if let location, !options.isDryRun {
        try? store.note(error: "\(error)", location: location)
      }
    }
  }

  private func importing(
    _ origin: SourceOrigin, calendar: String?, encoding: String?
  ) throws -> ImportReport {
    let meaning = interpretation(encoding: encoding)
    if let report = try unchanged(
      origin, calendar: calendar, encoding: encoding, interpretation: meaning)
    {
      return report
    }
    var readerOptions = CalendarReader.Options()
    readerOptions.calendar = calendar
    readerOptions.encoding = encoding.flatMap(TextEncoding.init(named:))
    let reader = CalendarReader(zones: zones, options: readerOptions)
    let source = ImportedSource(
      kind: origin.kind, location: origin.location, calendar: "", isNamed: calendar != nil,
      encoding: encoding)
    if origin.kind == .folder, let path = origin.path {
      return try importing(reader.readFolder(at: path), source, interpretation: meaning)
    }
    // The bytes are let go before the end of the import, which has work of its own.
    switch try begun(origin, source, reader, interpretation: meaning) {
    case .importing(let session): return try session.finish()
    case .cancelled(let report): return report
    }
  }

  private enum Begun {
    case importing(SourceImport)
    case cancelled(ImportReport)
  }

  /// Reads a source and takes all of it.
  private func begun(
    _ origin: SourceOrigin, _ source: ImportedSource, _ reader: CalendarReader,
    interpretation: Int
  ) throws -> Begun {
    let bytes = try origin.bytes()
    let file = try reader.read(bytes, name: origin.calendarName)
    if file.isCancellation {
      return .cancelled(try cancelling(file, calendar: reader.options.calendar))
    }
    var source = source
    source.calendar = file.name
    source.color = file.color
    let session = try store.beginImport(of: source, run: runNumber, options)
    let digest = session.digest(of: UnsafeRawBufferPointer(bytes.bytes))
    if try !session.keepsUnchanged(
      fingerprint: origin.fingerprint, digest: digest, interpretation: interpretation)
    {
      let files = CalendarFiles([file])
      let document = file.importedDocument(
        fingerprint: origin.fingerprint, digest: digest, interpretation: interpretation,
        findings: files.findings[0] ?? [])
      try take(file, of: files, document, session, name: origin.name)
    }
    return .importing(session)
  }

  /// What a file cancels is not its own: it is no source that the store would be equal to.
  private func cancelling(_ file: CalendarFile, calendar: String?) throws -> ImportReport {
    var report = ImportReport(source: "", calendar: calendar)
    report.components = file.componentCount
    report.rejected = file.rejectedCount
    report.findings = file.findings.map { SourceFinding(source: "", finding: $0) }
    var cancellations: [Cancellation] = []
    file.forEachEvent { event, bytes in
      cancellations.append(
        Cancellation(
          event: event, details: file.details(of: event.reference), text: Array(bytes)))
    }
    return try store.cancel(
      cancellations, in: calendar, report: report, run: runNumber, options)
  }

  /// Imports a folder, each of its files as a document. One that cannot be read keeps what the store
  /// has of it.
  private func importing(
    _ folder: CalendarFolder, _ source: ImportedSource, interpretation: Int
  ) throws -> ImportReport {
    var source = source
    source.calendar = folder.name
    source.color = folder.color
    let session = try store.beginImport(of: source, run: runNumber, options)
    let files = CalendarFiles(folder.files)
    var place = 0
    for entry in folder.entries {
      switch entry.result {
      case .success(let file):
        let document = file.importedDocument(
          name: entry.name, fingerprint: nil, digest: nil, interpretation: interpretation,
          findings: files.findings[place] ?? [])
        place += 1
        try take(file, of: files, document, session, name: "\(source.location)/\(entry.name)")
      case .failure(let error):
        _ = try session.begin(
          ImportedDocument(
            name: entry.name, interpretation: interpretation,
            findings: [
              Finding(
                severity: .error, message: "\(error)", action: "file left out")
            ], components: 0, isTruncated: true))
      }
    }
    return try session.finish()
  }

  /// The report of a file of which the file system says that nothing changed: it is not even read.
  private func unchanged(
    _ origin: SourceOrigin, calendar: String?, encoding: String?, interpretation: Int
  ) throws -> ImportReport? {
    guard let fingerprint = origin.fingerprint,
      let before = calendars.lazy.flatMap({ $0.sources.map(\.source) }).first(where: {
        $0.location == origin.location
      }),
      before.encoding == encoding, before.isNamed == (calendar != nil),
      calendar == nil || calendar == before.calendar
    else { return nil }
    let session = try store.beginImport(of: before, run: runNumber, options)
    guard
      try session.keepsUnchanged(fingerprint: fingerprint, interpretation: interpretation)
    else { return nil }
    return try session.finish()
  }

  private func take(
    _ file: CalendarFile, of files: CalendarFiles, _ content: ImportedDocument,
    _ session: SourceImport, name: String
  ) throws {
    let document = try session.begin(content)
    progress.begin(name, count: file.eventCount)
    try session.takeAll(
      file.eventCount, of: document, progress: { progress.tell($0) },
      read: { ordinals, known in file.importedComponents(ordinals, known: known, of: files) })
  }

  /// What besides its bytes decides what a source means: this program, the zone rules, the encoding.
  private func interpretation(encoding: String?) -> Int {
    var digest = ContentDigest(key: 0)
    digest.add(agendaVersion)
    digest.add(zones.version ?? "")
    digest.add(encoding ?? "")
    return digest.value
  }
}

extension SourceReport {
  fileprivate init(_ report: ImportReport, source: String) {
    self.init(
      source: source, calendar: report.calendar, formerCalendar: report.formerCalendar,
      components: report.components,
      added: report.added, updated: report.updated, removed: report.removed,
      unchanged: report.unchanged, superseded: report.superseded, rejected: report.rejected,
      error: report.error,
      problems: report.findings.map { finding in
        guard !finding.source.isEmpty else {
          return SourceFinding(source: source, finding: finding.finding)
        }
        return SourceFinding(
          source: SourceLoader.name(ofFile: finding.source, in: source), finding: finding.finding)
      })
  }
}
