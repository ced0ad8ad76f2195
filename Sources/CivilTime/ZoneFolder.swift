internal import Platform

/// A folder of TZif files. A name comes from a calendar and so from anybody: only a regular file
/// that lies in the folder is ever opened for it.
struct ZoneFolder: Sendable {
  let path: String

  /// Links of tzdata lead to a file at once; more can be a circle.
  private static let mostLinks = 16
  /// The longest name of tzdata has 32 bytes.
  private static let longestName = 128
  /// tzdata has some 600 names, and three levels of folders.
  private static let mostNames = 10_000
  private static let deepestFolder = 8

  /// Whether a text has the form of a zone name: parts of letters, digits, `_`, `+`, `-` and `.`
  /// between single slashes, none beginning with a dot.
  static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= longestName else { return false }
    var atStart = true
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "/"):
        if atStart { return false }
        atStart = true
        continue
      case UInt8(ascii: "."):
        if atStart { return false }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "-"):
        break
      default: return false
      }
      atStart = false
    }
    return !atStart
  }

  /// The bytes of a zone's file.
  func bytes(ofZone name: String) throws(ZoneError) -> [UInt8] {
    guard Self.isName(name) else { throw ZoneError(.notAName(name)) }
    let folder: OpenFolder
    do throws(SystemError) {
      folder = try OpenFolder(path: path)
    } catch {
      throw ZoneError(
        error.isPassing ? .unreadable(name, code: error.code) : .notFound(name, folder: path))
    }
    var pending = name.split(separator: "/").reversed().map(String.init)
    var resolved: [String] = []
    var links = 0
    while let part = pending.popLast() {
      if part == "." { continue }
      if part == ".." {
        guard resolved.popLast() != nil else { throw ZoneError(.notRegular(name)) }
        continue
      }
      resolved.append(part)
      let place = Array(resolved.joined(separator: "/").utf8)
      switch folder.status(of: place)?.kind {
      case nil: throw ZoneError(.notFound(name, folder: path))
      case .folder?:
        guard !pending.isEmpty else { throw ZoneError(.notFound(name, folder: path)) }
      case .file?:
        guard pending.isEmpty else { throw ZoneError(.notFound(name, folder: path)) }
        return try Self.contents(name) { () throws(SystemError) in
          // The file may have been replaced since its status was read.
          try folder.openFile(place)
        }
      case .link?:
        links += 1
        resolved.removeLast()
        guard links <= Self.mostLinks, let text = folder.text(ofLink: place) else {
          throw ZoneError(.notRegular(name))
        }
        let target = String(decoding: text, as: UTF8.self)
        if target.hasPrefix("/") {
          guard target.hasPrefix(path + "/") else { throw ZoneError(.notRegular(name)) }
          resolved = []
          pending += Self.parts(of: target.dropFirst(path.utf8.count))
        } else {
          pending += Self.parts(of: target[...])
        }
      default:
        throw ZoneError(.notRegular(name))
      }
    }
    throw ZoneError(.notFound(name, folder: path))
  }

  private static func parts(of target: Substring) -> [String] {
    target.split(separator: "/").reversed().map(String.init)
  }

  /// The target of a symbolic link; `nil` if it is not a link.
  static func target(ofLink path: String) -> String? {
    textOfLink(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a file that the user named by its path.
  static func bytes(ofFile path: String) throws(ZoneError) -> [UInt8] {
    // Opening a device can have an effect.
    if let kind = FileStatus(path: path)?.kind, kind != .file { throw ZoneError(.notRegular(path)) }
    return try contents(path) { () throws(SystemError) in try OpenFile(path: path) }
  }

  private static func contents(
    _ name: String, of open: () throws(SystemError) -> OpenFile
  ) throws(ZoneError) -> [UInt8] {
    let size: Int?
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try open()
      guard let status = file.status else { throw .last }
      size = status.kind == .file ? status.size : nil
      bytes = try file.bytes(atMost: min(size ?? 0, ZoneFile.longestFile))
    } catch {
      throw ZoneError(.unreadable(name, code: error.code))
    }
    guard let size else { throw ZoneError(.notRegular(name)) }
    guard size <= ZoneFile.longestFile else { throw ZoneError(.badFile(name, .tooLong(size))) }
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
