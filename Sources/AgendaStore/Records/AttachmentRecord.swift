internal import AgendaCore

/// An ATTACH or IMAGE of a component that will be written.
struct AttachmentRecord: Sendable {
  private let attachment: Attachment
  private let bytes: [UInt8]?
  /// Whether it will get a thumbnail.
  let isPicture: Bool

  init(_ attachment: Attachment, bytes: [UInt8]?) {
    self.attachment = attachment
    self.bytes = bytes
    isPicture =
      attachment.canBePicture && bytes.flatMap { PictureFormat(firstBytesOf: $0) } != nil
  }

  /// A row of `attachment`.
  func row(ofComponent component: Int, key: StoreKey) -> Row {
    var row = Row(
      columns: 8, bytes: (bytes?.count ?? 0) + (attachment.uri?.utf8.count ?? 0) + 32, key: key)
    row.add("component", component)
    row.add("number", attachment.number)
    row.add("media_type", attachment.mediaType)
    row.add("byte_count", attachment.byteCount)
    row.add("uri", attachment.uri)
    row.add("name", attachment.name)
    row.add("is_image", attachment.isImage ? 1 : 0)
    row.add("bytes", blob: bytes)
    return row
  }
}
