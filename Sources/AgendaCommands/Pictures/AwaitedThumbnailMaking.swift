internal import AgendaCore
internal import AgendaPictures
internal import AgendaStore

/// Makes the thumbnails that the store waits for, after the imports that brought the pictures: a
/// decoder holds up nobody who wants to write.
struct AwaitedThumbnailMaking {
  let store: Store
  let maker: ThumbnailMaker

  /// How many bytes of thumbnails are kept in one transaction.
  private static let mostBytes = 1 << 20

  /// Those of a source; answers what is wrong with its pictures. What cannot be made now waits on.
  func run(source location: String) -> [Finding] {
    do throws(StoreError) {
      return try made(ofSource: location)
    } catch {
      return [Self.waiting("thumbnails could not be made: \(error)")]
    }
  }

  private func made(ofSource location: String) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    var done: [(awaited: AwaitedThumbnail, thumbnail: Thumbnail?)] = []
    var size = 0
    for awaited in try store.awaitedThumbnails(ofSource: location) {
      let outcome = try outcome(of: awaited)
      switch outcome {
      case .unavailable(let reason):
        // Of a library that is not there `doctor` speaks, once and not with each import.
        if reason == .tooManyLosses || reason == .tooMuchTime {
          findings.append(Self.waiting(reason.description))
        }
        return findings + keep(done)
      case .made(let thumbnail):
        done.append((awaited, thumbnail))
        size += thumbnail.bytes.count
      case .none: done.append((awaited, nil))
      case .failed(let problem):
        done.append((awaited, nil))
        findings.append(try finding(problem, awaited))
      }
      if size >= Self.mostBytes {
        findings += keep(done)
        (done, size) = ([], 0)
      }
    }
    return findings + keep(done)
  }

  /// The import is done by now: it does not fail because of this.
  private func keep(_ done: [(awaited: AwaitedThumbnail, thumbnail: Thumbnail?)]) -> [Finding] {
    guard !done.isEmpty else { return [] }
    do throws(StoreError) {
      try store.keep(done)
      return []
    } catch {
      return [Self.waiting("thumbnails could not be kept: \(error)")]
    }
  }

  private static func waiting(_ reason: String) -> Finding {
    Finding(
      severity: .warning, message: reason, action: "further thumbnails wait for the next import")
  }

  private func outcome(
    of awaited: AwaitedThumbnail
  ) throws(StoreError) -> ThumbnailMaker.Outcome {
    let count = awaited.attachment.byteCount ?? 0
    guard count <= PictureLimit.bytes else { return .failed(.tooManyBytes(count)) }
    let bytes = try store.attachmentBytes(of: awaited.event, number: awaited.attachment.number)
    return bytes.map(maker.thumbnail) ?? .none
  }

  private func finding(
    _ problem: PictureProblem, _ awaited: AwaitedThumbnail
  ) throws(StoreError) -> Finding {
    let component =
      switch awaited.kind {
      case .event: "VEVENT"
      case .task: "VTODO"
      case .journal: "VJOURNAL"
      }
    return Finding(
      severity: .warning, line: try store.origin(of: awaited.event)?.line, component: component,
      uid: awaited.uid, property: awaited.attachment.isImage ? "IMAGE" : "ATTACH",
      message: problem.description, action: "no thumbnail made")
  }
}
