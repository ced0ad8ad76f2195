internal import CExpat
internal import FetchProtocol

/// An element of an XML document.
final class XMLElement {
  let name: XMLName
  private(set) var children: [XMLElement] = []
  /// Its own text, without that of its children.
  private(set) var bytes: [UInt8] = []

  fileprivate init(_ name: XMLName) { self.name = name }

  /// The text without white space at its ends; `nil` if it is empty.
  var text: String? {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return nil }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  func first(_ name: XMLName) -> XMLElement? { children.first { $0.name == name } }

  func all(_ name: XMLName) -> [XMLElement] { children.filter { $0.name == name } }

  func has(_ name: XMLName) -> Bool { first(name) != nil }

  /// The first of this name among the descendants.
  func descendant(_ name: XMLName) -> XMLElement? {
    for child in children {
      if child.name == name { return child }
      if let found = child.descendant(name) { return found }
    }
    return nil
  }

  fileprivate func add(_ child: XMLElement) { children.append(child) }

  fileprivate func add(_ text: UnsafeRawBufferPointer) { bytes += text }

  /// An attribute that matters is kept as a child with the attribute's name.
  fileprivate func add(attribute name: String, _ value: String) {
    let child = XMLElement(XMLName(name))
    child.bytes = Array(value.utf8)
    children.append(child)
  }
}

/// The name of an element with its namespace.
struct XMLName: Hashable {
  /// `DAV: href`, as expat writes it.
  private let text: String

  fileprivate init(_ text: String) { self.text = text }

  static func dav(_ name: String) -> XMLName { XMLName("DAV: \(name)") }
  static func calendar(_ name: String) -> XMLName {
    XMLName("urn:ietf:params:xml:ns:caldav \(name)")
  }
  static func server(_ name: String) -> XMLName {
    XMLName("http://calendarserver.org/ns/ \(name)")
  }
  static func apple(_ name: String) -> XMLName { XMLName("http://apple.com/ns/ical/ \(name)") }
  /// The attribute `name` without a namespace.
  static let nameAttribute = XMLName("name")
}

/// Reads XML with expat. A document type, which could define entities, is refused, and so is a
/// document that is too deep or has too many elements.
final class XMLReading {
  private var open: [XMLElement] = []
  private var root: XMLElement?
  private var count = 0
  private var failure: String?
  private let parser: XML_Parser

  private static let deepest = 64
  private static let mostElements = 5_000_000

  /// The root of the document.
  static func root(of document: [UInt8]) throws(FetchFailure) -> XMLElement {
    guard let parser = XML_ParserCreateNS(nil, 0x20) else {
      throw FetchFailure("expat cannot start")
    }
    defer { XML_ParserFree(parser) }
    let reading = XMLReading(parser)
    let isRead = withExtendedLifetime(reading) { reading.read(document) }
    guard isRead, let root = reading.root, reading.open.isEmpty else {
      throw FetchFailure("the server's answer is not valid XML" + (reading.failure ?? ""))
    }
    return root
  }

  private init(_ parser: XML_Parser) { self.parser = parser }

  private func read(_ document: [UInt8]) -> Bool {
    // The reading lives longer than the parser uses it.
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in XMLReading.of(context)?.begin(name, attributes) },
      { context, _ in XMLReading.of(context)?.end() })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      XMLReading.of(context)?.add(UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      XMLReading.of(context)?.stop(" (it has a document type)")
    }
    let pieceLength = 1 << 24
    var start = 0
    repeat {
      let piece = document[start..<min(document.count, start + pieceLength)]
      start = piece.endIndex
      let status = piece.withUnsafeBytes { bytes in
        XML_Parse(
          parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
          start == document.count ? 1 : 0)
      }
      guard status == XML_STATUS_OK, failure == nil else { return false }
    } while start < document.count
    return true
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReading? {
    context.map { Unmanaged<XMLReading>.fromOpaque($0).takeUnretainedValue() }
  }

  private func begin(
    _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard let name, failure == nil else { return }
    count += 1
    guard open.count < Self.deepest, count <= Self.mostElements else {
      return stop(" (it is too deep or too large)")
    }
    let element = XMLElement(XMLName(String(cString: name)))
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      // The only attribute that matters: the name of a component.
      if String(cString: key) == "name" {
        element.add(attribute: "name", String(cString: value))
      }
      index += 2
    }
    open.last?.add(element)
    if root == nil { root = element }
    open.append(element)
  }

  private func end() { _ = open.popLast() }

  private func add(_ text: UnsafeRawBufferPointer) { open.last?.add(text) }

  private func stop(_ reason: String) {
    failure = reason
    XML_StopParser(parser, 0)
  }
}
