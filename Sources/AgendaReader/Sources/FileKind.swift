#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What stands behind a path.
enum FileKind {
  case file, folder, link, fifo, device, socket

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// What it is that can be no calendar file; `nil` for a file.
  var refusal: String? {
    switch self {
    case .file: nil
    case .folder: "a folder"
    case .link: "a link"
    case .fifo: "a FIFO"
    case .device: "a device"
    case .socket: "a socket"
    }
  }
}

enum SystemFailure {
  /// What the system says of the call that has just failed.
  static var current: String {
    String(cString: strerror(errno))
  }
}
