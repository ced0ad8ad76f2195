import AgendaCore
import TestSupport
import Testing

@testable import AgendaPictures

@Suite("picture headers") struct PictureHeaderTests {
  @Test("the first bytes decide the format, never the media type in the calendar")
  func formats() {
    let expected: [([UInt8], PictureFormat?)] = [
      (PictureSample.png(1, 1), .png), (PictureSample.jpeg, .jpeg), (PictureSample.gif, .gif),
      (PictureSample.webp, .webp), (Array("<html>".utf8), nil), (Array("<svg/>".utf8), nil),
      (Array("RIFF....WAVE".utf8), nil), (Array("BM".utf8), nil), ([], nil), ([0xff, 0xd8], nil),
    ]
    for (bytes, format) in expected { #expect(PictureFormat(firstBytesOf: bytes) == format) }
  }

  @Test("the size is read from the header before anything is decoded")
  func sizes() {
    let pictures: [([UInt8], PictureFormat)] = [
      (PictureSample.png(40, 20), .png), (PictureSample.jpeg, .jpeg), (PictureSample.gif, .gif),
      (PictureSample.webp, .webp), (PictureSample.jpeg(orientation: 6), .jpeg),
    ]
    for (bytes, format) in pictures {
      let header = PictureHeader(bytes, format: format)
      #expect(header?.width == 40)
      #expect(header?.height == 20)
    }
    let claimed = PictureHeader(
      PictureSample.png(2, 2, claimed: (60_000, 60_000)), format: .png)
    #expect(claimed?.pixels == 3_600_000_000)
  }

  @Test("a header that is cut off anywhere gives a size or none, and never a trap")
  func truncated() {
    for whole in [
      PictureSample.png(3, 3), PictureSample.jpeg(orientation: 6), PictureSample.gif,
      PictureSample.webp,
    ] {
      for count in 0..<whole.count {
        for format in PictureFormat.allCases {
          _ = PictureHeader(Array(whole[..<count]), format: format)
        }
        _ = PictureOrientation(ofJPEG: Array(whole[..<count]))
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var bytes = PictureSample.jpeg(orientation: 3)
      for _ in 0..<4 {
        bytes[Int.random(in: 2..<60, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      _ = PictureHeader(bytes, format: .jpeg)
      _ = PictureOrientation(ofJPEG: bytes)
    }
  }

  @Test("the orientation of Exif is read where it is one", arguments: UInt8(0)...9)
  func orientations(number: UInt8) {
    let orientation = PictureOrientation(ofJPEG: PictureSample.jpeg(orientation: number))
    #expect(orientation.rawValue == (1...8 ~= number ? Int(number) : 1))
  }

  @Test("a name is half of the SHA-256 of FIPS 180-4", .requiresPython)
  func digests() throws {
    #expect(PictureDigest.name(of: Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223")
    #expect(PictureDigest.name(of: []) == "e3b0c44298fc1c149afbf4c8996fb924")
    for count in [55, 56, 63, 64, 65, 119, 120, 1000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let script =
        "import hashlib; print(hashlib.sha256(bytes(i % 256 for i in range(\(count)))).hexdigest()[:32])"
      let run = try Python.run(["-c", script])
      #expect(PictureDigest.name(of: bytes) == String(run.output.prefix(32)))
    }
  }

  @Test("a lossless WebP has its size in 14 bits each, less one (RFC 9649, 3.4)")
  func losslessWebP() {
    for (width, height) in [(40, 20), (1, 1), (16_384, 16_384), (1, 16_384)] {
      let packed = (width - 1) | (height - 1) << 14
      let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: packed >> $0) }
      let bytes = Array("RIFF....WEBPVP8L....".utf8) + [0x2f] + size
      let header = PictureHeader(bytes, format: .webp)
      #expect(header?.width == width)
      #expect(header?.height == height)
    }
  }

  @Test("a picture without width or height has no header")
  func emptyPicture() {
    for size in [(0, 20), (40, 0), (0, 0)] {
      #expect(PictureHeader(PictureSample.png(1, 1, claimed: size), format: .png) == nil)
    }
  }

  /// Exif 2.32, 4.6.4, tag 0x0112: the side of the upright picture at which the stored rows begin, and
  /// the one at which the stored columns begin.
  @Test("each orientation turns a picture as Exif describes it")
  func turns() throws {
    let sides = [
      ("top", "left"), ("top", "right"), ("bottom", "right"), ("bottom", "left"), ("left", "top"),
      ("right", "top"), ("right", "bottom"), ("left", "bottom"),
    ]
    let (width, height) = (3, 2)
    for (index, (rows, columns)) in sides.enumerated() {
      let orientation = try #require(PictureOrientation(rawValue: index + 1))
      let isOnSide = ["left", "right"].contains(rows)
      #expect(orientation.isOnSide == isOnSide)
      for row in 0..<(isOnSide ? width : height) {
        for column in 0..<(isOnSide ? height : width) {
          var (x, y) = (0, 0)
          for (side, offset) in [(rows, row), (columns, column)] {
            switch side {
            case "top": y = offset
            case "bottom": y = height - 1 - offset
            case "left": x = offset
            default: x = width - 1 - offset
            }
          }
          let stored = orientation.stored(x: x, y: y, width: width, height: height)
          #expect(stored == (column, row), "\(index + 1): \(rows), \(columns)")
        }
      }
    }
  }
}
