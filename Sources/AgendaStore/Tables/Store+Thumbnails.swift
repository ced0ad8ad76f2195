/// A picture of a component: the number of its attachment.
package struct StoredPicture: Hashable, Sendable {
  package var component: Int
  package var number: Int

  package init(component: Int, number: Int) {
    self.component = component
    self.number = number
  }
}

/// The thumbnail of a picture, if the store has it.
package enum StoredThumbnail: Hashable, Sendable {
  /// A digest of the picture in hexadecimal digits, the number of the format, and the bytes of the
  /// thumbnail.
  case made(picture: String, format: Int, bytes: [UInt8])
  /// No thumbnail has been made yet.
  case pending
  /// It could not be made.
  case none

  var state: Int {
    switch self {
    case .pending: 0
    case .made: 1
    case .none: 2
    }
  }
}

/// Thumbnails are made after the import of their pictures, so that the import does not wait for a
/// picture decoder.
extension Store {
  /// The pictures of a source, or of all, whose thumbnails are pending.
  package func pendingPictures(
    ofSource source: Int? = nil
  ) throws(StoreError) -> [StoredPicture] {
    let rows = try connection.statement(
      """
      SELECT thumbnail.component, thumbnail.number
      FROM thumbnail JOIN component ON component.id = thumbnail.component
      WHERE thumbnail.state = 0 AND component.removed IS NULL
        AND (?1 IS NULL OR component.source = ?1)
      ORDER BY thumbnail.id
      """, source)
    var pending: [StoredPicture] = []
    while try rows.step() {
      pending.append(StoredPicture(component: rows.integer(0), number: rows.integer(1)))
    }
    return pending
  }

  /// Stores thumbnails. Pictures whose component is gone are skipped.
  package func keep(
    _ thumbnails: [(picture: StoredPicture, thumbnail: StoredThumbnail)]
  ) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      for (picture, thumbnail) in thumbnails {
        let id = try connection.integer(
          "SELECT id FROM thumbnail WHERE component = ?1 AND number = ?2 AND state = 0",
          picture.component, picture.number)
        guard let id else { continue }
        try connection.run("DELETE FROM thumbnail WHERE id = ?1", id)
        try write(thumbnail, of: picture, id: id)
      }
    }
  }

  func write(
    _ thumbnail: StoredThumbnail, of picture: StoredPicture, id: Int? = nil
  ) throws(StoreError) {
    var made: (picture: String, format: Int, bytes: [UInt8])?
    if case .made(let name, let format, let bytes) = thumbnail { made = (name, format, bytes) }
    var row = Row(columns: 6, bytes: (made?.bytes.count ?? 0) + 64, key: key)
    row.add("component", picture.component)
    row.add("number", picture.number)
    row.add("state", thumbnail.state)
    row.add("picture", made?.picture)
    row.add("format", made?.format)
    row.add("bytes", blob: made?.bytes)
    try connection.insert(row, id: id, into: Schema.thumbnail)
  }

  package func thumbnail(of picture: StoredPicture) throws(StoreError) -> StoredThumbnail {
    let row = try connection.statement(
      """
      SELECT state, picture, format, bytes FROM thumbnail WHERE component = ?1 AND number = ?2
      """, picture.component, picture.number)
    defer { row.reset() }
    guard try row.step() else { return .none }
    if row.integer("state") == StoredThumbnail.pending.state { return .pending }
    guard let name = row.optionalText("picture"), let format = row.optionalInteger("format"),
      let bytes = row.optionalBytes("bytes")
    else { return .none }
    return .made(picture: name, format: format, bytes: bytes)
  }
}
