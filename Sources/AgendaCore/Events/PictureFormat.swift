/// A picture format with thumbnails, detected by the first bytes, because a calendar may call
/// anything a picture.
public enum PictureFormat: UInt8, Hashable, Sendable, CaseIterable {
  case png = 1
  case jpeg = 2
  case gif = 3
  case webp = 4

  /// `nil` if the bytes do not begin like one of these formats, as with SVG and HTML.
  public init?(firstBytesOf bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// `image/jpeg`
  public var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .webp: "image/webp"
    }
  }
}

extension Attachment {
  /// Whether its bytes can be a picture to show: no property in the calendar contradicts that. One without
  /// a type can be anything, as one of the type application/octet-stream (RFC 5545 3.8.1.1).
  package var canBePicture: Bool {
    guard byteCount != nil, hasKnownDisplay else { return false }
    guard let mediaType, !isImage else { return true }
    return mediaType.hasPrefix("image/") || mediaType == "application/octet-stream"
  }
}
