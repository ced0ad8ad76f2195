/// Why a picture has no thumbnail.
package enum PictureProblem: Error, Hashable, CustomStringConvertible {
  case tooManyBytes(Int)
  case tooLarge(width: Int, height: Int)
  /// It begins like a picture, but the decoder cannot read it.
  case unreadable
  /// The decoder came to its end over it: a crash, or too much memory or time.
  case decoderEnded
  case tookTooLong

  package var description: String {
    switch self {
    case .tooManyBytes(let count): "the picture has \(count) bytes"
    case .tooLarge(let width, let height): "the picture claims \(width) × \(height) pixels"
    case .unreadable: "the picture cannot be read"
    case .decoderEnded: "the picture crashed its decoder"
    case .tookTooLong: "decoding the picture takes too long"
    }
  }
}

/// What a thumbnail may cost.
package enum PictureLimit {
  /// Of the longer side of a thumbnail, in pixels.
  package static let side = 256
  /// Of a picture, encoded.
  package static let bytes = 32 << 20
  /// Of a picture, decoded: 64 megapixels.
  package static let pixels = 64_000_000

  /// Address space of the decoder: a picture of that size twice, and itself.
  static let memory: UInt64 = 768 << 20
  /// Seconds of processor time, and by the clock, for one picture.
  static let seconds = 10
  /// Seconds by the clock for all pictures of a run.
  static let secondsInAll = 120
  /// How many decoders may be lost in a run.
  static let losses = 8
}
