internal import Processes

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Whole writes to a descriptor, and lines for people.
enum StandardStream {
  /// Writes all of it; answers why it could not.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
    switch bytes.withUnsafeBytes(FileDescriptor(number: descriptor).write) {
    case nil: nil
    case .readerHasGone?: "Broken pipe"
    case .failed(let reason)?: reason
    }
  }

  /// A message on one line. A server's words are among what libcurl says, so nothing of it is a
  /// control character.
  static func complain(_ message: String) {
    let line = message.unicodeScalars.map { scalar in
      let isShown = scalar.properties.generalCategory != .format && scalar.value >= 0x20
      return isShown && !(0x7f...0x9f).contains(scalar.value) ? Character(scalar) : "?"
    }
    _ = write(Array(("agenda-fetch: " + String(line) + "\n").utf8), to: 2)
  }

  /// The first line of standard input, or of a file; bounded, as addresses are.
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
