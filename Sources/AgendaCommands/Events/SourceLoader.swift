internal import AgendaCore
internal import AgendaReader
internal import CivilTime

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads the sources of a command line, each once however often it is named.
struct SourceLoader {
  private let reader: CalendarReader
  private let messages: Messages
  /// Says nothing: the command tells the outcomes itself.
  private let isQuiet: Bool
  private var files: Set<FileIdentity> = []
  private var contents: [Int: [SourceBytes]] = [:]
  /// What became of each source, in their order; of one that was named before there is none.
  private(set) var outcomes: [Outcome] = []

  /// What became of a source.
  struct Outcome {
    /// As it was named, or as messages name it.
    let name: String
    var calendarName: String?
    /// Its files, one unless it is a folder.
    var calendars: [LoadedCalendar] = []
    /// Why nothing of it could be read.
    var error: String?
    /// What is wrong with it beside what is wrong within its files: those that cannot be read.
    var problems: [SourceFinding] = []
  }

  init(
    zones: ZoneDatabase, options: CalendarReader.Options, messages: Messages, isQuiet: Bool = false
  ) {
    reader = CalendarReader(zones: zones, options: options)
    self.messages = messages
    self.isQuiet = isQuiet
  }

  /// Reads one source; what cannot be read is said and counts as rejected.
  mutating func load(_ address: SourceAddress) {
    var outcome = Outcome(name: address.displayName)
    do {
      guard try read(address, into: &outcome) else { return }
    } catch {
      outcome.error = "\(error)"
      if !isQuiet { messages.reject("\(outcome.name): \(error)") }
    }
    if !isQuiet {
      for calendar in outcome.calendars {
        messages.report(calendar.file.findings, of: calendar.name)
      }
      messages.report(outcome.problems, of: outcome.name)
    }
    outcomes.append(outcome)
  }

  /// Answers whether it is a source that was not read before.
  private mutating func read(_ address: SourceAddress, into outcome: inout Outcome) throws -> Bool {
    switch address {
    case .url(let url):
      switch NetworkReader.read(url.address) {
      case .bytes(let bytes): return try add(SourceBytes(bytes), calendar: url.host, to: &outcome)
      case .failed(let reason): throw CommandError.failed(reason)
      }
    case .standardInput:
      return try add(SourceBytes(standardInput: 0), calendar: "stdin", to: &outcome)
    case .path(let path):
      let identity = FileIdentity(path: path)
      if let identity, !files.insert(identity).inserted { return false }
      if identity?.isFolder == true {
        try addFolder(path, to: &outcome)
        return true
      }
      return try add(
        SourceBytes(contentsOf: path), calendar: Self.calendarName(of: path), to: &outcome)
    }
  }

  private mutating func add(
    _ bytes: SourceBytes, calendar: String, to outcome: inout Outcome
  ) throws -> Bool {
    if contents[bytes.count, default: []].contains(where: { $0.hasSameContent(as: bytes) }) {
      return false
    }
    contents[bytes.count, default: []].append(bytes)
    var reader = reader
    reader.options.source = outcomes.count
    let file = try reader.read(bytes, name: calendar)
    outcome.calendarName = file.name
    outcome.calendars = [LoadedCalendar(name: outcome.name, file: file)]
    return true
  }

  /// The good files of a folder; what is wrong with each of the others is a problem of the folder.
  private func addFolder(_ path: String, to outcome: inout Outcome) throws {
    var reader = reader
    reader.options.source = outcomes.count
    let folder = try reader.readFolder(at: path)
    outcome.calendarName = folder.name
    for entry in folder.entries {
      let name = Self.name(ofFile: entry.name, in: path)
      switch entry.result {
      case .success(let file):
        outcome.calendars.append(LoadedCalendar(name: name, file: file))
      case .failure(let error):
        let finding = Finding(severity: .error, message: "\(error)", action: "file left out")
        outcome.problems.append(SourceFinding(source: name, finding: finding))
      }
    }
  }

  /// What messages call a file of a folder.
  static func name(ofFile name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// `work` of `/home/ana/work.ics`.
  static func calendarName(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard name.count > 4, name.lowercased().hasSuffix(".ics") else { return name }
    return String(name.dropLast(4))
  }
}

/// Which file of the system a path leads to.
private struct FileIdentity: Hashable {
  let device: UInt64
  let number: UInt64
  let isFolder: Bool

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}

extension SourceBytes {
  fileprivate func hasSameContent(as other: SourceBytes) -> Bool {
    guard count == other.count, let left = bytes.baseAddress, let right = other.bytes.baseAddress
    else { return count == other.count }
    return memcmp(left, right, count) == 0
  }
}
