/// The reason why a picture has no thumbnail.
package enum PictureProblem: Error, Hashable, Sendable {
  case tooManyBytes(Int)
  case tooLarge(width: Int, height: Int)
  /// It begins like a picture, but the decoder cannot read it.
  case unreadable
  /// The decoder ended during this picture: a crash, or too much memory or time.
  case decoderEnded
  case tookTooLong
}

/// The reason why no thumbnail can be made at all, or none any more in this run.
package enum ThumbnailObstacle: String, Hashable, Sendable {
  case noProgram = "no-program"
  case noLibrary = "no-library"
  case tooManyLosses = "too-many-losses"
  case tooMuchTime = "too-much-time"
}
