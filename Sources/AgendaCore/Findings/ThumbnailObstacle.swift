/// The reason why no thumbnail can be made at all, or no more in this run.
package enum ThumbnailObstacle: Hashable, Sendable, CustomStringConvertible {
  case noProgram
  case noLibrary
  case tooManyLosses
  case tooMuchTime

  package var description: String {
    switch self {
    case .noProgram: "the decoder cannot be started"
    case .noLibrary: "libgd is not installed"
    case .tooManyLosses: "too many pictures crashed their decoder"
    case .tooMuchTime: "decoding the pictures takes too long"
    }
  }
}
