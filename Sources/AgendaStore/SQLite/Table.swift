/// A table, declared once: its definition, the statements that write a row and the row's checksum
/// are made from this declaration.
///
/// Every table has an integer `id` and a `checksum`. The checksum covers the id and all other
/// columns; `doctor` computes it again to find rows that were damaged or modified outside agenda.
struct Table: Sendable {
  typealias Column = (name: String, type: String)

  let name: String
  let columns: [Column]
  /// All declared columns, for a select list. In a damaged schema a column can have another name.
  /// Then SQLite refuses this statement, but it would accept `*`.
  let columnList: String
  /// Its parameters: the id, the checksum, then the columns in their order.
  let insertion: String
  private let constraint: String?

  init(_ name: String, _ columns: [Column], constraint: String? = nil) {
    self.name = name
    self.columns = columns
    self.constraint = constraint
    // Made once, because commands need them for each row.
    columnList = columns.map { "\(name).\($0.name)" }.joined(separator: ", ")
    let names = ["id", "checksum"] + columns.map(\.name)
    let values = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    insertion = "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(values))"
  }

  /// `CREATE TABLE …`. The checksum comes early, so that reading it doesn't load long values.
  var definition: String {
    let declarations =
      ["id INTEGER PRIMARY KEY", "checksum INTEGER NOT NULL"]
      + columns.map { "\($0.name) \($0.type)" } + (constraint.map { [$0] } ?? [])
    return "CREATE TABLE \(name) (\(declarations.joined(separator: ", ")))"
  }

  /// Sets columns, and the checksum with them. The parameters ?1, ?2, … are the values in the order
  /// of `set`; those of the condition follow, each written as a plain `?`.
  func update(set names: [String], where condition: String) -> String {
    let values = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, "?\($0 + 1)") })
    let assignments = names.map { "\($0) = \(values[$0] ?? "NULL")" }
    return "UPDATE \(name) SET \(assignments.joined(separator: ", ")), "
      + "checksum = \(checksum { values[$0] ?? $0 }) WHERE \(condition)"
  }

  /// The SQL expression of the checksum of a row, given an expression for each column.
  func checksum(_ value: (String) -> String = { $0 }) -> String {
    let arguments = ["id"] + columns.map { value($0.name) }
    return "\(RowChecksum.functionName)(\(arguments.joined(separator: ", ")))"
  }
}

extension Connection {
  func nextID(in table: Table) throws(StoreError) -> Int {
    try integer("SELECT coalesce(max(id), 0) + 1 FROM \(table.name)") ?? 1
  }

  func insert(_ row: Row, id: Int, into table: Table) throws(StoreError) {
    assert(row.names == table.columns.map(\.name), "\(table.name) has other columns")
    try row.insert(id: id, by: statement(table.insertion))
  }

  /// Sets columns of the rows that a condition finds. Its parameters are plain question marks.
  func update(
    _ table: Table, set columns: KeyValuePairs<String, (any Bindable)?>, where condition: String,
    _ values: (any Bindable)?...
  ) throws(StoreError) {
    let update = try statement(table.update(set: columns.map(\.key), where: condition))
    update.bind(columns.map(\.value) + values)
    try update.run()
  }
}
