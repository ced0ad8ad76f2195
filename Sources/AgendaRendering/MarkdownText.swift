/// Text of a calendar as harmless Markdown. It escapes everything that CommonMark, GitHub's tables
/// and strikethrough, or the formulas, tags and highlights of notebooks would read as syntax.
package enum MarkdownText {
  /// One line within a paragraph, a list item or a heading: `\# \<img>` for `# <img>`.
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
        // It begins an entity. Before a space, an ampersand is only a character.
        case "&": following == "#" || following.properties.isAlphabetic
        // Inside a word it is not syntax.
        case "_": !(previous.isWordPart && following.isWordPart)
        case "#": !previous.isWordPart
        // Two of them mark a highlight, or hide a comment.
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
