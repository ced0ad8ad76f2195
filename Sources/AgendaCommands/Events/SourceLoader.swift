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
  private var files: Set<FileIdentity> = []
  private var contents: [Int: [SourceBytes]] = [:]
  private(set) var calendars: [LoadedCalendar] = []

  init(zones: ZoneDatabase, options: CalendarReader.Options, messages: Messages) {
    reader = CalendarReader(zones: zones, options: options)
    self.messages = messages
  }

  /// Reads one source; what cannot be read is said and counts as rejected.
  mutating func load(_ address: SourceAddress) {
    switch address {
    case .url(let url):
      messages.reject(
        "\(url.displayName): URLs cannot be fetched yet: fetch it with curl and name the file, or -"
      )
    case .standardInput:
      do {
        try add(SourceBytes(standardInput: 0), name: address.displayName, calendar: "-")
      } catch {
        messages.reject("\(address.displayName): \(error)")
      }
    case .path(let path):
      if let identity = FileIdentity(path: path), !files.insert(identity).inserted { return }
      do {
        try add(SourceBytes(contentsOf: path), name: path, calendar: Self.calendarName(of: path))
      } catch {
        messages.reject("\(path): \(error)")
      }
    }
  }

  private mutating func add(_ bytes: SourceBytes, name: String, calendar: String) throws {
    if contents[bytes.count, default: []].contains(where: { $0.hasSameContent(as: bytes) }) {
      return
    }
    contents[bytes.count, default: []].append(bytes)
    var reader = reader
    reader.options.source = calendars.count
    let file = try reader.read(bytes, name: calendar)
    messages.report(file.findings, of: name)
    calendars.append(LoadedCalendar(name: name, file: file))
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

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension SourceBytes {
  fileprivate func hasSameContent(as other: SourceBytes) -> Bool {
    guard count == other.count, let left = bytes.baseAddress, let right = other.bytes.baseAddress
    else { return count == other.count }
    return memcmp(left, right, count) == 0
  }
}
