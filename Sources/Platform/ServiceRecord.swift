internal import SystemLibrary

/// Where a host offers a service (RFC 2782), as the system's resolver finds it.
package struct ServiceRecord: Sendable {
  package let host: String
  package let port: Int
  private let priority: Int

  /// The records of a name such as `_caldavs._tcp.example.com`, the preferred one first.
  package static func records(of name: String) -> [ServiceRecord] {
    var answer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Int(res_query(name, internet, service, &answer, Int32(answer.count)))
    guard count > 0, count <= answer.count else { return [] }
    return records(inAnswer: Array(answer[..<count]))
  }

  /// The records of a message (RFC 1035, section 4.1).
  static func records(inAnswer message: [UInt8]) -> [ServiceRecord] {
    let count = message.count
    guard count > 12 else { return [] }
    func number(at place: Int) -> Int { Int(message[place]) << 8 | Int(message[place + 1]) }
    var place = 12
    for _ in 0..<number(at: 4) {
      guard let end = endOfName(in: message, from: place), end + 4 <= count else { return [] }
      place = end + 4
    }
    var records: [ServiceRecord] = []
    for _ in 0..<number(at: 6) {
      guard let end = endOfName(in: message, from: place), end + 10 <= count else { break }
      let data = end + 10
      let length = number(at: end + 8)
      guard data + length <= count else { break }
      if number(at: end) == Int(service), length > 6,
        let host = hostName(in: message, at: data + 6),
        !host.isEmpty
      {
        records.append(
          ServiceRecord(
            host: host, port: number(at: data + 4), priority: number(at: data)))
      }
      place = data + length
    }
    return records.sorted { $0.priority < $1.priority }
  }

  private static let internet: Int32 = 1
  private static let service: Int32 = 33

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
