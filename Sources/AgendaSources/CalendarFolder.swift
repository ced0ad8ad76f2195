package import AgendaReader

/// A folder of .ics files that are one calendar (a vdir): its files in the order of their names.
///
/// Files of its subfolders don't belong to it. Hidden files are ignored, and a link is followed only
/// to a file of the same folder.
package struct CalendarFolder: Sendable {
  /// One of its files, or why it could not be read.
  package struct Entry: Sendable {
    /// The name within the folder.
    package let name: String
    package let result: Result<CalendarFile, ReaderError>
  }

  /// The name that the reader's options give, otherwise the content of the file `displayname`,
  /// otherwise the folder's name.
  package let name: String
  /// The content of the file `color`.
  package let color: String?
  /// Every entry whose name ends with `.ics`, in the order of the names' bytes.
  package let entries: [Entry]

  /// The files that were read.
  package let files: [CalendarFile]
}

extension CalendarReader {
  /// Reads all .ics files of a folder as one source. A file that cannot be read becomes an entry
  /// with the reason; a folder without any .ics file is an error.
  package func readFolder(at path: String) throws(ReaderError) -> CalendarFolder {
    let folder = try FolderListing(path)
    let name =
      options.calendar ?? folder.firstLine(of: "displayname") ?? Self.calendarName(of: path)
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
      name: name, color: folder.firstLine(of: "color"), entries: entries,
      files: entries.compactMap { try? $0.result.get() })
  }

  private static func calendarName(of path: String) -> String {
    path.split(separator: "/").last { $0 != "." }.map(String.init) ?? path
  }
}
