package import AgendaCore
package import AgendaReader
internal import AgendaStore
package import CivilTime
internal import Platform

/// Reads sources into memory, each of them once, even if it is named several times. `show`, `check`
/// and the library use it; `import` reads one source at a time into the store (`SourceImporter`).
package struct SourceLoader {
  private let reader: CalendarReader
  private var files: Set<FileIdentity> = []
  /// The names of the folders that were loaded.
  private var folderNames: Set<String> = []
  /// Whether a source whose calendar has the name of an earlier one gets another name, as in an import.
  package var separatesNames = false
  /// The names of the calendars that were loaded.
  private var calendarNames: Set<String> = []
  /// One result per distinct source, in the order in which they were loaded.
  package private(set) var sources: [LoadedSource] = []

  /// How addresses are fetched.
  private let fetching: FetchSettings
  /// The files of the previous reading; `nil` if this is the only one.
  private let previous: KeptFiles?
  /// The files that need not be read the next time.
  package private(set) var kept: KeptFiles?

  /// With `now`, the files are kept in `kept`, for the `previous` of the next reading.
  package init(
    zones: ZoneDatabase, options: CalendarReader.Options = CalendarReader.Options(),
    fetching: FetchSettings = FetchSettings(), previous: KeptFiles? = nil, now: Instant? = nil
  ) {
    reader = CalendarReader(zones: zones, options: options)
    self.fetching = fetching
    self.previous = previous
    kept = now.map(KeptFiles.init)
  }

  /// Reads sources, each unless the same file or address was loaded before. All addresses are fetched
  /// at once.
  package mutating func load(_ sources: [Source]) {
    let members = sources.flatMap { source in
      let root = CalendarRoot(source)
      return source.members(of: root).map { (source: $0, isInRoot: root != nil) }
    }
    let addresses = members.compactMap { member -> SubscriptionRun.Address? in
      guard case .url(let url) = member.source else { return nil }
      return SubscriptionRun.Address(
        location: url.address, record: SubscriptionRecord(settings: fetching),
        isConditional: false, respectsPauses: false)
    }
    var fetch = SubscriptionRun(addresses)
    for member in members { load(member.source, isInRoot: member.isInRoot, fetch: &fetch) }
  }

  private mutating func load(_ source: Source, isInRoot: Bool, fetch: inout SubscriptionRun) {
    var loaded = LoadedSource(name: source.displayName)
    do throws(SourceError) {
      guard try read(source, isInRoot: isInRoot, fetch: &fetch, into: &loaded) else { return }
    } catch {
      loaded.error = error
    }
    for file in loaded.files where !file.calendar.isMail {
      calendarNames.formUnion(file.calendar.calendarNames ?? [file.calendar.name])
    }
    sources.append(loaded)
  }

  /// Reads a calendar from memory.
  package mutating func load(text: String, name: String) {
    var loaded = LoadedSource(name: name)
    do throws(SourceError) {
      try add(SourceBytes(text), calendar: name, to: &loaded)
    } catch {
      loaded.error = error
    }
    sources.append(loaded)
  }

  /// Returns `false` for a source that was read before.
  private mutating func read(
    _ source: Source, isInRoot: Bool, fetch: inout SubscriptionRun,
    into loaded: inout LoadedSource
  ) throws(SourceError) -> Bool {
    if case .url(let url) = source {
      switch fetch.visit(url.address)?.outcome {
      case .content(let bytes):
        try add(SourceBytes(bytes), of: source, to: &loaded)
        return true
      case .failed(let failure): throw .notFetched("\(failure)")
      // The address was named twice. The other outcomes do not occur, because `show` uses neither
      // validators nor pauses.
      case nil, .unchanged, .paused: return false
      }
    }
    if case .path(let path) = source {
      let identity = FileIdentity(path: path)
      if let identity, !files.insert(identity).inserted { return false }
      if identity?.isFolder == true {
        try addFolder(path, isInRoot: isInRoot, to: &loaded)
        return true
      }
      let fingerprint = FileStatus(path: path).map(FileFingerprint.init)
      if let file = previous?.file(at: path, fingerprint, source: sources.count) {
        loaded.calendarName = file.name
        loaded.files = [LoadedFile(name: loaded.name, calendar: file)]
      } else {
        try add(source.bytes(), of: source, to: &loaded)
      }
      for file in loaded.files { kept?.keep(file.calendar, at: path, fingerprint) }
      return true
    }
    try add(source.bytes(), of: source, to: &loaded)
    return true
  }

  private mutating func add(
    _ bytes: SourceBytes, of source: Source, to loaded: inout LoadedSource
  ) throws(SourceError) {
    try add(bytes, calendar: source.calendarName, to: &loaded)
    guard separatesNames, reader.options.calendar == nil, let file = loaded.files.first?.calendar,
      !file.isMail, file.calendarNames == nil, calendarNames.contains(file.name)
    else { return }
    let name = source.longName(file.name, besides: calendarNames)
    noteRenaming(of: file.name, to: name, &loaded)
    try add(bytes, calendar: source.calendarName, renamed: name, to: &loaded)
  }

  private mutating func add(
    _ bytes: SourceBytes, calendar: String, renamed name: String? = nil,
    to loaded: inout LoadedSource
  ) throws(SourceError) {
    do throws(ReaderError) {
      var reader = currentReader
      if let name { reader.options.calendar = name }
      let file = try reader.read(bytes, name: calendar)
      loaded.calendarName = file.name
      loaded.files = [LoadedFile(name: loaded.name, calendar: file)]
    } catch {
      throw .unreadable(error)
    }
  }

  private func noteRenaming(of stated: String, to name: String, _ loaded: inout LoadedSource) {
    loaded.problems.append(
      SourceFinding(
        source: loaded.name, finding: .nameInUse(stated, calendar: name)))
  }

  /// Adds the files of a folder that can be read, and a problem for each of the others.
  private mutating func addFolder(
    _ path: String, isInRoot: Bool, to loaded: inout LoadedSource
  ) throws(SourceError) {
    let folder: CalendarFolder
    var stated: String?
    do throws(ReaderError) {
      // The first reading leaves gaps in the numbers too, for the next one. Who reads a folder again
      // and again can begin before its first file, and go on after its last one.
      folder = try currentReader.readFolder(
        at: path, acceptsEmpty: kept != nil, kept: previous ?? kept,
        naming: { name in
          if isInRoot, folderNames.contains(name) { return Source.path(path).nameInRoot(name) }
          guard separatesNames, !isInRoot, calendarNames.contains(name) else { return name }
          stated = name
          return Source.path(path).longName(name, besides: calendarNames)
        })
    } catch {
      throw .unreadable(error)
    }
    loaded.calendarName = folder.name
    if let stated { noteRenaming(of: stated, to: folder.name, &loaded) }
    folderNames.insert(folder.name)
    for entry in folder.entries {
      let name = Source.name(ofFile: entry.name, in: path)
      switch entry.result {
      case .success(let file):
        loaded.files.append(LoadedFile(name: name, calendar: file))
        kept?.keep(file, at: name, entry.fingerprint)
      case .failure(let error):
        loaded.problems.append(SourceFinding(source: name, finding: .skippedFile(error)))
      }
    }
  }

  /// The reader for the source that is loaded next.
  private var currentReader: CalendarReader {
    var reader = reader
    reader.options.source = sources.count
    return reader
  }
}

/// The result of reading one source.
package struct LoadedSource {
  /// The name used in messages.
  package let name: String
  package fileprivate(set) var calendarName: String?
  /// One file, or those of a folder.
  package fileprivate(set) var files: [LoadedFile] = []
  /// The reason why it could not be read at all.
  package fileprivate(set) var error: SourceError?
  /// The files of a folder that could not be read, and that the calendar has another name.
  package fileprivate(set) var problems: [SourceFinding] = []

  fileprivate init(name: String) { self.name = name }
}

/// A file that was read.
package struct LoadedFile {
  /// The name used in messages.
  package let name: String
  package let calendar: CalendarFile
}

extension Source {
  /// The current content of a file or of standard input.
  func bytes(copy: SourceBytes.Copy? = nil) throws(SourceError) -> SourceBytes {
    do throws(ReaderError) {
      if case .path(let path) = self { return try SourceBytes(contentsOf: path, copy: copy) }
      return try SourceBytes(standardInput: 0)
    } catch {
      throw .unreadable(error)
    }
  }
}

/// The identity of a file, whatever path leads to it.
private struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64
  let isFolder: Bool

  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    device = status.device
    inode = status.inode
    isFolder = status.kind == .folder
  }
}
