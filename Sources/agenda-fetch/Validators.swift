/// What a server gave to ask by the next time whether anything changed (RFC 9110, 13.1).
struct Validators: Equatable {
  var entityTag: String?
  var lastModified: String?

  var isEmpty: Bool { entityTag == nil && lastModified == nil }

  /// The header fields of a conditional request.
  var fields: [String] {
    [
      entityTag.map { "If-None-Match: \($0)" },
      // A server that gave both looks at the tag alone.
      entityTag == nil ? lastModified.map { "If-Modified-Since: \($0)" } : nil,
    ].compactMap(\.self)
  }

  /// Takes a header line of an answer; a status line begins another answer.
  mutating func read(header line: some Collection<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    if text.lowercased().hasPrefix("http/") { self = Validators() }
    guard let colon = text.firstIndex(of: ":") else { return }
    let value = text[text.index(after: colon)...].trimmingBlanks
    guard !value.isEmpty, value.utf8.count <= Self.longest,
      value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
    else { return }
    switch text[..<colon].lowercased() {
    case "etag": entityTag = value
    case "last-modified": lastModified = value
    default: break
    }
  }

  /// A longer one is not worth keeping.
  private static let longest = 1_024
}

extension StringProtocol {
  /// Without white space at either end.
  var trimmingBlanks: String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
