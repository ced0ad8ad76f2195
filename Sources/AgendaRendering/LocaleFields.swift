/// The fields of a locale: its own, and those that it inherits from its parents.
struct LocaleFields {
  private var values: [UInt8: Substring] = [:]

  /// In the table, every identifier reaches one without a parent in fewer steps.
  private static let longestAncestry = 8

  init(of identifier: String) {
    var next = Substring(identifier)
    for _ in 0..<Self.longestAncestry {
      guard let line = Self.line(of: String(next)) else { return }
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      add(parts.dropFirst(2))
      next = parts.dropFirst().first ?? ""
    }
  }

  /// Fields in the table's form that override those of a locale.
  init(overlaid fields: String, on identifier: String) {
    add(fields.split(separator: "\t")[...])
    for (key, value) in LocaleFields(of: identifier).values where values[key] == nil {
      values[key] = value
    }
  }

  private mutating func add(_ fields: ArraySlice<Substring>) {
    for field in fields {
      guard let key = field.utf8.first, values[key] == nil else { continue }
      values[key] = field.dropFirst()
    }
  }

  func text(_ key: Unicode.Scalar) -> String {
    String(values[UInt8(ascii: key)] ?? "")
  }

  /// A list; if the locale lacks it, the list under another key.
  func list(_ key: Unicode.Scalar, else other: Unicode.Scalar? = nil) -> [String] {
    if let value = values[UInt8(ascii: key)], !value.isEmpty {
      return value.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    }
    return other.map { list($0) } ?? []
  }

  /// The table's line for an identifier, by binary search: the lines are sorted by their bytes.
  static func line(of identifier: String) -> String? {
    LocaleTable.text.withUTF8Buffer { text in
      let newline = UInt8(ascii: "\n")
      var low = 0
      var high = text.count
      while low < high {
        let middle = (low + high) / 2
        // Every command does this, also where it is not optimised: loops are faster there.
        var start = middle
        while start > low, text[start - 1] != newline { start -= 1 }
        var end = middle
        while end < high, text[end] != newline { end += 1 }
        let line = text[start..<end]
        let name = line.prefix { $0 != UInt8(ascii: "\t") }
        if name.elementsEqual(identifier.utf8) { return String(decoding: line, as: UTF8.self) }
        if name.lexicographicallyPrecedes(identifier.utf8) {
          low = min(end + 1, high)
        } else {
          high = start
        }
      }
      return nil
    }
  }

  /// Every identifier of the table.
  static var identifiers: [String] {
    LocaleTable.text.withUTF8Buffer { text in
      text.split(separator: UInt8(ascii: "\n")).map { line in
        String(decoding: line.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
      }
    }
  }
}
