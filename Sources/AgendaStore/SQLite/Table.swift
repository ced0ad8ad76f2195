/// The columns of a table: the statements that write a row and the row's checksum are made from this
/// declaration.
///
/// Every table has an integer `id` and a `checksum`. The checksum covers the id and all other
/// columns; `doctor` computes it again to find rows that were damaged or modified outside agenda.
struct Table: Sendable {
  let name: String
  let columns: [String]
  /// All declared columns, for a select list. In a damaged schema a column can have another name.
  /// Then SQLite refuses this statement, but it would accept `*`.
  let columnList: String
  /// Its parameters: the id, the checksum, then the columns in their order.
  let insertion: String

  init(_ name: String, _ columns: [String]) {
    self.name = name
    self.columns = columns
    // Made once, because commands need them for each row.
    columnList = columns.map { "\(name).\($0)" }.joined(separator: ", ")
    let names = ["id", "checksum"] + columns
    let values = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    insertion = "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(values))"
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
    let arguments = ["id"] + columns.map { value($0) }
    return "\(RowChecksum.functionName)(\(arguments.joined(separator: ", ")))"
  }
}

extension Connection {
  /// The id that AUTOINCREMENT gives to the next row. Ids are never used again.
  func nextID(in table: Table) throws(StoreError) -> Int {
    (try integer("SELECT seq FROM sqlite_sequence WHERE name = ?1", table.name) ?? 0) + 1
  }

  /// Inserts a row and returns its id.
  @discardableResult
  func insert(_ row: Row, id known: Int? = nil, into table: Table) throws(StoreError) -> Int {
    assert(row.names == table.columns, "\(table.name) has other columns")
    let id: Int
    if let known { id = known } else { id = try nextID(in: table) }
    try row.insert(id: id, by: statement(table.insertion))
    return id
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
