import TestSupport
import Testing

@testable import AgendaPictures

@Suite("the ends of pictures") struct PictureEndTests {
  private static let samples: [[UInt8]] = [
    PictureSample.png(3, 3), PictureSample.jpeg(orientation: 6), PictureSample.gif,
    PictureSample.webp,
  ]

  private func isComplete(_ bytes: [UInt8]) -> Bool {
    (try? PictureMetadata.checkCompleteness(of: bytes)) != nil
  }

  @Test("a whole picture is accepted, and none that is cut off anywhere")
  func cutAnywhere() {
    for whole in Self.samples {
      #expect(isComplete(whole))
      let accepted = whole.indices.filter { isComplete(Array(whole[..<$0])) }
      #expect(accepted.isEmpty, "\(whole.prefix(4)): \(accepted) of \(whole.count)")
    }
  }

  @Test("data after the end of a picture is accepted")
  func dataAfterTheEnd() {
    for whole in Self.samples { #expect(isComplete(whole + [0, 0, 0])) }
  }

  @Test("the end of the thumbnail in the Exif data is not the end of the picture")
  func endOfThumbnail() {
    // SOI, an APP1 segment of eight bytes with EOI in it, then SOS and some data.
    let cut: [UInt8] = [
      0xff, 0xd8, 0xff, 0xe1, 0, 8, 0xff, 0xd8, 1, 2, 0xff, 0xd9, 0xff, 0xda, 0, 4, 1, 2, 3, 4,
    ]
    #expect(!isComplete(cut))
    #expect(isComplete(cut + [0xff, 0xd9]))
  }
}
