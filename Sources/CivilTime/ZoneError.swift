/// Why a zone can't be loaded.
public enum ZoneError: Error, Hashable, Sendable {
  /// Not the form of a zone name: `../../../etc/passwd`, `/dev/zero`, an empty text.
  case notAName(String)
  case notFound(String, folder: String)
  /// A FIFO, a device, a folder, or a link that leads out of the zone folder.
  case notRegular(String)
  case unreadable(String, code: Int32)
  case badFile(String, ZoneFileError)
  /// `TZ` is neither the name of a zone nor a rule.
  case notARule(String, ZoneFooterError)
}

extension ZoneError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAName(let name): "\"\(name)\" is not a zone name"
    case .notFound(let name, let folder): "no time zone \"\(name)\" in \(folder)"
    case .notRegular(let name): "time zone \"\(name)\" is not a regular file of the zone folder"
    case .unreadable(let name, let code):
      "time zone \"\(name)\" cannot be read (system error \(code))"
    case .badFile(let name, let error): "time zone \"\(name)\": \(error)"
    case .notARule(let text, let error):
      "expected a time zone or a TZ rule, got \"\(text)\": \(error)"
    }
  }
}
