internal import AgendaCore
internal import AgendaPictures
internal import AgendaStore

/// Makes the thumbnails that are pending in the store, after the import of their pictures, so that
/// a slow decoder does not block other writers.
struct PendingThumbnails {
  let store: Store
  let maker: ThumbnailMaker

  /// The most bytes of thumbnails in one transaction.
  private static let mostBytes = 1 << 20

  /// Makes the thumbnails of a source and returns the problems of its pictures. Those that cannot
  /// be made this time stay pending.
  func run(source location: String) -> [Finding] {
    do throws(StoreError) {
      return try made(ofSource: location)
    } catch {
      return [Finding(.warning, .thumbnailsNotMade(reason: "\(error)"))]
    }
  }

  private func made(ofSource location: String) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    var done: [(pending: PendingThumbnail, thumbnail: Thumbnail?)] = []
    var size = 0
    for pending in try store.pendingThumbnails(ofSource: location) {
      let outcome = try outcome(of: pending)
      switch outcome {
      case .unavailable(let reason):
        // `doctor` reports a missing library, so an import does not repeat that.
        if reason == .tooManyLosses || reason == .tooMuchTime {
          findings.append(Finding(.warning, .thumbnailsLeft(reason)))
        }
        return findings + keep(done)
      case .made(let thumbnail):
        done.append((pending, thumbnail))
        size += thumbnail.bytes.count
      case .none: done.append((pending, nil))
      case .failed(let problem):
        done.append((pending, nil))
        findings.append(try finding(problem, pending))
      }
      if size >= Self.mostBytes {
        findings += keep(done)
        (done, size) = ([], 0)
      }
    }
    return findings + keep(done)
  }

  /// The import has already succeeded, so a failure here does not fail it.
  private func keep(_ done: [(pending: PendingThumbnail, thumbnail: Thumbnail?)]) -> [Finding] {
    guard !done.isEmpty else { return [] }
    do throws(StoreError) {
      try store.keep(done)
      return []
    } catch {
      return [Finding(.warning, .thumbnailsNotStored(reason: "\(error)"))]
    }
  }

  private func outcome(
    of pending: PendingThumbnail
  ) throws(StoreError) -> ThumbnailMaker.Outcome {
    let count = pending.attachment.byteCount ?? 0
    guard count <= PictureLimit.bytes else { return .failed(.tooManyBytes(count)) }
    let bytes = try store.attachmentBytes(of: pending.event, number: pending.attachment.number)
    return bytes.map(maker.thumbnail) ?? .none
  }

  private func finding(
    _ problem: PictureProblem, _ pending: PendingThumbnail
  ) throws(StoreError) -> Finding {
    let component =
      switch pending.kind {
      case .event: "VEVENT"
      case .task: "VTODO"
      case .journal: "VJOURNAL"
      }
    return Finding(
      .warning, .picture(problem), line: try store.origin(of: pending.event)?.line,
      component: component, uid: pending.uid,
      property: pending.attachment.isImage ? "IMAGE" : "ATTACH")
  }
}
