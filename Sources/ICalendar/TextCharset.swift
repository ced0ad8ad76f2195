/// The CHARSET parameter of vCalendar 1.0, which applies to encoded texts.
///
/// Phones write ISO-8859-1 and mean Windows-1252, as on the web. Outlook wrote the code page of the
/// computer without a CHARSET.
enum TextCharset {
  case windows1252
  case known(KnownEncoding)
  case utf8
  /// Its name, in capitals.
  case unsupported(String)
  case missing

  init(of view: ContentView) {
    guard let range = view.parameter("CHARSET") else {
      self = .missing
      return
    }
    let bytes = view.bytes.part(range.lowerBound, range.upperBound)
    if bytes.isName("UTF-8") {
      self = .utf8
      return
    }
    let name = bytes.text
    switch KnownEncoding.plain(name) {
    case "iso88591", "latin1", "windows1252", "cp1252", "usascii": self = .windows1252
    case "utf8": self = .utf8
    default: self = KnownEncoding(named: name).map(Self.known) ?? .unsupported(name.uppercased())
    }
  }

  /// The text in UTF-8. What cannot be read in the charset is read as Windows-1252, if it is not UTF-8.
  func utf8(_ bytes: Bytes) -> (text: [UInt8], problem: CharsetProblem?) {
    // UTF-8 is hardly ever valid by chance in text of single bytes, and programs write it under the
    // name of the local encoding. But two Chinese characters often look like UTF-8.
    var isSingleByte = true
    if case .known(let encoding) = self { isSingleByte = encoding.isSingleByte }
    if isSingleByte, bytes.isUTF8 { return (Array(bytes), nil) }
    switch self {
    case .windows1252: return (Windows1252.utf8(bytes), nil)
    case .missing: return (Windows1252.repaired(bytes), nil)
    case .utf8: return (Windows1252.repaired(bytes), .notUTF8)
    case .unsupported(let name): return (Windows1252.repaired(bytes), .unsupported(name))
    case .known(let encoding):
      guard var converter = encoding.converter else {
        return (Windows1252.repaired(bytes), .noConverter(encoding.name))
      }
      let (text, isWhole) = converter.utf8(bytes)
      if isWhole { return (text, nil) }
      return bytes.isUTF8 ? (Array(bytes), nil) : (text, .invalid(encoding.name))
    }
  }
}

/// Why an encoded text is not read in its charset, or not completely.
package enum CharsetProblem {
  case notUTF8
  /// The charset, in capitals.
  case unsupported(String)
  /// This computer has no converter from the charset.
  case noConverter(String)
  /// Some bytes are not in the charset.
  case invalid(String)
}
