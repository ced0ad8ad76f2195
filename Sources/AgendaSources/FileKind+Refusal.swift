internal import Platform

extension FileKind {
  /// The reason why it can't be a calendar file; `nil` for a regular file.
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
