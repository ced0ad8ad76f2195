/// The CHARSET parameter of vCalendar 1.0, which applies to encoded texts.
///
/// Phones write ISO-8859-1 and mean Windows-1252, as on the web. Outlook wrote the code page of the
/// computer without a CHARSET.
enum TextCharset {
  case latin9, cyrillic, windows1252
  /// UTF-8, or a charset that agenda does not know.
  case other

  init(of view: ContentView) {
    guard let range = view.parameter("CHARSET") else {
      self = .other
      return
    }
    let name = view.bytes.part(range.lowerBound, range.upperBound)
    if name.isName("ISO-8859-15") {
      self = .latin9
    } else if name.isName("WINDOWS-1251") {
      self = .cyrillic
    } else if name.isName("ISO-8859-1") || name.isName("WINDOWS-1252") || name.isName("US-ASCII") {
      self = .windows1252
    } else {
      self = .other
    }
  }

  /// A text that is not UTF-8. In a charset that is not known, bytes that are UTF-8 stay.
  func utf8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    switch self {
    case .latin9: Windows1252.latin9(bytes)
    case .cyrillic: Windows1252.cyrillic(bytes)
    case .windows1252: Windows1252.utf8(bytes)
    case .other: Windows1252.repaired(bytes)
    }
  }
}

/// Why bytes of an encoded text are read as Windows-1252.
package enum CharsetProblem {
  case notUTF8
  /// The charset, in capitals.
  case unsupported(String)
}
