package import AgendaReader
package import AgendaStore
internal import Platform

/// A folder of .ics files that are one calendar (a vdir): its files in the order of their names.
///
/// Files of its subfolders don't belong to it. Hidden files are ignored, and a link is followed only
/// to a file of the same folder.
package struct CalendarFolder: Sendable {
  /// One of its files, or the reason why it could not be read.
  package struct Entry: Sendable {
    /// The name within the folder.
    package let name: String
    package let result: Result<CalendarFile, ReaderError>
    /// The status of the file before it was read.
    package let fingerprint: FileFingerprint?
  }

  /// A file that was not opened, because the store has it.
  package struct Unchanged: Sendable {
    package let name: String
    /// The number of `entries` before it.
    package let place: Int
  }

  /// The name in the reader's options, otherwise the content of the file `displayname`, otherwise
  /// the folder's name.
  package let name: String
  /// The content of the file `color`.
  package let color: String?
  /// Every entry whose name ends with `.ics`, in the order of the names' bytes, without unchanged
  /// files.
  package let entries: [Entry]
  package let unchanged: [Unchanged]

  /// The files that were read.
  package let files: [CalendarFile]

  /// The names of these files in messages, for a folder at that path.
  func fileNames(in path: String) -> [String] {
    entries.compactMap { entry in
      if case .success = entry.result { Source.name(ofFile: entry.name, in: path) } else { nil }
    }
  }
}

extension CalendarReader {
  /// Reads all .ics files of a folder as one source. A file that cannot be read becomes an entry
  /// with the reason. A folder without any .ics file is an error, unless `acceptsEmpty` allows it.
  /// A file is not opened if `isUnchanged` returns true for it, or if `kept` has it. `naming` can
  /// change the name of a calendar that the reader's options do not name.
  package func readFolder(
    at path: String, acceptsEmpty: Bool = false, kept: KeptFiles? = nil,
    isUnchanged: (_ name: String, _ fingerprint: FileFingerprint) -> Bool = { _, _ in false },
    naming: (String) -> String = { $0 }
  ) throws(ReaderError) -> CalendarFolder {
    let folder = try FolderListing(path)
    let calendar =
      options.calendar
      ?? naming(folder.firstLine(of: "displayname") ?? Self.calendarName(of: path))
    var reader = self
    reader.options.calendar = calendar
    var entries: [CalendarFolder.Entry] = []
    var unchanged: [CalendarFolder.Unchanged] = []
    let fingerprints = folder.names.map(folder.fingerprint)
    let known = KnownFiles(
      zip(folder.names, fingerprints).map { name, fingerprint in
        kept?.file(
          at: Source.name(ofFile: name.text, in: path), fingerprint, source: options.source,
          calendar: calendar)
      })
    for (place, fileName) in folder.names.enumerated() {
      let name = fileName.text
      let fingerprint = fingerprints[place]
      if let fingerprint, isUnchanged(name, fingerprint) {
        unchanged.append(CalendarFolder.Unchanged(name: name, place: entries.count))
        continue
      }
      let result: Result<CalendarFile, ReaderError>
      do throws(ReaderError) {
        let file: CalendarFile
        if let knownFile = known.file(at: place, after: reader.options.firstComponent) {
          file = knownFile
        } else {
          let source = try folder.read(fileName, limit: options.mostBytes)
          if kept != nil {
            reader.options.firstComponent = KeptFiles.firstComponent(
              after: reader.options.firstComponent, before: known.firstComponent(after: place))
          }
          file = try reader.read(source, name: calendar)
        }
        reader.options.firstComponent = file.firstComponent + file.eventCount
        reader.options.ruleWork += file.ruleWork
        result = .success(file)
      } catch {
        result = .failure(error)
      }
      entries.append(
        CalendarFolder.Entry(name: name, result: result, fingerprint: fingerprint))
    }
    guard acceptsEmpty || !folder.names.isEmpty else { throw .noCalendarsInFolder }
    return CalendarFolder(
      name: calendar, color: folder.firstLine(of: "color"), entries: entries,
      unchanged: unchanged, files: entries.compactMap { try? $0.result.get() })
  }

  private static func calendarName(of path: String) -> String {
    func name(_ path: String) -> String? {
      path.split(separator: "/").last.map(String.init)
    }
    guard let last = name(path), last != ".", last != ".." else {
      return (try? resolvedPath(path)).flatMap(name) ?? path
    }
    return last
  }
}

/// The files of a folder that need not be read, by their positions.
private struct KnownFiles {
  private let files: [CalendarFile?]
  /// For each position, the first component of the next such file.
  private let next: [Int?]

  init(_ files: [CalendarFile?]) {
    self.files = files
    var next: [Int?] = []
    var first: Int?
    for file in files.reversed() {
      next.append(first)
      first = file?.firstComponent ?? first
    }
    self.next = next.reversed()
  }

  /// The numbers of components must ascend from file to file. If an earlier file has grown, this
  /// file is read again and gets other numbers.
  func file(at place: Int, after end: Int) -> CalendarFile? {
    files[place].flatMap { $0.firstComponent >= end ? $0 : nil }
  }

  func firstComponent(after place: Int) -> Int? { next[place] }
}
