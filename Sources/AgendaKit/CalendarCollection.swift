public import AgendaCore
internal import AgendaReader
public import AgendaRendering
internal import AgendaStore
public import CivilTime

/// Calendars that can be asked what happens: .ics files, folders of them, text, or the store that
/// `agenda import` fills.
///
///     let calendars = try CalendarCollection(contentsOf: ["work.ics", "family/"])
///     let agenda = try calendars.agenda(in: window)
///
/// It is a value of one thread. What it was made of is read once; what a file says of an event beyond
/// its time and title is decoded when `details(of:)` asks for it.
public struct CalendarCollection {
  /// What was wrong with the sources, and what was done about it. One bad event never loses the
  /// file.
  public let findings: [SourceFinding]
  private let content: Content

  private enum Content {
    /// Each source with its files, by the number that its events carry.
    case files([[CalendarFile]])
    /// `nil` for a store into which nothing was imported yet.
    case store(Store?)
  }

  /// Reads .ics files and folders of them; a folder is one calendar.
  ///
  /// - Parameters:
  ///   - paths: where they are.
  ///   - zones: the rules of the zones that they name.
  /// - Throws: `CalendarError` for the first source of which nothing can be read.
  public init(
    contentsOf paths: [String], zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    var sources: [[CalendarFile]] = []
    var findings: [SourceFinding] = []
    for path in paths {
      var reader = CalendarReader(zones: zones)
      reader.options.source = sources.count
      do throws(ReaderError) {
        if CalendarReader.isFolder(path) {
          let folder = try reader.readFolder(at: path)
          sources.append(folder.files)
          for entry in folder.entries {
            findings += Self.findings(of: entry.result, named: "\(path)/\(entry.name)")
          }
        } else {
          let file = try reader.readFile(at: path)
          sources.append([file])
          findings += Self.findings(of: .success(file), named: path)
        }
      } catch {
        throw CalendarError(source: path, reason: error.description)
      }
    }
    self.findings = findings
    content = .files(sources)
  }

  /// Reads the text of a calendar, which is called `name` if it does not say its own.
  public init(
    text: String, name: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    do throws(ReaderError) {
      let file = try CalendarReader(zones: zones).read(SourceBytes(text), name: name)
      findings = Self.findings(of: .success(file), named: name)
      content = .files([[file]])
    } catch {
      throw CalendarError(source: name, reason: error.description)
    }
  }

  /// Opens the store that `agenda import` fills, to read it. One that is not there yet is empty.
  public init(
    storeAt path: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    do throws(StoreError) {
      content = .store(try Store.open(reading: path, zones: zones))
      findings = []
    } catch {
      throw CalendarError(source: path, reason: error.description)
    }
  }

  /// What happens in a window, in sections.
  ///
  /// - Parameters:
  ///   - window: the days, in the zone in which they begin.
  ///   - selection: what is taken up; events that are not cancelled, if nothing else is said.
  ///   - options: what makes a section, and how many entries there are at most.
  ///   - locale: the language of the sections' titles.
  /// - Returns: the agenda, empty where nothing happens.
  /// - Throws: `CalendarError` where the store cannot be read. Files never throw here.
  public func agenda(
    in window: DateWindow, of selection: Selection = Selection(),
    options: Agenda.Options = Agenda.Options(), locale: LocaleData = .plain
  ) throws(CalendarError) -> Agenda {
    let span = window.start..<window.end
    var found: [Occurrence] = []
    for series in SeriesAssembly(try events(touching: span, in: window.zone)).series {
      var admitted = SeriesSelection(selection, details: details(of:))
      for occurrence in series.occurrences(
        touching: span, viewer: window.zone, includingCancelled: selection.includesCancelled)
      where admitted.admits(occurrence) { found.append(occurrence) }
    }
    return Agenda(found, in: window, options: options, wording: DateWording(locale))
  }

  /// What is known of an event beside its place in the agenda: description, people, attachments.
  public func details(of event: Event) -> EventDetails { details(of: event.reference) }

  // MARK: Where it comes from

  private func events(
    touching span: Range<Instant>, in zone: Zone
  ) throws(CalendarError) -> [Event] {
    switch content {
    case .files(let sources): return sources.joined().flatMap { $0.events(touching: span) }
    case .store(let store):
      do throws(StoreError) {
        return try store?.events(touching: span, viewer: zone) ?? []
      } catch {
        throw CalendarError(source: store?.path ?? "store", reason: error.description)
      }
    }
  }

  func details(of reference: EventReference) -> EventDetails {
    switch content {
    case .files(let sources):
      guard sources.indices.contains(reference.source) else { return EventDetails() }
      let file = sources[reference.source].last { $0.firstComponent <= reference.component }
      return file?.details(of: reference) ?? EventDetails()
    case .store(let store): return (try? store?.details(of: reference)) ?? EventDetails()
    }
  }

  private static func findings(
    of result: Result<CalendarFile, ReaderError>, named name: String
  ) -> [SourceFinding] {
    switch result {
    case .success(let file): file.findings.map { SourceFinding(source: name, finding: $0) }
    case .failure(let error):
      [
        SourceFinding(
          source: name,
          finding: Finding(
            severity: .error, message: error.description, action: "file left out"))
      ]
    }
  }
}

/// Why a source cannot be read at all.
public struct CalendarError: Error, Hashable, CustomStringConvertible {
  /// The path or name that was given.
  public let source: String
  /// In words: `not an iCalendar file: this is HTML`.
  public let reason: String

  public var description: String { "\(source): \(reason)" }
}
