/// One message between `agenda` and `agenda-fetch`: named fields, an empty line, and a body.
///
///     size 0
///     timeout 60
///     url https://example.com/team.ics
///     (empty line)
///
/// `size` is the number of bytes of the body. A field's value is one line.
package struct FetchMessage: Equatable, Sendable {
  /// In the order of their names. There are only a few.
  private var fields: [Field] = []
  package var body: [UInt8] = []

  private struct Field: Equatable {
    let name: String
    var value: String
  }

  package init() {}

  package subscript(name: String) -> String? {
    get { fields.first { $0.name == name }?.value }
    set {
      let index = fields.firstIndex { $0.name >= name } ?? fields.endIndex
      let isKnown = index < fields.endIndex && fields[index].name == name
      guard let newValue else {
        if isKnown { fields.remove(at: index) }
        return
      }
      let value = Self.oneLine(newValue)
      if isKnown {
        fields[index].value = value
      } else {
        fields.insert(Field(name: name, value: value), at: index)
      }
    }
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes
  }

  /// Appends the message to others.
  package func encode(into bytes: inout [UInt8]) {
    for field in fields {
      bytes += field.name.utf8
      bytes.append(0x20)
      bytes += field.value.utf8
      bytes.append(0x0A)
    }
    bytes += "size \(body.count)\n\n".utf8
    bytes += body
  }

  /// A line break inside a value would begin another field.
  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
    return String(decoding: text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
  }
}

/// Cuts messages out of a stream of bytes.
package struct FetchMessageReader {
  private var bytes: [UInt8] = []
  /// Where the rest begins that was not read yet.
  private var start = 0
  /// The fields of a message whose body has not arrived completely.
  private var pending: (message: FetchMessage, size: Int)?

  /// The fields of one message take at most this many bytes.
  private static let longestFields = 1 << 17
  private static let longestBody = 1 << 30

  package init() {}

  /// The stream is not what the other program writes.
  package struct Malformed: Error {
    package init() {}
  }

  package mutating func append(_ chunk: some Collection<UInt8>) {
    // Moving the rest for each message would take too long.
    if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += chunk
  }

  /// Whether the stream may end here.
  package var isAtBoundary: Bool { start == bytes.count && pending == nil }

  /// The next complete message, or `nil` if more bytes are needed.
  package mutating func next() throws(Malformed) -> FetchMessage? {
    if pending == nil { pending = try readFields() }
    guard let (fields, size) = pending, bytes.count - start >= size else { return nil }
    var message = fields
    message.body = Array(bytes[start..<(start + size)])
    start += size
    pending = nil
    return message
  }

  private mutating func readFields() throws(Malformed) -> (FetchMessage, Int)? {
    var message = FetchMessage()
    var size: Int?
    var lineStart = start
    while let end = bytes[lineStart...].firstIndex(of: 0x0A) {
      let line = bytes[lineStart..<end]
      lineStart = end + 1
      if line.isEmpty {
        guard let size else { throw Malformed() }
        start = lineStart
        return (message, size)
      }
      guard let blank = line.firstIndex(of: 0x20) else { throw Malformed() }
      let name = String(decoding: line[..<blank], as: UTF8.self)
      let value = String(decoding: line[(blank + 1)...], as: UTF8.self)
      if name == "size" {
        guard let number = Int(value), (0...Self.longestBody).contains(number) else {
          throw Malformed()
        }
        size = number
      } else {
        message[name] = value
      }
    }
    guard bytes.count - start <= Self.longestFields else { throw Malformed() }
    return nil
  }
}
