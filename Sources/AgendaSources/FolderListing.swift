internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import ICalendar
internal import Platform

/// An open folder and the names of its .ics files, in the order of their bytes.
final class FolderListing {
  /// The bytes of a name, which need not be UTF-8.
  struct Name: Comparable {
    let bytes: [UInt8]

    var text: String { decodedText(bytes) }

    static func < (left: Name, right: Name) -> Bool {
      left.bytes.lexicographicallyPrecedes(right.bytes)
    }
  }

  private let folder: OpenFolder
  let names: [Name]

  init(_ path: String) throws(ReaderError) {
    do throws(SystemError) {
      folder = try OpenFolder(path: path)
      names = try folder.names().filter(Self.isCalendarName).map(Name.init).sorted()
    } catch {
      throw .cannotRead(reason: error.description)
    }
  }

  /// Whether a folder has names that end with `.ics`; `nil` if it cannot be read.
  static func hasNames(_ path: String) -> Bool? {
    (try? OpenFolder(path: path).names())?.contains(where: isCalendarName)
  }

  /// Whether a name ends with `.ics` and doesn't begin with a dot.
  static func isCalendarName(_ bytes: [UInt8]) -> Bool {
    bytes.count > 4 && bytes.first != UInt8(ascii: ".")
      && bytes.suffix(4).elementsEqual(".ics".utf8) { $0 | 0x20 == $1 | 0x20 }
  }

  /// The bytes of a file of the folder.
  func read(_ name: Name, limit: Int) throws(ReaderError) -> SourceBytes {
    try SourceBytes(regularFile: openFile(name), limit: limit)
  }

  /// The status of a file; `nil` for anything else, such as a link.
  func fingerprint(of name: Name) -> FileFingerprint? {
    guard let status = folder.status(of: name.bytes), status.kind == .file else { return nil }
    return FileFingerprint(status)
  }

  /// The first line of a small file of the folder; `nil` if it is missing or blank.
  func firstLine(of name: String) -> String? {
    let longest = 4096
    guard let source = try? read(Name(bytes: Array(name.utf8)), limit: longest) else { return nil }
    let blanks = " \t\r".utf8
    var line = Array(source.bytes.prefix { $0 != UInt8(ascii: "\n") }.drop(while: blanks.contains))
    while let last = line.last, blanks.contains(last) { line.removeLast() }
    return line.isEmpty ? nil : decodedText(line)
  }

  private func openFile(_ name: Name) throws(ReaderError) -> OpenFile {
    do throws(SystemError) {
      return try folder.openFile(name.bytes)
    } catch {
      if error.isLink { return try openLink(name) }
      if error.isUnopenable {
        throw .notAFile(kind: folder.status(of: name.bytes)?.kind.refusal ?? "a socket or device")
      }
      throw .cannotRead(reason: error.description)
    }
  }

  /// Follows a link if it leads to a file of the folder itself.
  private func openLink(_ name: Name) throws(ReaderError) -> OpenFile {
    let inFolder: [UInt8]
    do throws(SystemError) {
      let folderPath = Array(try resolvedPath(folder.path).utf8) + [UInt8(ascii: "/")]
      let target = try folder.target(ofLink: name.bytes)
      inFolder = target.starts(with: folderPath) ? Array(target.dropFirst(folderPath.count)) : []
    } catch {
      throw .cannotRead(reason: error.description)
    }
    guard !inFolder.isEmpty, !inFolder.contains(UInt8(ascii: "/")) else { throw .linkOutOfFolder }
    do throws(SystemError) {
      return try folder.openFile(inFolder)
    } catch {
      throw .cannotRead(reason: error.description)
    }
  }
}

/// The bytes as UTF-8 if they are valid, otherwise as Windows-1252.
private func decodedText(_ bytes: [UInt8]) -> String {
  String(validating: bytes, as: UTF8.self)
    ?? bytes.withUnsafeBufferPointer { $0.text }
}
