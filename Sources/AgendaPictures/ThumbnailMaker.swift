package import AgendaCore
internal import Platform

/// Makes thumbnails with a decoder in a separate process, which is started for the first picture and
/// again after each that it did not survive. It is used by one thread.
package final class ThumbnailMaker {
  /// The program that decodes, as `PictureDecoder.run` does.
  package struct Program: Hashable, Sendable {
    package var path: String
    package var arguments: [String]

    package init(path: String, arguments: [String] = [PictureDecoder.argument]) {
      self.path = path
      self.arguments = arguments
    }
  }

  package enum Outcome: Hashable, Sendable {
    case made(Thumbnail)
    /// It is not a picture, or has no format for thumbnails.
    case none
    case failed(Finding)
    /// No picture can be decoded, or no more in this run.
    case unavailable(ThumbnailObstacle)
  }

  private let program: Program?
  private let seconds: Int
  private var decoder: ConnectedProgram?
  /// For all of the run, from the first picture on.
  private var end: ContinuousClock.Instant?
  private var losses = 0
  private var obstacle: ThumbnailObstacle?
  /// The last outcomes: a picture often comes with many events.
  private var known: [String: Outcome] = [:]

  /// An outcome holds the bytes of a thumbnail.
  private static let mostKnown = 64

  /// `seconds` are those of one picture by the clock.
  package init(_ program: Program?, seconds: Int? = nil) {
    self.program = program
    self.seconds = seconds ?? PictureLimit.seconds
    if program == nil { obstacle = .noProgram }
  }

  package func thumbnail(of bytes: [UInt8]) -> Outcome {
    guard let format = PictureFormat(firstBytesOf: bytes) else { return .none }
    guard bytes.count <= PictureLimit.bytes else {
      return .failed(.pictureTooLong(bytes: bytes.count))
    }
    guard let header = PictureHeader(bytes, format: format) else {
      return .failed(.unreadablePicture)
    }
    guard header.pixels <= PictureLimit.pixels else {
      return .failed(.pictureTooLarge(width: header.width, height: header.height))
    }
    let name = PictureDigest.name(of: bytes)
    if let outcome = known[name] { return outcome }
    let outcome = decoded(bytes, format, name)
    if case .unavailable = outcome { return outcome }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[name] = outcome
    return outcome
  }

  /// The reason why no thumbnail could be made at all; `nil` if they can be made.
  package func whyNot() -> ThumbnailObstacle? {
    if decoder == nil, obstacle == nil { start() }
    return obstacle
  }

  private func decoded(_ bytes: [UInt8], _ format: PictureFormat, _ name: String) -> Outcome {
    let end = self.end ?? .now + .seconds(PictureLimit.secondsInAll)
    self.end = end
    if end <= .now { obstacle = .tooMuchTime }
    if let reason = whyNot() { return .unavailable(reason) }
    do throws(ConnectedProgram.Failure) {
      let (kind, answer) = try answer(to: format.rawValue, bytes)
      if kind == 0 { return .failed(.unreadablePicture) }
      // A decoder that a picture has taken over may answer anything: a picture at most.
      guard let format = Thumbnail.Format(rawValue: kind), Self.isThumbnail(answer, format)
      else { throw .ended }
      return .made(Thumbnail(picture: name, format: format, bytes: answer))
    } catch {
      lose()
      return .failed(error == .ended ? .pictureEndedDecoder : .pictureTookTooLong)
    }
  }

  /// The colours of a thumbnail for a terminal; `nil` if they cannot be found out.
  package func colors(of thumbnail: Thumbnail) -> PictureColors? {
    let format: PictureFormat = thumbnail.format == .png ? .png : .jpeg
    guard whyNot() == nil else { return nil }
    do throws(ConnectedProgram.Failure) {
      let request = format.rawValue | PictureDecoder.asksForColors
      let (kind, answer) = try answer(to: request, thumbnail.bytes)
      if kind == 0 { return nil }
      guard kind == PictureDecoder.asksForColors, answer.count > 2,
        let colors = PictureColors(
          width: Int(answer[0]), height: Int(answer[1]), bytes: Array(answer.dropFirst(2)))
      else { throw .ended }
      return colors
    } catch {
      lose()
      return nil
    }
  }

  /// What the decoder answers to a picture.
  private func answer(
    to kind: UInt8, _ bytes: [UInt8]
  ) throws(ConnectedProgram.Failure) -> (kind: UInt8, bytes: [UInt8]) {
    guard let decoder else { throw .ended }
    let deadline = ContinuousClock.now + .seconds(seconds)
    try decoder.write(PictureDecoder.head(kind, count: bytes.count), before: deadline)
    try decoder.write(bytes, before: deadline)
    let head = try decoder.read(PictureDecoder.headLength, before: deadline)
    guard let count = head.littleEndian(at: 1, count: 4), count <= Self.mostBytes else {
      throw .ended
    }
    return (head[0], try decoder.read(count, before: deadline))
  }

  /// The largest thumbnail: four bytes per pixel, and the file format around them.
  private static let mostBytes = PictureLimit.side * PictureLimit.side * 4 + 65_536

  private static func isThumbnail(_ bytes: [UInt8], _ format: Thumbnail.Format) -> Bool {
    let expected: PictureFormat = format == .png ? .png : .jpeg
    guard PictureFormat(firstBytesOf: bytes) == expected,
      let header = PictureHeader(bytes, format: expected)
    else { return false }
    return max(header.width, header.height) <= PictureLimit.side
  }

  private func start() {
    guard let program, let process = ConnectedProgram(program.path, program.arguments) else {
      obstacle = .noProgram
      return
    }
    do throws(ConnectedProgram.Failure) {
      let answer = try process.read(1, before: .now + .seconds(seconds))
      guard answer == [PictureDecoder.hasLibrary] else {
        obstacle = .noLibrary
        return
      }
      decoder = process
    } catch {
      obstacle = .noProgram
    }
  }

  private func lose() {
    decoder = nil
    losses += 1
    if losses >= PictureLimit.losses { obstacle = .tooManyLosses }
  }
}
