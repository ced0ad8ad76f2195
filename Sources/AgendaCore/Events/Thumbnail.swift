/// A small copy of a picture. It has only the pixels, without metadata such as the place of a photo.
package struct Thumbnail: Hashable, Sendable {
  /// How the bytes of a thumbnail are encoded.
  package enum Format: UInt8, Hashable, Sendable {
    /// PNG.
    case png = 1
    /// JPEG.
    case jpeg = 2
  }

  /// A digest of the picture in hexadecimal digits.
  package var picture: String
  /// How `bytes` are encoded.
  package var format: Format
  /// The content of an image file.
  package var bytes: [UInt8]

  /// A thumbnail with the digest of its picture and the bytes of an image file.
  package init(picture: String, format: Format, bytes: [UInt8]) {
    self.picture = picture
    self.format = format
    self.bytes = bytes
  }

  /// A name for a file with this thumbnail. It is made of the digest, so the same picture always has
  /// the same name.
  package var fileName: String { picture + (format == .png ? ".png" : ".jpg") }
}
