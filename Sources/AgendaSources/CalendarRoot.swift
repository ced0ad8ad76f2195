internal import Platform

/// A folder without .ics files whose subfolders have some, such as the one that vdirsyncer fills.
/// Each of those folders is a source with a separate calendar.
struct CalendarRoot {
  /// Its identity in the store: the path without links.
  let location: String
  /// The paths of its calendars, in the order of their names.
  let folders: [String]

  /// `nil` if it is not a root, or has no calendars.
  init?(_ source: Source) {
    guard case .path(let path) = source, FileStatus(path: path)?.kind == .folder,
      let location = try? resolvedPath(path), FolderListing.hasNames(path) == false
    else { return nil }
    let folders = Self.folders(in: path)
    guard !folders.isEmpty else { return nil }
    self.location = location
    self.folders = folders
  }

  /// Whether a file with that path is a part of the folder that it is in.
  static func isPart(_ path: String) -> Bool {
    let name = path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]
    return FolderListing.isCalendarName(Array(name.utf8))
  }

  /// The paths of the folders in a folder that have .ics files. Hidden ones are ignored.
  static func folders(in path: String) -> [String] {
    guard let names = try? OpenFolder(path: path).names() else { return [] }
    let paths = names.filter { $0.first != UInt8(ascii: ".") }
      .sorted { $0.lexicographicallyPrecedes($1) }
      // Paths are texts, so a folder whose name is not UTF-8 cannot be reached.
      .compactMap { String(validating: $0, as: UTF8.self) }
      .map { Source.name(ofFile: $0, in: path) }
    return paths.filter { path in
      // The listing opens its path, and opening a FIFO would wait for a writer.
      FileStatus(path: path)?.kind == .folder && FolderListing.hasNames(path) == true
    }
  }
}

extension Source {
  /// Whether it is a folder of folders with .ics files, each of which is a separate calendar.
  package var isRoot: Bool { CalendarRoot(self) != nil }

  /// The name of a folder of a root if another folder already has its name: the two are separate
  /// calendars, and the later one adds the name of its folder.
  func nameInRoot(_ name: String) -> String { "\(name) (\(calendarName))" }

  /// The folders of `root`; without a root, the source itself.
  func members(of root: CalendarRoot?) -> [Source] {
    root?.folders.map { .path($0) } ?? [self]
  }

  /// The path of the folder that a location is in; `nil` for an address.
  static func parent(of location: String) -> String? {
    guard location.first == "/", let slash = location.lastIndex(of: "/") else { return nil }
    return slash == location.startIndex ? "/" : String(location[..<slash])
  }
}
