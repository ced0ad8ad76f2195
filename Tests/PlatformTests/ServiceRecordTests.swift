import Testing

@testable import Platform

/// Answers of name servers with SRV records (RFC 2782).
@Suite("service records")
struct ServiceRecordTests {
  private func name(_ labels: String...) -> [UInt8] {
    var bytes: [UInt8] = []
    for label in labels {
      bytes.append(UInt8(label.utf8.count))
      bytes += label.utf8
    }
    return bytes + [0]
  }

  private func record(
    _ priority: UInt8, port: UInt16, host: [UInt8], length: UInt8? = nil
  ) -> [UInt8] {
    // The name of the question, type SRV, class IN, and a time to live.
    var bytes: [UInt8] = [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 60, 0]
    bytes.append(length ?? UInt8(6 + host.count))
    bytes += [0, priority, 0, 0]
    bytes.append(UInt8(port >> 8))
    bytes.append(UInt8(port & 0xFF))
    return bytes + host
  }

  private func message(_ records: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0]
    bytes.append(UInt8(records.count))
    bytes += [0, 0, 0, 0]
    bytes += name("_caldavs", "_tcp", "example", "com")
    bytes += [0, 33, 0, 1]
    for record in records { bytes += record }
    return bytes
  }

  private func text(_ texts: String...) -> [UInt8] {
    let data = texts.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    return [0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
  }

  private func found(_ message: [UInt8]) -> [String] {
    ServiceRecord.records(inAnswer: message).map { "\($0.host):\($0.port)" }
  }

  @Test("the preferred host comes first, also with a compressed name")
  func order() {
    let far = record(20, port: 443, host: name("far", "example", "net"))
    // The end of the question's name begins at 12 + 9 + 5.
    let near = record(10, port: 8443, host: [3] + Array("cal".utf8) + [0xC0, 26])
    #expect(found(message(far, near)) == ["cal.example.com:8443", "far.example.net:443"])
  }

  @Test("a service that is not offered has the empty name")
  func none() { #expect(found(message(record(0, port: 0, host: [0]))) == []) }

  @Test("loops, cut messages and names of addresses are no hosts")
  func malformed() {
    let loop = record(10, port: 443, host: [0xC0, 60])
    let start = message().count + 12 + 6
    var looping = loop
    looping[looping.count - 1] = UInt8(start)
    #expect(found(message(looping)) == [])
    #expect(found(message(record(10, port: 443, host: name("a/b", "com")))) == [])
    let whole = message(record(10, port: 443, host: name("cal", "example", "com")))
    #expect(found(whole) == ["cal.example.com:443"])
    for count in 0..<whole.count { #expect(found(Array(whole[..<count])) == []) }
    #expect(found(message(record(10, port: 443, host: name("a", "com"), length: 255))) == [])
  }

  @Test("a TXT record names the path of the service")
  func path() {
    func path(_ records: [UInt8]...) -> String? {
      var bytes = message()
      bytes[7] = UInt8(records.count)
      return ServiceRecord.path(inAnswer: bytes + records.flatMap(\.self))
    }
    let host = record(0, port: 443, host: name("cal", "example", "com"))
    #expect(path(host, text("txtvers=1", "path=/dav/")) == "/dav/")
    #expect(path(text("PATH=/caldav")) == "/caldav")
    #expect(path(text("other=/dav/"), host) == nil)
    #expect(path(text("path=", "path=dav", "path=/a b")) == nil)
    let whole = message() + text("path=/dav/")
    for count in 0..<whole.count {
      var cut = Array(whole[..<count])
      if cut.count > 7 { cut[7] = 1 }
      #expect(ServiceRecord.path(inAnswer: cut) == nil)
    }
    // A text that is longer than its record.
    var long = text("path=/dav/")
    long[12] = 200
    #expect(path(long) == nil)
  }
}
