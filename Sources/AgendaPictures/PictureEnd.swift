internal import AgendaCore

/// The mark at the end of a picture. A picture that was cut off lacks it; decoders then show grey areas
/// instead of an error.
enum PictureEnd {
  static func isPresent(in bytes: [UInt8], format: PictureFormat) -> Bool {
    switch format {
    case .jpeg: jpeg(bytes)
    case .png: png(bytes)
    case .gif: bytes.last { $0 != 0 } == UInt8(ascii: ";")
    case .webp: bytes.littleEndian(at: 4, count: 4).map { $0 + 8 <= bytes.count } ?? false
    }
  }

  /// An EOI marker at or after the first scan. Some cameras add data after it, and the thumbnail in
  /// the Exif data has one too.
  private static func jpeg(_ bytes: [UInt8]) -> Bool {
    var segments = JPEGSegments(bytes)
    while segments.next() != nil {}
    let begin = segments.position
    guard begin + 1 < bytes.count, bytes[begin] == 0xff, [0xd9, 0xda].contains(bytes[begin + 1])
    else { return false }
    return (begin..<bytes.count - 1).contains { bytes[$0] == 0xff && bytes[$0 + 1] == 0xd9 }
  }

  /// An IEND chunk; each chunk has a length, a type, its data and a checksum.
  private static func png(_ bytes: [UInt8]) -> Bool {
    var position = 8
    while let length = bytes.bigEndian(at: position, count: 4),
      position + 12 + length <= bytes.count
    {
      if bytes[(position + 4)..<(position + 8)].elementsEqual("IEND".utf8) { return true }
      position += 12 + length
    }
    return false
  }
}
