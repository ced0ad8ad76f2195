internal import FetchProtocol
internal import Platform

/// A local copy of a remote file: replaced as a whole, or not at all. A hidden file next to it keeps
/// the validators of the last answer.
struct FetchedFile {
  private let path: String
  private let folder: String
  private let name: String
  /// When and how large the file was when it was opened; `nil` if it did not exist.
  private let state: State?

  /// Follows a link to the file that it points to.
  init(_ path: String) throws(FetchError) {
    var resolved = path
    if let status = FileStatus(path: path, followingLinks: false) {
      if status.kind == .link { resolved = (try? resolvedPath(path)) ?? path }
      guard let status = FileStatus(path: resolved) else {
        throw .file(path, reason: "\(SystemError.last)")
      }
      guard status.kind == .file else {
        throw .file(path, reason: "not a regular file; not changed")
      }
      state = State(status)
    } else {
      state = nil
    }
    let slash = resolved.lastIndex(of: "/")
    self.path = resolved
    folder = slash.map { String(resolved[...$0]) } ?? "./"
    name = String(resolved[(slash.map(resolved.index(after:)) ?? resolved.startIndex)...])
    guard !name.isEmpty else { throw .file(path, reason: "is a folder") }
  }

  /// The validators of the last answer, if the file is still what that address sent.
  func validators(for address: RemoteAddress) -> FetchValidators {
    guard let state, let bytes = Self.read(notesPath, atMost: 4_096) else {
      return FetchValidators()
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    guard lines.count >= 4, lines[0] == heading(address), lines[1] == state.description else {
      return FetchValidators()
    }
    return FetchValidators(
      entityTag: lines[2].isEmpty ? nil : lines[2],
      lastModified: lines[3].isEmpty ? nil : lines[3])
  }

  /// Replaces the content. If the bytes are the same, the file is not touched.
  func replace(
    with bytes: [UInt8], validators: FetchValidators, from address: RemoteAddress
  ) throws(FetchError) {
    if state?.size != bytes.count || Self.read(path, atMost: bytes.count) != bytes {
      try write(bytes, to: path, name: name, permissions: state?.permissions ?? 0o600)
    }
    guard !validators.isEmpty, let status = FileStatus(path: path) else {
      removeFile(notesPath)
      return
    }
    let notes = [
      heading(address), State(status).description, validators.entityTag ?? "",
      validators.lastModified ?? "", "",
    ].joined(separator: "\n")
    try write(Array(notes.utf8), to: notesPath, name: notesName, permissions: 0o600)
  }

  // MARK: Validators of the last answer

  private var notesName: String { ".\(name).fetched" }
  private var notesPath: String { folder + notesName }

  /// Identifies the address by a digest (FNV-1a), because the address may be a secret.
  private func heading(_ address: RemoteAddress) -> String {
    var digest = StableDigest()
    for byte in address.text.utf8 { digest.add(byte) }
    return "agenda-fetch 1 " + String(digest.value, radix: 16)
  }

  private struct State: CustomStringConvertible {
    let size: Int
    let permissions: UInt32
    /// Nanoseconds since 1970.
    private let modified: Int

    init(_ status: FileStatus) {
      size = status.size
      permissions = status.permissions & 0o777
      modified = status.modified
    }

    var description: String { "\(size) \(modified)" }
  }

  // MARK: Files

  /// `nil` if it can't be read, or is longer.
  private static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
    guard let bytes = try? OpenFile(path: path).bytes(atMost: limit + 1), bytes.count <= limit
    else {
      return nil
    }
    return bytes
  }

  private func write(
    _ bytes: [UInt8], to path: String, name: String, permissions: UInt32
  ) throws(FetchError) {
    do throws(SystemError) {
      let temporary = "\(folder).\(name).\(RunningProgram.processIdentifier).part"
      let file = try NewFile(
        temporaryPath: temporary, permissions: 0o600, copied: permissions)
      try file.write(bytes)
      try file.finish(as: path)
    } catch {
      throw .file(path, reason: "\(error)")
    }
  }
}
