import AgendaCore
import Foundation
import Testing

/// Letters without accents, compared with the decomposition of Unicode that Foundation has.
@Suite struct LatinLetterTests {
  private func decomposed(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars.first
  }

  @Test("the base of an accented letter is that of Unicode")
  func bases() throws {
    var count = 0
    for value in [0xC0..<0x250, 0x1E00..<0x1F00].joined() {
      let scalar = try #require(Unicode.Scalar(UInt32(value)))
      guard let base = decomposed(scalar), base != scalar, base.isASCII else { continue }
      #expect(LatinLetter.base(of: scalar) == base)
      count += 1
    }
    #expect(count > 400)
  }

  @Test("what Unicode does not decompose stays, except letters with strokes and the dotless i")
  func others() throws {
    var strokes = ""
    for value in 0..<0x2000 {
      guard let scalar = Unicode.Scalar(UInt32(value)), decomposed(scalar) == scalar else {
        continue
      }
      let base = LatinLetter.base(of: scalar)
      if base != scalar { strokes.unicodeScalars.append(scalar) }
    }
    #expect(strokes == "ØøĐđĦħıŁłŦŧ")
  }
}
