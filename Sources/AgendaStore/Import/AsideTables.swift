/// Where a large import puts its rows until it ends: tables of the connection alone, in a temporary
/// file of SQLite's, so that neither are its changed pages held in memory nor readers kept out
/// while it goes on. They are part of its transaction.
enum AsideTables {
  struct Table {
    /// Of the store.
    let name: String
    let columns: [String]

    var asideName: String { "aside_" + name }
  }

  static let component = Table(name: "component", columns: StoreSchema.componentWritten)
  static let detail = Table(SealedTable.detail)
  static let text = Table(SealedTable.text)
  static let attachment = Table(SealedTable.attachment)

  private static let all = [component, detail, text, attachment]

  static func make(in connection: Connection) throws(StoreError) {
    for table in all {
      let columns = table.columns.dropFirst().joined(separator: ", ")
      try connection.run(
        "CREATE TEMP TABLE \(table.asideName) (id INTEGER PRIMARY KEY, \(columns))")
    }
  }

  /// Puts what they hold into the store.
  static func empty(into connection: Connection) throws(StoreError) {
    for table in all {
      let columns = table.columns.joined(separator: ", ")
      try connection.run(
        """
        INSERT INTO main.\(table.name) (\(columns))
        SELECT \(columns) FROM temp.\(table.asideName) ORDER BY id
        """)
      try connection.run("DROP TABLE temp.\(table.asideName)")
    }
  }

  /// What takes a component, given by its id, out again.
  static let componentErasures =
    [component, detail, text].map { "DELETE FROM temp.\($0.asideName) WHERE id = ?1" }
    + [
      """
      DELETE FROM awaited_thumbnail
      WHERE id IN (SELECT id FROM temp.\(attachment.asideName) WHERE component = ?1)
      """,
      "DELETE FROM temp.\(attachment.asideName) WHERE component = ?1",
    ]

  static let digestUpdate = "UPDATE temp.\(component.asideName) SET digest = ?2 WHERE id = ?1"
}

extension AsideTables.Table {
  fileprivate init(_ table: SealedTable) {
    self.init(name: table.name, columns: ["id", "seal"] + table.sealed)
  }
}
