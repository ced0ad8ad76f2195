package import AgendaCore

// The reasons why a picture has no thumbnail.

extension Finding {
  package static func pictureTooLong(bytes: Int) -> Finding {
    Finding(
      .warning, "picture", "the picture has \(varying: bytes) bytes", "no thumbnail made")
  }

  package static func pictureTooLarge(width: Int, height: Int) -> Finding {
    Finding(
      .warning, "picture",
      "the picture claims \(varying: width) × \(varying: height) pixels", "no thumbnail made")
  }

  /// It begins like a picture, but the decoder cannot read it.
  package static let unreadablePicture = Finding(
    .warning, "picture", "the picture cannot be read", "no thumbnail made")

  /// The decoder ended during this picture: a crash, or too much memory or time.
  package static let pictureEndedDecoder = Finding(
    .warning, "picture", "the picture crashed its decoder", "no thumbnail made")

  package static let pictureTookTooLong = Finding(
    .warning, "picture", "decoding the picture takes too long", "no thumbnail made")
}
