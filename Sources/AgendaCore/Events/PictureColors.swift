/// The colours of a very small copy of a picture, for a terminal.
package struct PictureColors: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// Red, green and blue of each pixel, row by row.
  package let bytes: [UInt8]

  /// The longer side, in pixels.
  package static let side = 64

  /// `nil` if the bytes are not those of so many pixels.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    guard (1...Self.side).contains(width), (1...Self.side).contains(height),
      bytes.count == width * height * 3
    else { return nil }
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}
