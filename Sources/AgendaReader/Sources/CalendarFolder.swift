public import AgendaCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder of .ics files that are one calendar (a vdir): its files in the order of their names.
///
/// Files in folders within it are not its own, hidden files are ignored, and a link is followed
/// only to a file of the same folder.
public struct CalendarFolder: Sendable {
  /// What became of one of its files.
  public struct Entry: Sendable {
    /// The name within the folder.
    public let name: String
    public let result: Result<CalendarFile, ReaderError>
  }

  /// The name that the reader was told, else what the file `displayname` of a vdir says, else the
  /// folder's own.
  public let name: String
  /// What the file `color` of a vdir says.
  public let color: String?
  /// Every entry whose name ends with `.ics`, in the order of the names' bytes.
  public let entries: [Entry]

  /// The files that were read.
  public let files: [CalendarFile]

  /// The events of all files; with a window, those that can matter to it.
  public var events: [Event] { CalendarFiles(files).events }

  public func details(of event: EventReference) -> EventDetails {
    file(of: event)?.details(of: event) ?? EventDetails()
  }

  public func attachmentBytes(of event: EventReference, number: Int) -> [UInt8]? {
    file(of: event)?.attachmentBytes(of: event, number: number)
  }

  /// The file that an event came from.
  public func file(of event: EventReference) -> CalendarFile? {
    files.last { $0.source == event.source && $0.firstComponent <= event.component }
  }
}

extension CalendarReader {
  /// Reads all .ics files of a folder as one source. A file that cannot be read is an entry with
  /// the reason; a folder without any .ics is an error.
  public func readFolder(at path: String) throws(ReaderError) -> CalendarFolder {
    let folder = try FolderListing(path)
    let name = options.calendar ?? folder.text(of: "displayname") ?? Self.calendarName(of: path)
    var reader = self
    reader.options.calendar = name
    var entries: [CalendarFolder.Entry] = []
    for fileName in folder.names {
      let result: Result<CalendarFile, ReaderError>
      do throws(ReaderError) {
        let source = try folder.read(fileName, limit: options.mostBytes)
        let file = try reader.read(source, name: name)
        reader.options.firstComponent += file.eventCount
        result = .success(file)
      } catch {
        result = .failure(error)
      }
      entries.append(CalendarFolder.Entry(name: fileName.text, result: result))
    }
    guard !entries.isEmpty else { throw .noCalendarsInFolder }
    return CalendarFolder(
      name: name, color: folder.text(of: "color"), entries: entries,
      files: entries.compactMap { try? $0.result.get() })
  }

  private static func calendarName(of path: String) -> String {
    path.split(separator: "/").last { $0 != "." }.map(String.init) ?? path
  }
}
