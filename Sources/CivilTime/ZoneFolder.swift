internal import Platform

/// A folder of TZif files. A name comes from a calendar and so from anybody: only a regular file
/// that lies in the folder is ever opened for it.
struct ZoneFolder: Sendable {
  let path: String

  /// The longest name of tzdata has 32 bytes.
  private static let longestName = 128
  /// tzdata has some 600 names, and three levels of folders.
  private static let mostNames = 10_000
  private static let deepestFolder = 8

  /// Whether a text has the form of a zone name: parts of letters, digits, `_`, `+`, `-` and `.`
  /// between single slashes, none beginning with a dot.
  static func isName(_ text: String) -> Bool {
    guard text.utf8.count <= longestName else { return false }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part.first != UInt8(ascii: ".")
        && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_+-.".utf8.contains($0) }
    }
  }

  /// The bytes of a zone's file.
  func bytes(ofZone name: String) throws(ZoneError) -> [UInt8] {
    guard Self.isName(name) else { throw ZoneError(.notAName(name)) }
    let (folder, file): (String, String)
    do throws(SystemError) {
      folder = try resolvedPath(path)
      file = try resolvedPath("\(path)/\(name)")
    } catch {
      if error.isPassing { throw ZoneError(.unreadable(name, code: error.code)) }
      // The links are a circle.
      throw ZoneError(error.isLink ? .notRegular(name) : .notFound(name, folder: path))
    }
    // On Debian `localtime` leads back into the folder, to the zone of the machine.
    guard file.hasPrefix(folder + "/"), name != "localtime" else {
      throw ZoneError(.notRegular(name))
    }
    if FileStatus(path: file)?.kind == .folder { throw ZoneError(.notFound(name, folder: path)) }
    return try Self.bytes(ofFile: file, zone: name)
  }

  /// The target of a symbolic link; `nil` if it is not a link.
  static func target(ofLink path: String) -> String? {
    textOfLink(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a file that the user named by its path, or of the file of a zone.
  static func bytes(ofFile path: String, zone: String? = nil) throws(ZoneError) -> [UInt8] {
    let name = zone ?? path
    // Opening a device can have an effect.
    if let kind = FileStatus(path: path)?.kind, kind != .file { throw ZoneError(.notRegular(name)) }
    let size: Int?
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try OpenFile(path: path, followingLinks: zone == nil)
      guard let status = file.status else { throw .last }
      size = status.kind == .file ? status.size : nil
      bytes = try file.bytes(atMost: min(size ?? 0, ZoneFile.longestFile))
    } catch {
      throw ZoneError(.unreadable(name, code: error.code))
    }
    guard let size else { throw ZoneError(.notRegular(name)) }
    guard size <= ZoneFile.longestFile else { throw ZoneFile.tooLong(size).inFile(ofZone: name) }
    return bytes
  }

  /// The beginning of a file of the folder, as text; for its version.
  func firstLine(of name: String) -> String? {
    let file = "\(path)/\(name)"
    guard FileStatus(path: file)?.kind == .file,
      let bytes = try? OpenFile(path: file).bytes(atMost: 64)
    else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The names of all files that have the form of a zone name, without opening any. The copies
  /// under `posix` and `right` are left out.
  func fileNames() -> [String] {
    var names: [String] = []
    var folders = [""]
    while let folder = folders.popLast(), names.count < Self.mostNames {
      let place = folder.isEmpty ? path : "\(path)/\(folder)"
      guard let entries = try? OpenFolder(path: place).entries() else { continue }
      for entry in entries {
        let part = String(decoding: entry.name, as: UTF8.self)
        let name = folder.isEmpty ? part : "\(folder)/\(part)"
        guard Self.isName(name), name != "posix", name != "right" else { continue }
        switch entry.kind {
        case .folder:
          if name.split(separator: "/").count < Self.deepestFolder { folders.append(name) }
        case .file, .link: names.append(name)
        default: continue
        }
      }
    }
    return names
  }
}
