/// Data as Markdown shows it: harmless text, with everything escaped that CommonMark, GitHub's tables
/// and strikethrough, or the formulas, tags and highlights of notebooks would read as syntax.
package enum MarkdownText {
  /// One line that stands within a paragraph, a list item or a heading: `\# \<img>` for `# <img>`.
  package static func inline(_ text: String) -> String {
    let safe = SafeText.line(text)
    var bytes = safe
    let isPlain = bytes.withUTF8 { bytes in
      bytes.allSatisfy { !isSyntax($0) && $0 != UInt8(ascii: "&") }
    }
    if isPlain { return safe }
    var escaped = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    let scalars = safe.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      let following = next < scalars.endIndex ? scalars[next] : " "
      let isEscaped =
        switch scalar {
        // An entity; a lone ampersand is itself.
        case "&": following == "#" || following.properties.isAlphabetic
        // Within a word it is a letter like others.
        case "_": !(previous.isWordPart && following.isWordPart)
        case "#": !previous.isWordPart
        // Two of them are a highlight, or hide a comment.
        case "=", "%": following == scalar || previous == scalar
        default: scalar.isASCII && isSyntax(UInt8(truncatingIfNeeded: scalar.value))
        }
      if isEscaped { escaped.append("\\") }
      escaped.append(scalar)
      previous = scalar
    }
    return String(escaped)
  }

  private static func isSyntax(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "#"), UInt8(ascii: "|"), UInt8(ascii: "~"), UInt8(ascii: "$"),
      UInt8(ascii: "="), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  /// A link's destination, if it is one that may be followed: http, https or mailto. Whatever could
  /// end it early is percent-encoded.
  static func destination(_ url: String) -> String? {
    let trimmed = SafeText.line(url)
    let lowered = trimmed.prefix { $0 != ":" }.lowercased()
    guard ["http", "https", "mailto"].contains(lowered), trimmed.utf8.count > lowered.utf8.count + 1
    else { return nil }
    return encoded(trimmed)
  }

  /// A file's path as a destination.
  static func path(_ path: String) -> String { encoded(path) }

  private static func encoded(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0...0x20, 0x7f..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"),
        UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "^"), UInt8(ascii: "*"):
        bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The anchor that GitHub and pandoc give to a heading: `saturday-21-november-2026`.
  static func anchor(ofHeading title: String) -> String {
    var anchor = String.UnicodeScalarView()
    for scalar in title.lowercased().unicodeScalars {
      switch scalar {
      case " ": anchor.append("-")
      case "-", "_": anchor.append(scalar)
      default:
        let category = scalar.properties.generalCategory
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
          .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
          .connectorPunctuation:
          anchor.append(scalar)
        default: break
        }
      }
    }
    return String(anchor)
  }
}

extension Unicode.Scalar {
  fileprivate var isWordPart: Bool {
    isASCII && (properties.isAlphabetic || properties.numericType != nil)
  }
}
