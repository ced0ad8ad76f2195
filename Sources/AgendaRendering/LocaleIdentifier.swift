/// The name of a locale in any common form: `de_AT.UTF-8`, `de-AT`, `zh_Hant_TW`, `sr_RS@latin`,
/// `C.UTF-8`.
struct LocaleIdentifier: Equatable {
  /// `de`, in lower case.
  let language: String
  /// `Hant`
  let script: String?
  /// `AT` or `419`
  let region: String?

  /// `nil` if it is not the name of a locale: the language must be two or three letters.
  init?(_ text: String) {
    let name = text.split(separator: "@", maxSplits: 1)
    guard let main = name.first?.split(separator: ".", maxSplits: 1).first else { return nil }
    let parts = main.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    guard let first = parts.first, (2...3).contains(first.utf8.count), first.isLetters else {
      return nil
    }
    var script: String?
    var region: String?
    for part in parts.dropFirst() {
      guard part.utf8.allSatisfy({ $0.isLetter || $0.isDigit }) else { return nil }
      switch part.utf8.count {
      case 4 where part.isLetters && script == nil && region == nil:
        script = part.prefix(1).uppercased() + part.dropFirst().lowercased()
      case 2 where part.isLetters && region == nil: region = part.uppercased()
      case 3 where part.isDigits && region == nil: region = String(part)
      // Variants do not change the names of days.
      case 4...8: break
      default: return nil
      }
    }
    if name.count == 2, script == nil {
      switch name[1].lowercased() {
      case "latin": script = "Latn"
      case "cyrillic": script = "Cyrl"
      default: break
      }
    }
    language = Self.renamed[first.lowercased()] ?? first.lowercased()
    self.script = script
    self.region = region
  }

  /// Codes that ISO 639 has withdrawn. Java and old systems still write them.
  private static let renamed = ["iw": "he", "in": "id", "ji": "yi", "mo": "ro", "tl": "fil"]

  /// The names under which data is looked up, best first: `zh_Hant_TW`, `zh_TW`, `zh_Hant`, `zh`.
  var candidates: [String] {
    var candidates: [String] = []
    if let script, let region { candidates.append("\(language)_\(script)_\(region)") }
    if let script { candidates.append("\(language)_\(script)") }
    if let region { candidates.append("\(language)_\(region)") }
    candidates.append(language)
    return candidates
  }

  /// Whether it is `C` or `POSIX`, which have no language.
  static func isPlain(_ text: String) -> Bool {
    switch text.split(separator: ".", maxSplits: 1).first {
    case nil, "C", "POSIX": true
    default: false
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= self | 0x20 }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= self }
}

extension Substring {
  fileprivate var isLetters: Bool { utf8.allSatisfy(\.isLetter) }
  fileprivate var isDigits: Bool { utf8.allSatisfy(\.isDigit) }
}
