internal import CExpat
internal import FetchProtocol

/// An element of an XML document.
///
/// A list of 20,000 objects has more than 100,000 elements: they are rows of one array, and their text is
/// in one buffer.
struct XMLElement {
  private let document: XMLDocument
  private let index: Int

  fileprivate init(_ document: XMLDocument, _ index: Int) {
    self.document = document
    self.index = index
  }

  var name: XMLName { document.nodes[index].name }

  var children: Children { Children(document: document, child: document.nodes[index].firstChild) }

  struct Children: Sequence, IteratorProtocol {
    fileprivate let document: XMLDocument
    fileprivate var child: Int

    mutating func next() -> XMLElement? {
      guard child != XMLDocument.none else { return nil }
      defer { child = document.nodes[child].next }
      return XMLElement(document, child)
    }
  }

  /// The text without white space at its ends; `nil` if it is empty. An element with children has none.
  var text: String? {
    withText { text in
      func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
      guard let first = text.firstIndex(where: { !isBlank($0) }),
        let last = text.lastIndex(where: { !isBlank($0) })
      else { return nil }
      return String(decoding: text[first...last], as: UTF8.self)
    }
  }

  func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let range = document.nodes[index].text
    return document.text.withUnsafeBufferPointer { body(.init(rebasing: $0[range])) }
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
}

/// What was read of a document.
private final class XMLDocument {
  struct Node {
    let name: XMLName
    var firstChild = XMLDocument.none
    var next = XMLDocument.none
    var text: Range<Int>
  }

  static let none = -1
  let nodes: [Node]
  let text: [UInt8]

  init(nodes: [Node], text: [UInt8]) {
    self.nodes = nodes
    self.text = text
  }
}

/// Reads XML with expat. A document type, which could define entities, is refused, and so is a
/// document that is too deep or has too many elements.
struct XMLReading {
  private var nodes: [XMLDocument.Node] = []
  private var text: [UInt8] = []
  /// The elements that have not ended, each with its last child.
  private var open: [(node: Int, lastChild: Int)] = []
  private var failure: String?
  private let parser: XML_Parser

  /// Answers of CalDAV are some ten elements deep.
  private static let deepest = 64
  /// With these the rows take hundreds of megabytes.
  private static let mostElements = 5_000_000

  /// The root of the document.
  static func root(of document: [UInt8]) throws(FetchFailure) -> XMLElement {
    guard let parser = XML_ParserCreateNS(nil, 0x20) else {
      throw FetchFailure("expat cannot start")
    }
    defer { XML_ParserFree(parser) }
    var reading = XMLReading(parser)
    // Only the callbacks use the reading while the parser runs.
    let isRead = withUnsafeMutablePointer(to: &reading) { Self.read(document, parser, $0) }
    guard isRead, !reading.nodes.isEmpty, reading.open.isEmpty else {
      throw FetchFailure("the server's answer is not valid XML" + (reading.failure ?? ""))
    }
    return XMLElement(XMLDocument(nodes: reading.nodes, text: reading.text), 0)
  }

  private init(_ parser: XML_Parser) { self.parser = parser }

  private static func read(
    _ document: [UInt8], _ parser: XML_Parser, _ reading: UnsafeMutablePointer<XMLReading>
  ) -> Bool {
    reading.pointee.text.reserveCapacity(document.count)
    XML_SetUserData(parser, reading)
    XML_SetElementHandler(
      parser,
      { context, name, attributes in XMLReading.of(context)?.pointee.begin(name, attributes) },
      { context, _ in XMLReading.of(context)?.pointee.end() })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      XMLReading.of(context)?.pointee.add(UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      XMLReading.of(context)?.pointee.stop(" (it has a document type)")
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
      guard status == XML_STATUS_OK, reading.pointee.failure == nil else { return false }
    } while start < document.count
    return true
  }

  private static func of(
    _ context: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLReading>? {
    context?.assumingMemoryBound(to: XMLReading.self)
  }

  private mutating func begin(
    _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard let name, failure == nil else { return }
    guard open.count < Self.deepest, nodes.count < Self.mostElements else {
      return stop(" (it is too deep or too large)")
    }
    open.append((add(XMLName(name)), XMLDocument.none))
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      // The only attribute that matters, the name of a component, is kept as a child.
      if XMLName(key) == .nameAttribute {
        let child = add(.nameAttribute)
        add(UnsafeRawBufferPointer(start: value, count: XMLName.length(of: value)))
        nodes[child].text = nodes[child].text.lowerBound..<text.count
      }
      index += 2
    }
  }

  /// Adds a child to the element that is open.
  private mutating func add(_ name: XMLName) -> Int {
    let new = nodes.count
    nodes.append(XMLDocument.Node(name: name, text: text.count..<text.count))
    guard let parent = open.last else { return new }
    if parent.lastChild == XMLDocument.none {
      nodes[parent.node].firstChild = new
    } else {
      nodes[parent.lastChild].next = new
    }
    open[open.count - 1].lastChild = new
    return new
  }

  private mutating func end() {
    guard let (node, lastChild) = open.popLast(), lastChild == XMLDocument.none else { return }
    nodes[node].text = nodes[node].text.lowerBound..<text.count
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) { text += bytes }

  private mutating func stop(_ reason: String) {
    failure = reason
    XML_StopParser(parser, 0)
  }
}
