public import AgendaCore
internal import AgendaPictures
internal import AgendaSources

extension Calendars {
  /// A reader for the thumbnails of several pictures.
  ///
  /// The program `agenda` decodes pictures in a separate process. Without it, the reader finds only the
  /// thumbnails that the store has.
  package func thumbnails(decodedBy program: String?) -> ThumbnailReader {
    ThumbnailReader(source, ThumbnailMaker(program.map { .init(path: $0) }))
  }

  /// The thumbnail of one inline picture, as the bytes of a PNG or JPEG file; `nil` if it cannot be
  /// made.
  ///
  /// The program `agenda` decodes pictures in a separate process. Without it, only the thumbnails that
  /// the store has are found.
  public func thumbnail(of event: Event, number: Int) -> [UInt8]? {
    thumbnails(decodedBy: pictureDecoder).thumbnail(of: event, number: number)?.bytes
  }
}

/// Reads thumbnails of the pictures in events from the store, and makes missing ones with one decoder
/// process for all of them: a command prints whole listings. A reader belongs to one task or thread.
package final class ThumbnailReader {
  private let source: any EventSource
  private let maker: ThumbnailMaker

  init(_ source: any EventSource, _ maker: ThumbnailMaker) {
    self.source = source
    self.maker = maker
  }

  /// The thumbnail of an attachment; `nil` if it is not a picture, or cannot be decoded.
  func thumbnail(of event: Event, number: Int) -> Thumbnail? {
    source.details(of: event.reference).attachments.first { $0.number == number }
      .flatMap { source.thumbnail(of: event.reference, $0, maker: maker) }
  }

  /// The colours of the first picture of an event, for a terminal; `nil` without one.
  package func colors(of reference: EventReference) -> PictureColors? {
    let pictures = source.details(of: reference).attachments.lazy.filter(\.canBePicture)
    let first = pictures.compactMap { [source, maker] in
      source.thumbnail(of: reference, $0, maker: maker)
    }.first
    return first.flatMap(maker.colors(of:))
  }

  /// All of an event, with the numbers of their attachments.
  package func all(of reference: EventReference) -> [(number: Int, thumbnail: Thumbnail)] {
    source.details(of: reference).attachments.filter(\.canBePicture).compactMap { attachment in
      source.thumbnail(of: reference, attachment, maker: maker).map { (attachment.number, $0) }
    }
  }
}
