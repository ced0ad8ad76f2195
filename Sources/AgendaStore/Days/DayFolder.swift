#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The folder beside a store in which days are kept, for its owner alone.
///
/// Nothing here ever fails: what cannot be read or written is not kept. It holds a few files, each
/// for every eighth day, so that it never grows and needs no clearing out.
struct DayFolder {
  private let path: String
  private let storePath: String

  private static let slots = 8
  /// What a day of even a very large store does not reach.
  private static let mostBytes = 64 * 1024 * 1024

  init(ofStore storePath: String) {
    self.storePath = storePath
    path = storePath + "-days"
  }

  private func name(ofDay day: Int) -> String {
    let slot = day % Self.slots
    return path + "/\(slot < 0 ? slot + Self.slots : slot)"
  }

  /// The file of a day, if it is the user's own and nobody else may write to it.
  func bytes(ofDay day: Int) -> [UInt8]? {
    let descriptor = open(name(ofDay: day), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isPlainFile, isOwn(status),
      status.st_size > 0, status.st_size <= Self.mostBytes
    else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let read = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if read < 0 && errno == EINTR { continue }
        if read <= 0 { break }
        count += read
      }
    }
  }

  /// Puts a file in the place of the one before in one step. Of two that write at once one is
  /// left, or a mixture, which its digest gives away.
  func keep(_ bytes: [UInt8], day: Int) {
    guard bytes.count <= Self.mostBytes, isMade() else { return }
    let name = name(ofDay: day)
    let new = name + ".new"
    let descriptor = open(
      new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    var status = stat()
    var isWhole = fstat(descriptor, &status) == 0 && status.isPlainFile && isOwn(status)
    if isWhole { isWhole = writeAll(bytes, to: descriptor) }
    close(descriptor)
    if !isWhole || rename(new, name) != 0 { unlink(new) }
  }

  /// Takes all of it away: what the store has no more lies nowhere.
  func clear() {
    for slot in 0..<Self.slots {
      unlink(path + "/\(slot)")
      unlink(path + "/\(slot).new")
    }
    rmdir(path)
  }

  /// Whether the folder is there, made where it is not, and the user's alone. Nothing is kept
  /// beside the store of somebody else.
  private func isMade() -> Bool {
    guard let store = try? fileStatus(storePath), store.st_uid == geteuid() else { return false }
    if mkdir(path, 0o700) != 0 && errno != EEXIST { return false }
    guard let folder = try? fileStatus(path) else { return false }
    return folder.st_mode & S_IFMT == S_IFDIR && isOwn(folder)
  }

  private func isOwn(_ status: stat) -> Bool {
    status.st_uid == geteuid() && status.permissions & 0o022 == 0
  }
}
