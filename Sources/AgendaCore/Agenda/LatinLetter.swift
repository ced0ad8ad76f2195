/// Latin letters without their accents, for sorting and finding names: the base letters of
/// Unicode's canonical decomposition, and those of letters with strokes, which it does not
/// decompose.
package enum LatinLetter {
  /// `E` for `É`, `o` for `ø`; any other scalar as it is.
  package static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    let value = Int(scalar.value)
    let letter: UInt8? =
      if firstBlock.contains(value) {
        table(firstBlockBases, at: value - firstBlock.lowerBound)
      } else if secondBlock.contains(value) {
        table(secondBlockBases, at: value - secondBlock.lowerBound)
      } else {
        nil
      }
    guard let letter, letter != UInt8(ascii: ".") else { return scalar }
    return Unicode.Scalar(letter)
  }

  private static func table(_ bases: StaticString, at index: Int) -> UInt8? {
    bases.withUTF8Buffer { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// Latin-1 Supplement, Extended-A and Extended-B.
  private static let firstBlock = 0xC0..<0x250
  private static let firstBlockBases: StaticString = """
    AAAAAA.CEEEEIIII.NOOOOO.OUUUUY..aaaaaa.ceeeeiiii.nooooo.ouuuuy.y\
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi..JjKk.LlLlLl.\
    .LlNnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZz.\
    ................................Oo.............Uu...............\
    .............AaIiOoUuUuUuUuUu.AaAa....GgKkOoOo..j...Gg..NnAa....\
    AaAaEeEeIiIiOoOoRrRrUuUuSsTt..Hh......AaEeOoOoOoOoYy............\
    ................
    """

  /// Latin Extended Additional.
  private static let secondBlock = 0x1E00..<0x1F00
  private static let secondBlockBases: StaticString = """
    AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMm\
    MmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVv\
    WwWwWwWwWwXxXxYyZzZzZzhtwy......AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe\
    EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy......
    """
}
