/// A table whose rows carry a seal: `id`, the sealed columns, `seal`, and behind it columns that
/// are nobody's truth.
struct SealedTable {
  let name: String
  let sealed: [String]
  let loose: [String]

  init(_ name: String, _ sealed: [String], loose: [String] = []) {
    self.name = name
    self.sealed = sealed
    self.loose = loose
  }

  static let store = SealedTable("store", ["key", "next_component", "next_run"])
  static let calendar = SealedTable("calendar", ["name", "color"])
  static let source = SealedTable(
    "source",
    [
      "calendar", "kind", "location", "encoding", "is_named", "added", "removed", "last_import",
      "last_error",
    ])
  static let document = SealedTable("document", ["source", "name"])
  static let edition = SealedTable(
    "edition", ["document", "added", "removed", "properties"],
    loose: [
      "size", "modified", "changed", "inode", "digest", "interpretation", "components",
      "superseded", "rejected",
    ])
  static let part = SealedTable("part", ["edition", "frame", "kind", "bytes"])
  static let finding = SealedTable(
    "finding",
    [
      "edition", "severity", "line", "place_from", "place_to", "component", "uid", "property",
      "message", "action",
    ])
  static let zone = SealedTable("zone", ["name", "origin", "definition"])
  static let generation = SealedTable(
    "generation",
    ["run", "source", "moment", "action", "first_component", "added", "updated", "removed"])
  /// By generation: what its source was in before.
  static let formerCalendar = SealedTable(
    "former_calendar", ["name", "color", "is_named", "color_of_next"])
  static let detail = SealedTable(
    "detail",
    [
      "description", "url", "conference", "latitude", "longitude", "has_organizer",
      "organizer_name", "organizer_email", "attendees", "alarms", "classification", "priority",
      "created", "last_modified", "stamp", "percent_complete", "completed",
    ])
  static let text = SealedTable("text", ["bytes"])
  static let attachment = SealedTable(
    "attachment",
    ["component", "number", "media_type", "byte_count", "uri", "name", "is_image", "bytes"])

  static let thumbnail = SealedTable("thumbnail", ["picture", "format", "bytes"])
  /// By edition: the lines on which its components began.
  static let place = SealedTable("place", ["lines"])

  /// All but `component`, whose seal is made in a way of its own.
  static let all = [
    store, calendar, source, document, edition, part, finding, zone, generation, formerCalendar,
    detail, text, attachment, thumbnail, place,
  ]

  var insertion: String {
    StoreSchema.insertion(into: name, ["id", "seal"] + sealed + loose)
  }

  /// `row` has the sealed columns, then the loose ones if there are any.
  func insert(
    _ row: Row, loose looseRow: Row? = nil, id: Int, into connection: Connection, key: StoreKey
  ) throws(StoreError) {
    try insert(row, loose: looseRow, id: id, by: connection.statement(insertion), key: key)
  }

  /// The same by a statement that has the parameters of `insertion`.
  func insert(
    _ row: Row, loose looseRow: Row? = nil, id: Int, by statement: Statement, key: StoreKey
  ) throws(StoreError) {
    statement.bind(1, id)
    statement.bind(2, Seals.seal(id: id, columns: row.digest(key), key: key))
    if let looseRow {
      try row.followed(by: looseRow).run(statement, from: 3)
    } else {
      try row.run(statement, from: 3)
    }
  }

  func nextID(in connection: Connection) throws(StoreError) -> Int {
    let statement = try connection.statement("SELECT coalesce(max(id), 0) + 1 FROM \(name)")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 1
  }

  /// Makes the seal anew after sealed columns of a row were changed on purpose.
  func reseal(id: Int, in connection: Connection, key: StoreKey) throws(StoreError) {
    let row = try connection.statement(
      "SELECT \(sealed.joined(separator: ", ")) FROM \(name) WHERE id = ?1")
    row.bind(1, id)
    guard try row.step() else { return }
    var digest = ContentDigest(key: key.number)
    RowDigest.add(0..<Int32(sealed.count), of: row, to: &digest)
    row.reset()
    let update = try connection.statement("UPDATE \(name) SET seal = ?2 WHERE id = ?1")
    update.bind(1, id)
    update.bind(2, Seals.seal(id: id, columns: digest.value, key: key))
    try update.run()
  }
}
