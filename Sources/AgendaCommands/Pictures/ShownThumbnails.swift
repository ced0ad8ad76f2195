internal import AgendaCore
internal import AgendaKit

/// The thumbnails of the printed entries, as files of the folder that `--media` names.
final class ShownThumbnails {
  private let folder: MediaFolder
  private let reader: ThumbnailReader
  private let messages: Messages
  private var hasFailed = false
  /// The files of attachments that were needed before, by the numbers of the attachments.
  private var paths: [EventReference: [Int: String]] = [:]

  init(
    _ folder: String, _ reader: ThumbnailReader, messages: Messages
  ) throws(CommandError) {
    self.folder = try MediaFolder(folder)
    self.reader = reader
    self.messages = messages
  }

  /// An event's thumbnails, in the order of its attachments, which are also written to the folder.
  func thumbnails(of reference: EventReference) -> [Thumbnail] {
    reader.all(of: reference).map(\.thumbnail).filter { put($0) != nil }
  }

  /// The paths of an event's thumbnails, by the numbers of the attachments.
  func paths(of reference: EventReference) -> [Int: String] {
    if let known = paths[reference] { return known }
    var files: [Int: String] = [:]
    for (number, thumbnail) in reader.all(of: reference) { files[number] = put(thumbnail) }
    paths[reference] = files
    return files
  }

  /// Only the first failure of the folder is reported.
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
