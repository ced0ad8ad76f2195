internal import Platform

/// The folder that `--media` names. Everything in it is reached by the folder itself once it is open,
/// so that nothing that is put in its place later is followed.
final class MediaFolder {
  private let path: String
  private let folder: OpenFolder

  /// Makes it where it is missing, and the folders that lead to it.
  init(_ path: String) throws(CommandError) {
    self.path = path
    Self.make(path)
    do throws(SystemError) {
      folder = try OpenFolder(path: path, followingLinks: false)
      guard folder.isWritable else { throw .last }
    } catch {
      let isLink = FileStatus(path: path, followingLinks: false)?.kind == .link
      throw .failed(isLink ? "\(path): is a symbolic link" : "\(path): \(error)")
    }
  }

  /// Where a file of it is, for who reads what this program prints.
  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  /// Puts a file there under a plain name. One that has the same content already is left alone.
  func put(_ bytes: [UInt8], as name: String) throws(CommandError) {
    if content(of: name, longest: bytes.count) == bytes { return }
    let temporary = ".\(name).\(RunningProgram.processIdentifier).part"
    do throws(SystemError) {
      // A thumbnail that is lost is made again.
      try folder.write(
        bytes, to: Array(name.utf8), temporaryName: Array(temporary.utf8), toDisk: false)
    } catch {
      throw .failed("\(path(of: name)): \(error)")
    }
  }

  /// The content of a regular file of that name; `nil` if the file is missing or longer.
  private func content(of name: String, longest: Int) -> [UInt8]? {
    guard let file = try? folder.openFile(Array(name.utf8)), let status = file.status,
      status.kind == .file, status.size == longest
    else { return nil }
    return try? file.bytes(atMost: longest)
  }

  private static func make(_ path: String) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
      // What is wrong shows when it is opened.
      try? FileAccess.createFolder(made, permissions: 0o777)
    }
  }
}
