public import AgendaCore
internal import AgendaPictures
internal import AgendaSources

extension CalendarCollection {
  /// Reads and makes the thumbnails of these events.
  ///
  /// `program` is the path of `agenda`, which decodes pictures in a separate process. Without it only
  /// thumbnails that are stored already are found.
  public func thumbnails(decodedBy program: String? = nil) -> ThumbnailReader {
    ThumbnailReader(source, ThumbnailMaker(program.map { .init(path: $0) }))
  }

  /// The thumbnail of one inline picture; `nil` if it cannot be made. `thumbnails(decodedBy:)` is
  /// faster for several pictures.
  public func thumbnail(
    of event: Event, number: Int, decodedBy program: String? = nil
  ) -> Thumbnail? {
    thumbnails(decodedBy: program).thumbnail(of: event, number: number)
  }
}

/// The thumbnails of events' inline pictures, as the store has them or made anew, with one decoder
/// process for all of them. It is used by one thread.
public final class ThumbnailReader {
  private let source: any EventSource
  private let maker: ThumbnailMaker

  init(_ source: any EventSource, _ maker: ThumbnailMaker) {
    self.source = source
    self.maker = maker
  }

  /// The thumbnail of an attachment; `nil` if it is not a picture, or cannot be decoded.
  public func thumbnail(of event: Event, number: Int) -> Thumbnail? {
    source.details(of: event.reference).attachments.first { $0.number == number }
      .flatMap { source.thumbnail(of: event.reference, $0, maker: maker) }
  }

  /// All of an event, with the numbers of their attachments.
  package func all(of reference: EventReference) -> [(number: Int, thumbnail: Thumbnail)] {
    source.details(of: reference).attachments.filter(\.canBePicture).compactMap { attachment in
      source.thumbnail(of: reference, attachment, maker: maker).map { (attachment.number, $0) }
    }
  }
}
