internal import Platform

/// A file that a user named to be written: whole under its name, or not at all.
final class OutputFile {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var isFinished = false

  init(_ path: String) throws(CommandError) {
    self.path = path
    temporaryPath = "\(path).\(getpid()).part"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed("\(path): \(String(cString: strerror(errno)))") }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    switch bytes.withUnsafeBytes(FileDescriptor(number: descriptor).write) {
    case nil: return
    case .readerHasGone?: throw .failed("\(path): Broken pipe")
    case .failed(let reason)?: throw .failed("\(path): \(reason)")
    }
  }

  /// Gives it its name.
  func finish() throws(CommandError) {
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw .failed("\(path): \(String(cString: strerror(errno)))")
    }
    isFinished = true
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isFinished { unlink(temporaryPath) }
  }
}
