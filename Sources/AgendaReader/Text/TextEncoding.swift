internal import ICalendar
internal import Platform

/// The encoding of the text of a source.
package struct TextEncoding: Hashable, Sendable {
  /// The usual name, such as `Windows-1252`.
  package let name: String

  /// UTF-8.
  package static let utf8 = TextEncoding(stored: "UTF-8")
  /// UTF-16 with a byte order mark.
  package static let utf16 = TextEncoding(stored: "UTF-16")
  /// UTF-16 with the less significant byte first.
  package static let utf16LittleEndian = TextEncoding(stored: "UTF-16LE")
  /// UTF-16 with the more significant byte first.
  package static let utf16BigEndian = TextEncoding(stored: "UTF-16BE")
  /// Windows-1252, for Western European languages.
  package static let windows1252 = TextEncoding(stored: "Windows-1252")
  /// ISO 8859-1, for Western European languages.
  package static let latin1 = TextEncoding(stored: "ISO-8859-1")
  /// ISO 8859-15: like ISO 8859-1, with the euro sign.
  package static let latin9 = TextEncoding(stored: "ISO-8859-15")

  /// The encodings that most calendars have.
  package static let common: [TextEncoding] = [
    .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .windows1252, .latin1, .latin9,
    TextEncoding(stored: "Windows-1250"), TextEncoding(stored: "Windows-1251"),
    TextEncoding(stored: "ISO-8859-2"), TextEncoding(stored: "KOI8-R"),
    TextEncoding(stored: "Shift_JIS"), TextEncoding(stored: "EUC-KR"),
    TextEncoding(stored: "GB18030"), TextEncoding(stored: "Big5"),
  ]

  /// The encoding with a name or a usual alias, such as `latin1` or `cp1252`, in any letter case;
  /// also any other that the C library can convert.
  package init?(named name: String) {
    switch KnownEncoding.plain(name) {
    case "utf8", "ascii", "usascii": self = .utf8
    case "utf16", "unicode": self = .utf16
    case "utf16le": self = .utf16LittleEndian
    case "utf16be": self = .utf16BigEndian
    case "windows1252", "cp1252", "1252", "ansi": self = .windows1252
    case "iso88591", "latin1": self = .latin1
    default:
      if let known = KnownEncoding(named: name) {
        self.name = known.name
      } else if TextConverter(from: name) != nil {
        self.name = name.uppercased()
      } else {
        return nil
      }
    }
  }

  /// The encoding with the name that a store has kept. If this computer cannot convert it, reading
  /// fails, and no other encoding is tried.
  package init(stored name: String) {
    self.name = name
  }

  var converter: TextConverter? {
    if let known = KnownEncoding(named: name) { return known.converter }
    return TextConverter(from: name)
  }
}
