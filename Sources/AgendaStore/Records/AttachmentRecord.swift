internal import AgendaCore

/// An ATTACH or IMAGE of a component that is to be written.
struct AttachmentRecord: Sendable {
  let row: Row
  /// Whether a thumbnail is to be made of it.
  let isPicture: Bool

  init(_ attachment: Attachment, bytes: [UInt8]?) {
    row = Row(attachment, bytes: bytes)
    isPicture =
      attachment.canBePicture && bytes.flatMap { PictureFormat(firstBytesOf: $0) } != nil
  }
}
