internal import Platform

/// The folder that `--media` names. Everything in it is reached by the folder itself once it is open,
/// so that nothing that is put in its place later is followed.
final class MediaFolder {
  private let path: String
  private let descriptor: Int32

  /// Makes it where it is missing, and the folders that lead to it.
  init(_ path: String) throws(CommandError) {
    self.path = path
    Self.make(path)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ELOOP || Self.isLink(path)
        ? .failed("\(path): is a symbolic link") : Self.failure(path)
    }
    guard faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 else {
      let failure = Self.failure(path)
      close(descriptor)
      throw failure
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Where a file of it is, for who reads what this program prints.
  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  /// Puts a file there under a plain name. One that has the same content already is left alone.
  func put(_ bytes: [UInt8], as name: String) throws(CommandError) {
    if content(of: name, longest: bytes.count) == bytes { return }
    let temporary = ".\(name).\(getpid()).part"
    var file = openat(
      descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if file < 0, errno == EEXIST, unlinkat(descriptor, temporary, 0) == 0 {
      // Left by a process of the same number that was killed.
      file = openat(
        descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    }
    guard file >= 0 else { throw Self.failure(path(of: name)) }
    let failure = bytes.withUnsafeBytes(FileDescriptor(number: file).write)
    close(file)
    if case .failed(let reason)? = failure {
      unlinkat(descriptor, temporary, 0)
      throw .failed("\(path(of: name)): \(reason)")
    }
    guard renameat(descriptor, temporary, descriptor, name) == 0 else {
      let failure = Self.failure(path(of: name))
      unlinkat(descriptor, temporary, 0)
      throw failure
    }
  }

  /// The content of a regular file of that name; `nil` if the file is missing or longer.
  private func content(of name: String, longest: Int) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == longest
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: longest)
    var done = 0
    while done < longest {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { read(file, $0 + done, longest - done) } ?? 0
      }
      if taken < 0, errno == EINTR { continue }
      guard taken > 0 else { return nil }
      done += taken
    }
    return bytes
  }

  private static func make(_ path: String) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
      // What is wrong shows when it is opened.
      _ = mkdir(made, 0o777)
    }
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func failure(_ path: String) -> CommandError {
    .failed("\(path): \(String(cString: strerror(errno)))")
  }
}
