/// How a picture must be turned to be upright: the orientation of Exif 2.32, 4.6.4, tag
/// 0x0112, as cameras write it.
enum PictureOrientation: Int {
  case upright = 1
  case mirrored, upsideDown, mirroredUpsideDown, mirroredOnLeft, onLeft, mirroredOnRight, onRight

  /// Upright if a JPEG has no valid orientation.
  init(ofJPEG bytes: [UInt8]) {
    for segment in JPEGSegments(bytes)
    where segment.marker == 0xe1 && bytes[segment.content].starts(with: "Exif\0\0".utf8) {
      let number = Self.number(in: Array(bytes[segment.content].dropFirst(6)))
      self = number.flatMap(PictureOrientation.init) ?? .upright
      return
    }
    self = .upright
  }

  /// Whether width and height change places.
  var isOnSide: Bool { rawValue >= Self.mirroredOnLeft.rawValue }

  /// Where a pixel of the upright picture, which has this width and height, is in the one stored.
  func stored(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .upsideDown: (width - 1 - x, height - 1 - y)
    case .mirroredUpsideDown: (x, height - 1 - y)
    case .mirroredOnLeft: (y, x)
    case .onLeft: (y, width - 1 - x)
    case .mirroredOnRight: (height - 1 - y, width - 1 - x)
    case .onRight: (height - 1 - y, x)
    }
  }

  /// The tag in the first directory of a TIFF header.
  private static func number(in tiff: [UInt8]) -> Int? {
    let isLittle = tiff.starts(with: "II".utf8)
    guard isLittle || tiff.starts(with: "MM".utf8) else { return nil }
    func read(_ index: Int, _ count: Int) -> Int? {
      isLittle
        ? tiff.littleEndian(at: index, count: count) : tiff.bigEndian(at: index, count: count)
    }
    guard read(2, 2) == 42, let directory = read(4, 4), let entries = read(directory, 2) else {
      return nil
    }
    for entry in 0..<entries {
      let start = directory + 2 + entry * 12
      guard let tag = read(start, 2) else { return nil }
      // A SHORT is in the first two of the entry's four bytes of value.
      if tag == 0x0112 { return read(start + 2, 2) == 3 ? read(start + 8, 2) : nil }
    }
    return nil
  }
}
