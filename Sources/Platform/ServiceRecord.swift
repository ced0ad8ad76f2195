internal import SystemLibrary

/// Where a host offers a service (RFC 2782), as the system's resolver finds it.
package struct ServiceRecord: Sendable {
  package let host: String
  package let port: Int
  private let priority: Int

  /// The records of a name such as `_caldavs._tcp.example.com`, the preferred one first.
  package static func records(of name: String) -> [ServiceRecord] {
    answer(about: name, kind: service).map(records(inAnswer:)) ?? []
  }

  /// The path of the service on that host, if a TXT record of the name has one (RFC 6764, section 4).
  package static func path(of name: String) -> String? {
    answer(about: name, kind: text).flatMap(path(inAnswer:))
  }

  private static func answer(about name: String, kind: Int32) -> [UInt8]? {
    var answer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Int(res_query(name, internet, kind, &answer, Int32(answer.count)))
    guard count > 0, count <= answer.count else { return nil }
    return Array(answer[..<count])
  }

  /// The records of a message.
  static func records(inAnswer message: [UInt8]) -> [ServiceRecord] {
    var records: [ServiceRecord] = []
    for data in self.data(ofKind: service, in: message) where data.count > 6 {
      func number(at place: Int) -> Int { Int(message[place]) << 8 | Int(message[place + 1]) }
      let start = data.lowerBound
      guard let host = hostName(in: message, at: start + 6), !host.isEmpty else { continue }
      records.append(
        ServiceRecord(host: host, port: number(at: start + 4), priority: number(at: start)))
    }
    return records.sorted { $0.priority < $1.priority }
  }

  /// The value of `path` among the texts of a message (RFC 6763, section 6).
  static func path(inAnswer message: [UInt8]) -> String? {
    for data in self.data(ofKind: text, in: message) {
      var rest = message[data]
      while let length = rest.popFirst(), rest.count >= length {
        let pair = String(decoding: rest.prefix(Int(length)), as: UTF8.self)
        rest = rest.dropFirst(Int(length))
        guard pair.lowercased().hasPrefix("path=") else { continue }
        let path = pair.dropFirst(5)
        if path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
          return String(path)
        }
      }
    }
    return nil
  }

  /// Where a message (RFC 1035, section 4.1) has the data of its answers of one kind.
  private static func data(ofKind kind: Int32, in message: [UInt8]) -> [Range<Int>] {
    let count = message.count
    guard count > 12 else { return [] }
    func number(at place: Int) -> Int { Int(message[place]) << 8 | Int(message[place + 1]) }
    var place = 12
    for _ in 0..<number(at: 4) {
      guard let end = endOfName(in: message, from: place), end + 4 <= count else { return [] }
      place = end + 4
    }
    var found: [Range<Int>] = []
    for _ in 0..<number(at: 6) {
      guard let end = endOfName(in: message, from: place), end + 10 <= count else { break }
      let data = end + 10
      let length = number(at: end + 8)
      guard data + length <= count else { break }
      if number(at: end) == Int(kind) { found.append(data..<(data + length)) }
      place = data + length
    }
    return found
  }

  private static let internet: Int32 = 1
  private static let service: Int32 = 33
  private static let text: Int32 = 16

  private static func endOfName(in message: [UInt8], from start: Int) -> Int? {
    var place = start
    while place < message.count {
      let length = Int(message[place])
      if length == 0 { return place + 1 }
      if length >= 0xC0 { return place + 2 }
      place += length + 1
    }
    return nil
  }

  /// A name with its compression undone.
  private static func hostName(in message: [UInt8], at start: Int) -> String? {
    var labels: [String] = []
    var place = start
    // Pointers could form a loop.
    for _ in 0..<128 {
      guard place < message.count else { return nil }
      let length = Int(message[place])
      if length == 0 { return labels.joined(separator: ".") }
      if length >= 0xC0 {
        guard place + 1 < message.count else { return nil }
        place = (length & 0x3F) << 8 | Int(message[place + 1])
        continue
      }
      guard place + 1 + length <= message.count else { return nil }
      let label = message[(place + 1)..<(place + 1 + length)]
      guard label.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/@:?#".utf8.contains($0) }) else {
        return nil
      }
      labels.append(String(decoding: label, as: UTF8.self))
      place += length + 1
    }
    return nil
  }
}
