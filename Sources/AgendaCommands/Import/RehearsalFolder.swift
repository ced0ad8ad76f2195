#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A place for the store of an import that is only tried where there is no store: nothing is made
/// where the real one would be.
final class RehearsalFolder {
  let storePath: String
  private let path: String

  /// Below `TMPDIR`, or `/tmp`; only its owner can enter it.
  init(_ environment: Environment) throws(CommandError) {
    var template = Array("\(environment.filled("TMPDIR") ?? "/tmp")/agenda-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .failed("no temporary folder: \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    storePath = path + "/agenda.sqlite"
  }

  deinit {
    unlink(storePath)
    rmdir(path)
  }
}
