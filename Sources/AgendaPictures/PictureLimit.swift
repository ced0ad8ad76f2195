/// The limits for thumbnails.
package enum PictureLimit {
  /// The longer side of a thumbnail, in pixels.
  package static let side = 256
  /// The bytes of an encoded picture.
  package static let bytes = 32 << 20
  /// The pixels of a decoded picture: 64 megapixels.
  package static let pixels = 64_000_000

  /// Address space of the decoder: a picture of that size twice, and itself.
  static let memory: UInt64 = 768 << 20
  /// The seconds of processor time, and of wall time, for one picture.
  static let seconds = 10
  /// The seconds of wall time for all pictures of a run.
  static let secondsInAll = 120
  /// The number of decoders that may crash in a run.
  static let losses = 8
}
