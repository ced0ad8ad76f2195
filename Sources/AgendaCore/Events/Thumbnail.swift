/// A small copy of a picture, written anew from its pixels: nothing else of the picture is in it.
public struct Thumbnail: Hashable, Sendable {
  /// How the bytes of a thumbnail are encoded.
  public enum Format: UInt8, Hashable, Sendable {
    case png = 1
    case jpeg = 2
  }

  /// A digest of the picture, in hex digits.
  public var picture: String
  public var format: Format
  public var bytes: [UInt8]

  public init(picture: String, format: Format, bytes: [UInt8]) {
    self.picture = picture
    self.format = format
    self.bytes = bytes
  }

  /// What a file of it is called: the same for the same picture, and nothing that a calendar wrote.
  public var fileName: String { picture + (format == .png ? ".png" : ".jpg") }
}
