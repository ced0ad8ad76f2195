internal import AgendaCore

/// The size in the first bytes of a picture, read before anything is decoded.
struct PictureHeader: Equatable {
  var width: Int
  var height: Int

  /// `nil` if the header does not belong to the format.
  init?(_ bytes: [UInt8], format: PictureFormat) {
    let size: (width: Int?, height: Int?)? =
      switch format {
      case .png: Self.png(bytes)
      case .jpeg: Self.jpeg(bytes)
      case .gif: (bytes.littleEndian(at: 6, count: 2), bytes.littleEndian(at: 8, count: 2))
      case .webp: Self.webp(bytes)
      }
    guard let width = size?.width, let height = size?.height, width > 0, height > 0 else {
      return nil
    }
    self.width = width
    self.height = height
  }

  /// Cannot overflow: no format has more than 32 bits for either.
  var pixels: Int { width * height }

  /// The IHDR chunk comes first.
  private static func png(_ bytes: [UInt8]) -> (Int?, Int?)? {
    guard bytes.dropFirst(12).starts(with: "IHDR".utf8) else { return nil }
    return (bytes.bigEndian(at: 16, count: 4), bytes.bigEndian(at: 20, count: 4))
  }

  /// The first SOF segment.
  private static func jpeg(_ bytes: [UInt8]) -> (Int?, Int?)? {
    for segment in JPEGSegments(bytes) {
      // C4, C8 and CC are tables and extensions, not frames.
      guard 0xc0...0xcf ~= segment.marker, ![0xc4, 0xc8, 0xcc].contains(segment.marker) else {
        continue
      }
      let start = segment.content.lowerBound
      return (bytes.bigEndian(at: start + 3, count: 2), bytes.bigEndian(at: start + 1, count: 2))
    }
    return nil
  }

  /// A lossy, lossless or extended one (RFC 9649).
  private static func webp(_ bytes: [UInt8]) -> (Int?, Int?)? {
    let chunk = bytes.dropFirst(12)
    if chunk.starts(with: "VP8X".utf8) {
      return (
        bytes.littleEndian(at: 24, count: 3).map { $0 + 1 },
        bytes.littleEndian(at: 27, count: 3).map { $0 + 1 }
      )
    }
    if chunk.starts(with: "VP8L".utf8), let packed = bytes.littleEndian(at: 21, count: 4) {
      return (packed & 0x3fff + 1, packed >> 14 & 0x3fff + 1)
    }
    if chunk.starts(with: "VP8 ".utf8) {
      return (
        bytes.littleEndian(at: 26, count: 2).map { $0 & 0x3fff },
        bytes.littleEndian(at: 28, count: 2).map { $0 & 0x3fff }
      )
    }
    return nil
  }
}

/// The segments of a JPEG before its picture data.
struct JPEGSegments: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  /// Of the next segment, or of what ends the header.
  private(set) var position = 2

  struct Segment {
    var marker: UInt8
    /// Without the length.
    var content: Range<Int>
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private static let startOfScan: UInt8 = 0xda

  mutating func next() -> Segment? {
    while position + 1 < bytes.count, bytes[position] == 0xff {
      let marker = bytes[position + 1]
      // Fill bytes, and markers without a length.
      if marker == 0xff {
        position += 1
        continue
      }
      if marker == 0x01 || 0xd0...0xd8 ~= marker {
        position += 2
        continue
      }
      guard marker != Self.startOfScan, marker != 0xd9,
        let length = bytes.bigEndian(at: position + 2, count: 2), length >= 2,
        position + 2 + length <= bytes.count
      else { return nil }
      defer { position += 2 + length }
      return Segment(marker: marker, content: position + 4..<position + 2 + length)
    }
    return nil
  }
}

extension [UInt8] {
  /// An unsigned number; `nil` beyond the end.
  func bigEndian(at index: Int, count: Int) -> Int? {
    guard index >= 0, index + count <= self.count else { return nil }
    return self[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// An unsigned number; `nil` beyond the end.
  func littleEndian(at index: Int, count: Int) -> Int? {
    guard index >= 0, index + count <= self.count else { return nil }
    return self[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
