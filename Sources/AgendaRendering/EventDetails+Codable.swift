public import AgendaCore
internal import CivilTime
internal import Recurrence

// The values inside of an entry. They have the keys that `JSONFormat` writes. A key without a value is
// null, and a missing key is read as null.

extension Coordinates: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    let (latitude, longitude) = (
      try object.decode(Double.self, forKey: .latitude),
      try object.decode(Double.self, forKey: .longitude)
    )
    guard let coordinates = Coordinates(latitude: latitude, longitude: longitude) else {
      throw object.corrupted(.latitude, "\(latitude), \(longitude)")
    }
    self = coordinates
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(latitude, forKey: .latitude)
    try object.encode(longitude, forKey: .longitude)
  }
}

extension Person: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      name: try object.decodeIfPresent(String.self, forKey: .name),
      email: try object.decodeIfPresent(String.self, forKey: .email))
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(name, forKey: .name)
    try object.encode(email, forKey: .email)
  }
}

/// The JSON has no role, so a decoded attendee has the default role.
extension Attendee: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      person: try Person(from: decoder),
      participation: try object.decode(String.self, forKey: .status), role: "req-participant")
  }

  public func encode(to encoder: any Encoder) throws {
    try person.encode(to: encoder)
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(participation, forKey: .status)
  }
}

/// The JSON has neither its name nor its bytes. Only the output of `agenda show --media` has the
/// path of its thumbnail.
extension Attachment: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      number: try object.decode(Int.self, forKey: .number),
      mediaType: try object.decodeIfPresent(String.self, forKey: .mediaType),
      byteCount: try object.decodeIfPresent(Int.self, forKey: .bytes),
      uri: try object.decodeIfPresent(String.self, forKey: .uri), name: nil, isImage: false)
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(number, forKey: .number)
    try object.encode(mediaType, forKey: .mediaType)
    try object.encode(byteCount, forKey: .bytes)
    try object.encode(uri, forKey: .uri)
    try object.encodeNil(forKey: .thumbnail)
  }
}

/// A warning of an agenda. The columns of the line are only in text.
extension SourceFinding: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    var finding = Finding(
      try object.decode(keyword: Finding.Severity.self, forKey: .severity), "words",
      Sentence(try object.decode(String.self, forKey: .message)),
      Sentence(try object.decode(String.self, forKey: .action))
    ).at(
      line: try object.decodeIfPresent(Int.self, forKey: .line),
      component: try object.decodeIfPresent(String.self, forKey: .component),
      uid: try object.decodeIfPresent(String.self, forKey: .uid),
      property: try object.decodeIfPresent(String.self, forKey: .property))
    finding.count = try object.decodeIfPresent(Int.self, forKey: .count) ?? 1
    let lines = try object.decodeIfPresent([Int].self, forKey: .lines) ?? []
    finding.laterLines = Array(lines.dropFirst())
    self.init(source: try object.decode(String.self, forKey: .source), finding: finding)
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(source, forKey: .source)
    try object.encode(finding.severity.rawValue, forKey: .severity)
    try object.encode(finding.line, forKey: .line)
    try object.encode(finding.count, forKey: .count)
    try object.encode(finding.lines, forKey: .lines)
    try object.encode(finding.component, forKey: .component)
    try object.encode(finding.uid, forKey: .uid)
    try object.encode(finding.property, forKey: .property)
    try object.encode(finding.message, forKey: .message)
    try object.encode(finding.action, forKey: .action)
  }
}

extension KeyedDecodingContainer {
  /// A keyword of the JSON.
  func decode<Keyword: RawRepresentable<String>>(
    keyword type: Keyword.Type, forKey key: Key
  ) throws -> Keyword {
    let text = try decode(String.self, forKey: key)
    guard let keyword = Keyword(rawValue: text) else { throw corrupted(key, text) }
    return keyword
  }

  func corrupted(_ key: Key, _ text: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: "unexpected value \"\(text)\"")
  }
}
