// Modules: SystemLibrary Platform CommandLineOptions FetchProtocol
// Sources: Sources/agenda-fetch
internal import CCurl
internal import CExpat
internal import CommandLineOptions
internal import FetchProtocol
internal import Platform

/// What servers answer, from any bytes: XML, header fields, calendars and addresses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzServerAnswers(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The first byte chooses, so that one mutation reaches another kind.
  guard count > 0 else { return 0 }
  let body = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  switch bytes[0] % 4 {
  case 0: readXML(body)
  case 1: readFields(body)
  case 2: try? CalendarCheck(body).run()
  default: readAddresses(String(decoding: body, as: UTF8.self))
  }
  return 0
}

private func readXML(_ body: [UInt8]) {
  guard let address = try? RemoteAddress("https://example.com/calendars/ana/home/") else {
    fatalError("a good address is refused")
  }
  let answer = WebAnswer(
    status: 207, address: address, fields: ServerFields(), body: body, hadCredentials: false)
  guard let status = try? Multistatus(answer) else { return }
  for response in status.responses {
    // A path can be sent as it is.
    precondition(response.path.hasPrefix("/"))
    precondition(address.path(of: response.path) == response.path)
    for property in response.properties {
      _ = property.text
      _ = property.descendant(.href)?.text
      for child in property.children { _ = child.all(.component) }
    }
  }
}

private func readFields(_ body: [UInt8]) {
  let reception = Reception(limit: 1 << 10)
  for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
    var line = line.map(CChar.init(bitPattern:))
    let length = line.count
    line.withUnsafeMutableBufferPointer { line in
      precondition(reception.takeHeader(line.baseAddress, length) == length)
    }
  }
  // What is sent again must not begin another field (RFC 9110, 5.5).
  for field in reception.validators.fields {
    precondition(field.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
  }
}

private func readAddresses(_ text: String) {
  guard let address = try? RemoteAddress(text) else { return }
  precondition(address.path.hasPrefix("/"))
  // What is shown and what is sent elsewhere has no password.
  let rest = address.url.unicodeScalars.drop { $0 != "/" }.dropFirst(2)
  precondition(!rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains("@"))
  guard let other = try? address.with(path: address.path) else { return }
  precondition(other.origin == address.origin && other.path == address.path)
}
