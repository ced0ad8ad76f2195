internal import Platform

/// Complete writes to a descriptor, messages, and addresses read from files.
enum StandardStream {
  /// Writes all bytes. Returns the system's reason if that fails.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
    switch bytes.withUnsafeBytes(FileDescriptor(number: descriptor).write) {
    case nil: nil
    case .readerHasGone?: "Broken pipe"
    case .failed(let reason)?: reason
    }
  }

  /// Prints a message on one line without control characters: libcurl's texts quote the server.
  static func complain(_ message: String) {
    let line = message.unicodeScalars.map { scalar in
      let isShown = scalar.properties.generalCategory != .format && scalar.value >= 0x20
      return isShown && !(0x7f...0x9f).contains(scalar.value) ? Character(scalar) : "?"
    }
    _ = write(Array(("agenda-fetch: " + String(line) + "\n").utf8), to: 2)
  }

  /// The first line of a file, or of standard input for `-`.
  static func firstLine(of path: String) throws(FetchError) -> String {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path, reason: String(cString: strerror(errno))) }
    defer { if path != "-" { close(descriptor) } }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 16_384 {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file(path, reason: String(cString: strerror(errno))) }
      if count == 0 || byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self).trimmingBlanks
  }
}
