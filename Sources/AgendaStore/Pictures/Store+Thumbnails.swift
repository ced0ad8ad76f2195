package import AgendaCore

/// An attachment whose thumbnail is pending.
package struct PendingThumbnail: Hashable, Sendable {
  /// The id of the attachment.
  package let id: Int
  package let event: EventReference
  package let uid: String
  package let kind: Event.Kind
  package let attachment: Attachment
  /// Shows whether the attachment is still the same when its thumbnail is ready.
  let checksum: Int
}

/// The thumbnail of an attachment, if the store has it.
package enum StoredThumbnail: Hashable, Sendable {
  case made(Thumbnail)
  /// No thumbnail has been made yet.
  case pending
  /// It could not be made.
  case none
}

extension Store {
  /// The attachments of a source, or of all, whose thumbnails are pending.
  package func pendingThumbnails(ofSource location: String? = nil) throws(StoreError)
    -> [PendingThumbnail]
  {
    guard try hasPendingThumbnails else { return [] }
    let rows = try connection.statement(
      """
      SELECT attachment.id, component.source, component.id AS component, component.uid, component.kind,
        attachment.checksum, number, media_type, byte_count, uri, attachment.name, is_image
      FROM pending_thumbnail JOIN attachment ON attachment.id = pending_thumbnail.id
      JOIN component ON component.id = attachment.component
      JOIN source ON source.id = component.source
      WHERE component.removed IS NULL AND (?1 IS NULL OR source.location = ?1)
      ORDER BY attachment.id
      """, location)
    var pending: [PendingThumbnail] = []
    while try rows.step() {
      pending.append(
        PendingThumbnail(
          id: rows.integer("id"),
          event: EventReference(
            source: rows.integer("source"), component: rows.integer("component")),
          uid: rows.text("uid"),
          kind: StoredEnum.value(rows.integer("kind"), in: StoredEnum.kinds) ?? .event,
          attachment: Attachment(rows), checksum: rows.integer("checksum")))
    }
    return pending
  }

  /// The number of pending thumbnails.
  package func pendingThumbnailCount() throws(StoreError) -> Int {
    guard try hasPendingThumbnails else { return 0 }
    return try pendingThumbnails().count
  }

  private var hasPendingThumbnails: Bool {
    get throws(StoreError) {
      try connection.integer("SELECT 1 FROM pending_thumbnail LIMIT 1") != nil
    }
  }

  /// Stores thumbnails; `nil` if a thumbnail could not be made. Attachments that changed in the
  /// meantime stay pending.
  package func keep(
    _ thumbnails: [(pending: PendingThumbnail, thumbnail: Thumbnail?)]
  ) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      let present = try connection.statement(
        """
        SELECT 1 FROM attachment JOIN pending_thumbnail USING (id)
        WHERE attachment.id = ?1 AND attachment.checksum = ?2
        """)
      for (pending, thumbnail) in thumbnails {
        present.reset()
        present.bind(1, pending.id)
        present.bind(2, pending.checksum)
        guard try present.step() else { continue }
        present.reset()
        try connection.run("DELETE FROM pending_thumbnail WHERE id = ?1", pending.id)
        guard let thumbnail else { continue }
        var row = Row(
          columns: 3, bytes: thumbnail.bytes.count + thumbnail.picture.utf8.count, key: key)
        row.add("picture", thumbnail.picture)
        row.add("format", Int(thumbnail.format.rawValue))
        row.add("bytes", blob: thumbnail.bytes)
        try connection.insert(row, id: pending.id, into: Schema.thumbnail)
      }
    }
  }

  /// The thumbnail of an attachment, counted from 1.
  package func thumbnail(
    of reference: EventReference, number: Int
  ) throws(StoreError) -> StoredThumbnail {
    let row = try connection.statement(
      """
      SELECT pending_thumbnail.id AS pending, picture, format, thumbnail.bytes
      FROM attachment LEFT JOIN pending_thumbnail USING (id) LEFT JOIN thumbnail USING (id)
      WHERE component = ?1 AND number = ?2
      """, reference.component, number)
    guard try row.step() else {
      // The thumbnails of a template are made when they are shown.
      return try answeredOverride(reference.component) == nil ? .none : .pending
    }
    defer { row.reset() }
    if !row.isNull("pending") { return .pending }
    guard let picture = row.optionalText("picture"), let bytes = row.optionalBytes("bytes") else {
      return .none
    }
    // The digest becomes the name of a file.
    guard
      let format = UInt8(exactly: row.integer("format")).flatMap(Thumbnail.Format.init(rawValue:)),
      picture.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw damaged(reference.component) }
    return .made(Thumbnail(picture: picture, format: format, bytes: bytes))
  }
}
