#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// So many days have files of their own.
private let slots = 8

/// The folder beside a store in which days are kept, and when its alarms go off, for its owner alone.
///
/// Nothing here ever fails: what cannot be read or written is not kept. It holds a few files, those
/// of days each for every eighth one, so that it never grows and needs no clearing out. No link is followed, and
/// what somebody else could have written is not read.
struct DayFolder {
  private let path: String
  private let storePath: String

  /// What a day of even a very large store does not reach.
  private static let mostBytes = 64 * 1024 * 1024

  init(ofStore storePath: String) {
    self.storePath = storePath
    path = storePath + "-days"
  }

  /// What a file is for.
  enum Content {
    /// By day number.
    case day(Int)
    case alarms

    fileprivate var name: String {
      switch self {
      case .day(let day):
        let slot = day % slots
        return "\(slot < 0 ? slot + slots : slot)"
      case .alarms: return "alarms"
      }
    }

    fileprivate static var all: [Content] { (0..<slots).map { .day($0) } + [.alarms] }
  }

  private func newName(_ name: String) -> String { name + ".new" }

  func bytes(of content: Content) -> [UInt8]? {
    inFolder { folder in
      let descriptor = openat(
        folder, content.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard let size = ownFileSize(descriptor), size <= Self.mostBytes else { return nil }
      return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
          if got < 0 && errno == EINTR { continue }
          if got <= 0 { break }
          count += got
        }
      }
    }
  }

  /// Puts a file in the place of the one before in one step. Of two that write at once one is
  /// left, or a mixture, which its digest gives away.
  func keep(_ bytes: [UInt8], as content: Content) {
    // Nothing is kept beside the store of somebody else.
    guard bytes.count <= Self.mostBytes, let store = try? fileStatus(storePath),
      store.st_uid == geteuid()
    else { return }
    mkdir(path, 0o700)
    inFolder { folder in
      let name = content.name
      let new = newName(name)
      let descriptor = openat(
        folder, new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else { return }
      let isWhole = ownFileSize(descriptor) != nil && writeAll(bytes, to: descriptor)
      close(descriptor)
      if !isWhole || renameat(folder, new, folder, name) != 0 { unlinkat(folder, new, 0) }
    }
  }

  /// Takes all of it away: what the store has no more lies nowhere.
  func clear() {
    let isThere: Void? = inFolder { folder in
      for content in Content.all {
        unlinkat(folder, content.name, 0)
        unlinkat(folder, newName(content.name), 0)
      }
    }
    if isThere != nil { rmdir(path) }
  }

  /// With the open folder, if it is there and the user's own.
  @discardableResult
  private func inFolder<Result>(_ body: (Int32) -> Result?) -> Result? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, isOwn(status) else { return nil }
    return body(folder)
  }

  /// `nil` for what is no plain file, or not the user's own.
  private func ownFileSize(_ descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isPlainFile, isOwn(status) else { return nil }
    return Int(status.st_size)
  }

  private func isOwn(_ status: stat) -> Bool {
    status.st_uid == geteuid() && status.permissions & 0o022 == 0
  }
}
