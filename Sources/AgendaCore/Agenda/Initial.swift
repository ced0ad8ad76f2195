/// The letter of the section for a name.
package enum Initial {
  /// The first letter of a text, in upper case and without its accent: `E` for `études`, `A` for `🎂
  /// Ana`. `#` if a digit comes first or the text has no letter; `nil` for an empty text.
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
