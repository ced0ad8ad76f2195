internal import FetchProtocol

/// Gathers an answer while libcurl hands it over in pieces.
final class Reception {
  private(set) var body: [UInt8] = []
  private(set) var validators = FetchValidators()
  private(set) var headers = FetchAnswer.Headers()
  private(set) var isTooLarge = false
  /// How often the server asked for a password. libcurl asks first without one; if the server asks again,
  /// it has refused the password.
  private(set) var refusals = 0
  private let limit: Int

  /// Longer header values are ignored.
  private static let longestValue = 1_024

  init(limit: Int) { self.limit = limit }

  static func of(_ context: UnsafeMutableRawPointer?) -> Reception? {
    context.map { Unmanaged<Reception>.fromOpaque($0).takeUnretainedValue() }
  }

  func clear() {
    body = []
    isTooLarge = false
    refusals = 0
    validators = FetchValidators()
    headers = FetchAnswer.Headers()
  }

  /// Returns how much it took; less than `count` ends the transfer.
  func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= limit else {
      isTooLarge = true
      return 0
    }
    body += UnsafeRawBufferPointer(start: bytes, count: count)
    return count
  }

  func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    read(
      header: String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self))
    return count
  }

  /// A status line begins another answer: before the final one there can be 1xx and 401.
  private func read(header line: String) {
    if line.lowercased().hasPrefix("http/") {
      validators = FetchValidators()
      headers = FetchAnswer.Headers()
      if line.split(separator: " ").dropFirst().first == "401" { refusals += 1 }
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].trimmingBlanks
    guard !value.isEmpty, value.utf8.count <= Self.longestValue,
      value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
    else { return }
    switch line[..<colon].lowercased() {
    case "etag": validators.entityTag = value
    case "last-modified": validators.lastModified = value
    case "cache-control":
      // Several lines of the same field are one list (RFC 9110, section 5.3).
      headers.cacheControl = headers.cacheControl.map { "\($0), \(value)" } ?? value
    case "age": headers.age = value
    case "date": headers.date = value
    case "retry-after": headers.retryAfter = value
    default: break
    }
  }
}

extension FetchValidators {
  /// The header fields of a conditional request.
  var fields: [String] {
    [
      entityTag.map { "If-None-Match: \($0)" },
      // A server that sent both evaluates the tag only (RFC 9110, section 13.2.2).
      entityTag == nil ? lastModified.map { "If-Modified-Since: \($0)" } : nil,
    ].compactMap(\.self)
  }
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
