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
    case files(CalendarFiles)
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
    var files: [CalendarFile] = []
    var names: [String] = []
    var findings: [SourceFinding] = []
    for (number, path) in paths.enumerated() {
      var reader = CalendarReader(zones: zones)
      reader.options.source = number
      do throws(ReaderError) {
        if CalendarReader.isFolder(path) {
          let folder = try reader.readFolder(at: path)
          for entry in folder.entries {
            let name = "\(path)/\(entry.name)"
            findings += Self.findings(of: entry.result, named: name)
            if case .success(let file) = entry.result {
              files.append(file)
              names.append(name)
            }
          }
        } else {
          let file = try reader.readFile(at: path)
          files.append(file)
          names.append(path)
          findings += Self.findings(of: .success(file), named: path)
        }
      } catch {
        throw CalendarError(source: path, reason: error.description)
      }
    }
    let together = CalendarFiles(files)
    for (place, found) in together.findings.sorted(by: { $0.key < $1.key }) {
      findings += found.map { SourceFinding(source: names[place], finding: $0) }
    }
    self.findings = findings
    content = .files(together)
  }

  /// Reads the text of a calendar, which is called `name` if it does not say its own.
  public init(
    text: String, name: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    do throws(ReaderError) {
      let file = try CalendarReader(zones: zones).read(SourceBytes(text), name: name)
      let together = CalendarFiles([file])
      findings =
        Self.findings(of: .success(file), named: name)
        + (together.findings[0] ?? []).map { SourceFinding(source: name, finding: $0) }
      content = .files(together)
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
    let found = selection.occurrences(
      of: try series(touching: window, of: selection), in: window, details: details(of:))
    return Agenda(found, in: window, options: options, wording: DateWording(locale))
  }

  /// What is known of an event beside its place in the agenda: description, people, attachments.
  public func details(of event: Event) -> EventDetails { details(of: event.reference) }

  // MARK: Where it comes from

  private func series(
    touching window: DateWindow, of selection: Selection
  ) throws(CalendarError) -> [Series] {
    let span = window.start..<window.end
    switch content {
    case .files(let files): return SeriesAssembly(files.events(touching: span)).series
    case .store(let store):
      do throws(StoreError) {
        return try store?.listedSeries(touching: span, viewer: window.zone, of: selection) ?? []
      } catch {
        throw CalendarError(source: store?.path ?? "store", reason: error.description)
      }
    }
  }

  func details(of reference: EventReference) -> EventDetails {
    switch content {
    case .files(let files): return files.details(of: reference)
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
