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
    var status = stat()
    if lstat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil) {
        resolved = String(cString: target)
        free(target)
      }
      guard stat(resolved, &status) == 0 else {
        throw .file(path, reason: String(cString: strerror(errno)))
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
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
      try write(bytes, to: path, name: name, mode: state?.mode ?? 0o600)
    }
    var status = stat()
    guard !validators.isEmpty, stat(path, &status) == 0 else {
      unlink(notesPath)
      return
    }
    let notes = [
      heading(address), State(status).description, validators.entityTag ?? "",
      validators.lastModified ?? "", "",
    ].joined(separator: "\n")
    try write(Array(notes.utf8), to: notesPath, name: notesName, mode: 0o600)
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
    let mode: mode_t
    private let seconds: Int
    private let nanoseconds: Int

    init(_ status: stat) {
      #if canImport(Darwin)
        let modified = status.st_mtimespec
      #else
        let modified = status.st_mtim
      #endif
      size = Int(status.st_size)
      mode = status.st_mode & 0o777
      seconds = Int(modified.tv_sec)
      nanoseconds = Int(modified.tv_nsec)
    }

    var description: String { "\(size) \(seconds) \(nanoseconds)" }
  }

  // MARK: Files

  private static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return FileDescriptor(number: descriptor).readAll(atMost: limit)
  }

  private func write(
    _ bytes: [UInt8], to path: String, name: String, mode: mode_t
  ) throws(FetchError) {
    let temporary = "\(folder).\(name).\(getpid()).part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(path, reason: String(cString: strerror(errno))) }
    do throws(FetchError) {
      defer { close(descriptor) }
      if let reason = StandardStream.write(bytes, to: descriptor) {
        throw .file(path, reason: reason)
      }
      guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
        throw .file(path, reason: String(cString: strerror(errno)))
      }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw .file(path, reason: reason)
    }
  }
}
