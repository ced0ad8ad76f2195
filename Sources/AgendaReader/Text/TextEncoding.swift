internal import ICalendar

/// The encoding of the text of a source.
public enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  /// UTF-8.
  case utf8 = "UTF-8"
  /// UTF-16 with a byte order mark.
  case utf16 = "UTF-16"
  /// UTF-16 with the less significant byte first.
  case utf16LittleEndian = "UTF-16LE"
  /// UTF-16 with the more significant byte first.
  case utf16BigEndian = "UTF-16BE"
  /// Windows-1252, for Western European languages.
  case windows1252 = "Windows-1252"
  /// ISO 8859-1, for Western European languages.
  case latin1 = "ISO-8859-1"
  /// ISO 8859-15: like ISO 8859-1, with the euro sign.
  case latin9 = "ISO-8859-15"

  /// The encoding with a name or a usual alias, such as `latin1` or `cp1252`, in any letter case.
  public init?(named name: String) {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    switch plain {
    case "utf8", "ascii", "usascii": self = .utf8
    case "utf16", "unicode": self = .utf16
    case "utf16le": self = .utf16LittleEndian
    case "utf16be": self = .utf16BigEndian
    case "windows1252", "cp1252", "1252", "ansi": self = .windows1252
    case "iso88591", "latin1": self = .latin1
    case "iso885915", "latin9": self = .latin9
    default: return nil
    }
  }
}
