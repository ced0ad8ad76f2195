internal import FetchProtocol

/// The answer to PROPFIND and REPORT (RFC 4918, section 13).
struct Multistatus {
  var responses: [Response] = []
  var token: String?

  struct Response {
    /// The path as the server writes it.
    let path: String
    /// The status of the whole resource; `nil` if each property has one.
    let status: Int?
    /// The first status of a property that the server did not find.
    let propertyStatus: Int?
    /// The properties that the server found.
    let properties: [XMLElement]

    func property(_ name: XMLName) -> XMLElement? { properties.first { $0.name == name } }
    func text(_ name: XMLName) -> String? { property(name)?.text }
  }

  init(_ answer: WebAnswer) throws(FetchFailure) {
    let root = try XMLReading.root(of: answer.body)
    guard root.name == .multistatus else {
      throw FetchFailure("the server did not answer as a CalDAV server does")
    }
    token = root.first(.syncToken)?.text
    for element in root.children where element.name == .response {
      var properties: [XMLElement] = []
      var propertyStatus: Int?
      for propstat in element.children where propstat.name == .propstat {
        if let status = Self.status(propstat), !(200...299).contains(status) {
          propertyStatus = propertyStatus ?? status
          continue
        }
        if let prop = propstat.first(.prop) { properties += prop.children }
      }
      // A resource whose properties are all missing is missing itself, for some servers.
      let status = Self.status(element) ?? (properties.isEmpty ? propertyStatus : nil)
      for href in element.children where href.name == .href {
        guard let text = href.text, let path = answer.address.path(of: text) else { continue }
        responses.append(
          Response(
            path: path, status: status, propertyStatus: propertyStatus, properties: properties))
      }
    }
  }

  /// 404 of `HTTP/1.1 404 Not Found`.
  private static func status(_ element: XMLElement) -> Int? {
    element.first(.status)?.withText { text in
      guard let blank = text.drop(while: { $0 <= 0x20 }).firstIndex(of: 0x20) else { return nil }
      let digits = text[blank...].drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }
      return Int(String(decoding: digits, as: UTF8.self))
    }
  }
}
