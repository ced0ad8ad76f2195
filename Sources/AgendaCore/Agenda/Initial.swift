/// The letter under which a name is filed.
package enum Initial {
  /// The first letter of a text, in upper case and without its accent: `E` for `études`, `A` for
  /// `🎂 Ana`; `#` where a digit comes first or no letter at all; `nil` for an empty text.
  package static func of(_ text: String) -> String? {
    var isBlank = true
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic {
        guard let upper = scalar.properties.uppercaseMapping.unicodeScalars.first else {
          return "#"
        }
        return String(Character(LatinLetter.base(of: upper)))
      }
      if scalar.properties.numericType != nil { return "#" }
      if !scalar.properties.isWhitespace { isBlank = false }
    }
    return isBlank ? nil : "#"
  }
}
