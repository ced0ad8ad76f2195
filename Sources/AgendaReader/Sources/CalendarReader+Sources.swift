#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension CalendarReader {
  /// Reads an .ics file; its name without the ending names the calendar where nothing else does.
  public func readFile(at path: String) throws(ReaderError) -> CalendarFile {
    let source = try SourceBytes(contentsOf: path, limit: options.mostBytes)
    return try read(source, name: Self.calendarName(ofFile: path))
  }

  /// Reads standard input to its end.
  public func readStandardInput(_ descriptor: Int32 = 0) throws(ReaderError) -> CalendarFile {
    let source = try SourceBytes(standardInput: descriptor, limit: options.mostBytes)
    return try read(source, name: "standard input")
  }

  /// Whether a path leads to a folder, which is read with `readFolder(at:)`.
  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && FileKind(status) == .folder
  }

  static func calendarName(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = ".ics"
    guard name.utf8.count > ending.utf8.count, name.lowercased().hasSuffix(ending) else {
      return name
    }
    return String(name.dropLast(ending.count))
  }
}
