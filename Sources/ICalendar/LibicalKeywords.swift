/// The keywords of RFC 5545 as libical makes them, each made once. libical goes through all of its
/// keywords for each value, which would cost an import a tenth of its time.
struct LibicalKeywords: Sendable {
  private let keywords: [(name: StaticString, made: String)]

  init(_ names: [StaticString], _ make: (Bytes) -> String) {
    keywords = names.map { name in
      (name, make(Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount)))
    }
  }

  /// What libical makes of a keyword in any letter case; `nil` for any other text.
  func made(_ value: Bytes) -> String? {
    for (name, made) in keywords where value.isName(name) { return made }
    return nil
  }

  static let none = LibicalKeywords([]) { _ in "" }
}
