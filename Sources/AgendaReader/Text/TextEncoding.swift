internal import ICalendar

/// The encoding of the text of a source.
public enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "UTF-8"
  case utf16 = "UTF-16"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case windows1252 = "Windows-1252"
  case latin1 = "ISO-8859-1"
  case latin9 = "ISO-8859-15"

  /// By its name in any letter case, with the aliases that people use: `latin1`, `cp1252`.
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
