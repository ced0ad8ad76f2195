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
    do throws(SystemError) {
      let file = path == "-" ? OpenFile(borrowing: 0) : try OpenFile(path: path)
      var line: [UInt8] = []
      // One byte at a time: a terminal or a pipe may send nothing after the line.
      while line.count < 16_384, let byte = try file.bytes(atMost: 1).first,
        byte != UInt8(ascii: "\n")
      {
        line.append(byte)
      }
      return String(decoding: line, as: UTF8.self).trimmingBlanks
    } catch {
      throw .file(path, reason: "\(error)")
    }
  }
}
