extension ByteSink {
  /// Base64 (RFC 4648, 4). With `columns`, lines of that many characters, each with its end.
  mutating func write(base64 bytes: [UInt8], columns: Int? = nil) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let padding = UInt8(ascii: "=")
    var column = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      write(alphabet[Int(group >> 18)])
      write(alphabet[Int(group >> 12 & 63)])
      write(count > 1 ? alphabet[Int(group >> 6 & 63)] : padding)
      write(count > 2 ? alphabet[Int(group & 63)] : padding)
      column += 4
      if column == columns {
        write(UInt8(ascii: "\n"))
        column = 0
      }
    }
    if columns != nil, column > 0 { write(UInt8(ascii: "\n")) }
  }
}
