package import AgendaCore

/// An attachment that waits for its thumbnail.
package struct AwaitedThumbnail: Hashable, Sendable {
  /// Of the attachment.
  package let id: Int
  package let event: EventReference
  package let uid: String
  package let kind: Event.Kind
  package let attachment: Attachment
  /// Tells whether it is still the same when the thumbnail is made.
  let seal: Int
}

/// What the store has of the thumbnail of an attachment.
package enum StoredThumbnail: Hashable, Sendable {
  case made(Thumbnail)
  /// It was never tried.
  case awaited
  /// There is none to be had.
  case none
}

extension Store {
  /// The attachments of a source, or of all, that wait for their thumbnails.
  package func awaitedThumbnails(ofSource location: String? = nil) throws(StoreError)
    -> [AwaitedThumbnail]
  {
    guard try hasAwaitedThumbnails else { return [] }
    let rows = try connection.statement(
      """
      SELECT attachment.id, source.id, component.id, component.uid, component.kind,
        attachment.seal, number, media_type, byte_count, uri, name, is_image
      FROM awaited_thumbnail JOIN attachment ON attachment.id = awaited_thumbnail.id
      JOIN component ON component.id = attachment.component
      JOIN source ON source.id = component.source
      WHERE component.removed IS NULL AND (?1 IS NULL OR source.location = ?1)
      ORDER BY attachment.id
      """)
    rows.bind(1, location)
    var awaited: [AwaitedThumbnail] = []
    while try rows.step() {
      awaited.append(
        AwaitedThumbnail(
          id: rows.integer(0),
          event: EventReference(source: rows.integer(1), component: rows.integer(2)),
          uid: rows.text(3),
          kind: StoredEnum.value(rows.integer(4), in: StoredEnum.kinds) ?? .event,
          attachment: Attachment(
            number: rows.integer(6), mediaType: rows.textIfAny(7),
            byteCount: rows.integerIfAny(8), uri: rows.textIfAny(9), name: rows.textIfAny(10),
            isImage: rows.integer(11) == 1), seal: rows.integer(5)))
    }
    return awaited
  }

  /// How many attachments wait for their thumbnails.
  package func awaitedThumbnailCount() throws(StoreError) -> Int {
    guard try hasAwaitedThumbnails else { return 0 }
    return try awaitedThumbnails().count
  }

  private var hasAwaitedThumbnails: Bool {
    get throws(StoreError) {
      try connection.integer("SELECT 1 FROM awaited_thumbnail LIMIT 1") != nil
    }
  }

  /// Keeps thumbnails, and that there are none where they are `nil`. What was changed meanwhile goes
  /// on waiting.
  package func keep(
    _ thumbnails: [(awaited: AwaitedThumbnail, thumbnail: Thumbnail?)]
  ) throws(StoreError) {
    defer { dropDays() }
    try connection.writing { () throws(StoreError) in
      let present = try connection.statement(
        """
        SELECT 1 FROM attachment JOIN awaited_thumbnail USING (id)
        WHERE attachment.id = ?1 AND attachment.seal = ?2
        """)
      for (awaited, thumbnail) in thumbnails {
        present.reset()
        present.bind(1, awaited.id)
        present.bind(2, awaited.seal)
        guard try present.step() else { continue }
        present.reset()
        try run("DELETE FROM awaited_thumbnail WHERE id = ?1", awaited.id)
        guard let thumbnail else { continue }
        var row = Row(columns: 3, bytes: thumbnail.bytes.count + thumbnail.picture.utf8.count)
        row.add(thumbnail.picture)
        row.add(Int(thumbnail.format.rawValue))
        row.add(blob: thumbnail.bytes)
        try SealedTable.thumbnail.insert(row, id: awaited.id, into: connection, key: key)
      }
    }
  }

  /// The thumbnail of an attachment, counted from 1.
  package func thumbnail(
    of reference: EventReference, number: Int
  ) throws(StoreError) -> StoredThumbnail {
    let row = try connection.statement(
      """
      SELECT awaited_thumbnail.id, picture, format, thumbnail.bytes
      FROM attachment LEFT JOIN awaited_thumbnail USING (id) LEFT JOIN thumbnail USING (id)
      WHERE component = ?1 AND number = ?2
      """)
    row.bind(1, reference.component)
    row.bind(2, number)
    guard try row.step() else { return .none }
    defer { row.reset() }
    if !row.isNull(0) { return .awaited }
    guard let picture = row.textIfAny(1), let bytes = row.bytesIfAny(3) else { return .none }
    // A name of a file is made of it.
    guard let format = UInt8(exactly: row.integer(2)).flatMap(Thumbnail.Format.init(rawValue:)),
      picture.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw damaged(reference.component) }
    return .made(Thumbnail(picture: picture, format: format, bytes: bytes))
  }
}
