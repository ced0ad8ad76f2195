internal import AgendaCore
internal import AgendaPictures
internal import AgendaReader
internal import AgendaStore

/// Makes the thumbnails that are pending in the store, after the import of their pictures, so that
/// a slow decoder does not block other writers.
struct PendingThumbnails {
  let reader: StoreReader
  let maker: ThumbnailMaker

  /// The most bytes of thumbnails in one transaction.
  private static let mostBytes = 1 << 20

  private typealias Done = (picture: StoredPicture, thumbnail: StoredThumbnail)

  /// Makes the thumbnails of a source and returns the problems of its pictures. Those that cannot
  /// be made this time stay pending.
  func run(source: Int?) -> [Finding] {
    do throws(StoreError) {
      return try made(ofSource: source)
    } catch {
      return [.thumbnailsNotMade(error)]
    }
  }

  private func made(ofSource source: Int?) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    var done: [Done] = []
    var size = 0
    var component: PicturesOfComponent?
    for picture in try reader.store.pendingPictures(ofSource: source) {
      if component?.id != picture.component {
        component = try PicturesOfComponent(picture.component, reader)
      }
      switch component?.thumbnail(ofNumber: picture.number, maker) ?? .none {
      case .unavailable(let obstacle):
        // `doctor` reports a missing library, so an import does not repeat that.
        if obstacle == .tooManyLosses || obstacle == .tooMuchTime {
          findings.append(.thumbnailsLeft(obstacle))
        }
        return findings + keep(done)
      case .made(let thumbnail):
        done.append(
          (
            picture,
            .made(
              picture: thumbnail.picture, format: Int(thumbnail.format.rawValue),
              bytes: thumbnail.bytes)
          ))
        size += thumbnail.bytes.count
      case .none: done.append((picture, .none))
      case .failed(let problem):
        done.append((picture, .none))
        if let finding = try component?.finding(problem, ofNumber: picture.number, reader) {
          findings.append(finding)
        }
      }
      if size >= Self.mostBytes {
        findings += keep(done)
        (done, size) = ([], 0)
      }
    }
    return findings + keep(done)
  }

  /// The import has already succeeded, so a failure here does not fail it.
  private func keep(_ done: [Done]) -> [Finding] {
    guard !done.isEmpty else { return [] }
    do throws(StoreError) {
      try reader.store.keep(done)
      return []
    } catch {
      return [.thumbnailsNotStored(error)]
    }
  }
}

/// The pictures that one component has.
private struct PicturesOfComponent {
  let id: Int
  private let files: CalendarFiles
  private let event: Event
  private let attachments: [Attachment]

  init?(_ id: Int, _ reader: StoreReader) throws(StoreError) {
    self.id = id
    files = try reader.files(try reader.store.components(ids: [id]))
    guard let event = files.componentEvents.first else { return nil }
    self.event = event
    attachments = files.details(of: event.reference).attachments
  }

  private func attachment(_ number: Int) -> Attachment? {
    attachments.first { $0.number == number }
  }

  func thumbnail(ofNumber number: Int, _ maker: ThumbnailMaker) -> ThumbnailMaker.Outcome {
    guard let attachment = attachment(number) else { return .none }
    let count = attachment.byteCount ?? 0
    guard count <= PictureLimit.bytes else { return .failed(.pictureTooLong(bytes: count)) }
    return files.attachmentBytes(of: event.reference, number: number).map(maker.thumbnail) ?? .none
  }

  func finding(
    _ problem: Finding, ofNumber number: Int, _ reader: StoreReader
  ) throws(StoreError) -> Finding {
    let isImage = attachment(number)?.isImage ?? false
    return problem.about(
      event, isImage ? "IMAGE" : "ATTACH", line: try reader.origin(of: event.reference)?.line)
  }
}
