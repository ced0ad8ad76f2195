internal import Platform

/// The folder that `--media` names. It is opened once, and its files are reached through the open
/// folder. So a link that another program puts at its path later is never followed.
final class MediaFolder {
  private let path: String
  private let folder: OpenFolder

  /// Creates the folder if it is missing, and the folders that lead to it.
  init(_ path: String) throws(CommandError) {
    self.path = path
    do throws(SystemError) {
      try FileAccess.createFolders(path)
      folder = try OpenFolder(path: path, followingLinks: false)
      guard folder.isWritable else { throw .last }
    } catch {
      let isLink = FileStatus(path: path, followingLinks: false)?.kind == .link
      throw .failed(isLink ? "\(path): is a symbolic link" : "\(path): \(error)")
    }
  }

  /// The path of one of its files, as it appears in the output.
  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  /// Writes a file into the folder. A file of that name with the same content is left alone.
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
}
