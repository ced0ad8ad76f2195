/// One of the values that distinguish a problem from others of the same code, as text.
struct FindingValue {
  /// What another value means for the grouping of problems.
  enum Role {
    /// Another kind of problem.
    case fixed
    /// Another kind, unless only the digits differ.
    case numbered
    /// The same kind.
    case varying
    /// The same kind; a group lists its values.
    case listed
    /// The same problem, elsewhere in the source.
    case position
  }

  let text: String
  let role: Role

  private init(_ text: String, _ role: Role) {
    self.text = text
    self.role = role
  }

  static func fixed(_ value: some LosslessStringConvertible) -> Self { Self("\(value)", .fixed) }
  static func fixed(_ value: some RawRepresentable<String>) -> Self { Self(value.rawValue, .fixed) }
  static func numbered(_ text: String) -> Self { Self(text, .numbered) }
  static func varying(_ value: some LosslessStringConvertible) -> Self {
    Self("\(value)", .varying)
  }
  static func listed(_ text: String) -> Self { Self(text, .listed) }
  static func position(_ value: some LosslessStringConvertible) -> Self {
    Self("\(value)", .position)
  }

  /// What two problems of one kind have in common.
  var kindText: String {
    switch role {
    case .fixed: text
    case .numbered:
      String(decoding: text.utf8.filter { !(0x30...0x39).contains($0) }, as: UTF8.self)
    case .varying, .listed, .position: ""
    }
  }
}

/// A type whose cases have a code and values, as text.
protocol FindingCoding {
  associatedtype Code: RawRepresentable<String>, CaseIterable

  var content: (code: Code, values: [FindingValue]) { get }
  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed)
}

extension FindingCoding {
  /// The code as the first value.
  var coded: [FindingValue] {
    let (code, values) = content
    return [.fixed(code)] + values
  }
}

/// Reads the values of a problem from their texts.
struct FindingValues {
  struct Malformed: Error {
    /// The index of the text that is missing or malformed.
    let index: Int
  }

  private let texts: [String]
  private(set) var index = 0

  init(_ texts: [String]) { self.texts = texts }

  var isAtEnd: Bool { index >= texts.count }

  private mutating func next<Value>(
    _ value: (String) -> Value?
  ) throws(Malformed) -> Value {
    guard !isAtEnd, let value = value(texts[index]) else { throw Malformed(index: index) }
    index += 1
    return value
  }

  mutating func value<Value: LosslessStringConvertible>() throws(Malformed) -> Value {
    try next { Value($0) }
  }

  mutating func word<Value: RawRepresentable<String>>() throws(Malformed) -> Value {
    try next { Value(rawValue: $0) }
  }

  /// A text; `nil` for an empty one.
  mutating func optional() throws(Malformed) -> String? {
    let text: String = try value()
    return text.isEmpty ? nil : text
  }

  mutating func coded<Value: FindingCoding>() throws(Malformed) -> Value {
    let code: Value.Code = try word()
    return try Value(code, &self)
  }

  /// All others.
  mutating func rest<Value: LosslessStringConvertible>() throws(Malformed) -> [Value] {
    var values: [Value] = []
    while !isAtEnd { values.append(try value()) }
    return values
  }
}
