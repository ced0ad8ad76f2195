internal import AgendaCore
internal import AgendaPictures
internal import AgendaSources

/// The thumbnails of what is shown, as files of the folder that `--media` names.
final class ShownThumbnails {
  private let folder: MediaFolder
  private let events: any EventSource
  private let maker: ThumbnailMaker
  private let messages: Messages
  private var hasFailed = false
  /// The files of the attachments that were asked for, by their numbers.
  private var paths: [EventReference: [Int: String]] = [:]

  init(
    _ folder: String, events: any EventSource, maker: ThumbnailMaker, messages: Messages
  ) throws(CommandError) {
    self.folder = try MediaFolder(folder)
    self.events = events
    self.maker = maker
    self.messages = messages
  }

  /// The paths of an event's thumbnails, in the order of its attachments.
  func paths(of reference: EventReference) -> [String] {
    let files = files(of: reference)
    return files.keys.sorted().compactMap { files[$0] }
  }

  func path(of reference: EventReference, number: Int) -> String? {
    files(of: reference)[number]
  }

  /// An event's thumbnails, in the order of its attachments, which are also written to the folder.
  func thumbnails(of reference: EventReference) -> [Thumbnail] {
    var thumbnails: [Thumbnail] = []
    for attachment in events.details(of: reference).attachments where attachment.canBePicture {
      guard let thumbnail = events.thumbnail(of: reference, attachment, maker: maker) else {
        continue
      }
      if put(thumbnail) != nil { thumbnails.append(thumbnail) }
    }
    return thumbnails
  }

  private func files(of reference: EventReference) -> [Int: String] {
    if let known = paths[reference] { return known }
    var files: [Int: String] = [:]
    for attachment in events.details(of: reference).attachments where attachment.canBePicture {
      guard let thumbnail = events.thumbnail(of: reference, attachment, maker: maker) else {
        continue
      }
      files[attachment.number] = put(thumbnail)
    }
    paths[reference] = files
    return files
  }

  /// A folder that fails, fails once.
  private func put(_ thumbnail: Thumbnail) -> String? {
    if hasFailed { return nil }
    do throws(CommandError) {
      try folder.put(thumbnail.bytes, as: thumbnail.fileName)
      return folder.path(of: thumbnail.fileName)
    } catch {
      hasFailed = true
      messages.reject("\(error)")
      return nil
    }
  }
}
