internal import AgendaCore
internal import CivilTime

/// What one import, removal or addition did.
struct Generation {
  enum Action: Int {
    case imported, removed, added, cancelled
  }

  var id: Int
  /// The command that it was part of.
  var run: Int
  var source: Int
  var moment: Instant
  var action: Action
  /// The first component that it wrote; all from here on to the next generation's are its own.
  var firstComponent: Int
  var added = 0
  var updated = 0
  var removed = 0
}

extension Store {
  func write(_ generation: Generation) throws(StoreError) {
    var row = Row(columns: 8)
    row.add(generation.run)
    row.add(generation.source)
    row.add(generation.moment.secondsSinceEpoch)
    row.add(generation.action.rawValue)
    row.add(generation.firstComponent)
    row.add(generation.added)
    row.add(generation.updated)
    row.add(generation.removed)
    try SealedTable.generation.insert(row, id: generation.id, into: connection, key: key)
  }

  /// The first column of each row.
  func integers(_ sql: String, _ values: Int...) throws(StoreError) -> [Int] {
    let rows = try connection.statement(sql)
    for (index, value) in values.enumerated() { rows.bind(Int32(index + 1), value) }
    var integers: [Int] = []
    while try rows.step() { integers.append(rows.integer(0)) }
    return integers
  }

  func run(_ sql: String, _ values: Int...) throws(StoreError) {
    let statement = try connection.statement(sql)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
    try statement.run()
  }
}
