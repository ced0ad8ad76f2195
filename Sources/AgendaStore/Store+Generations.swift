internal import AgendaCore
internal import CivilTime

/// What one import, removal or addition did.
struct GenerationRow {
  enum Action: Int {
    case imported, removed, added, cancelled
  }

  var id: Int
  var run: Int
  var source: Int
  var moment: Instant
  var action: Action
  /// The first component that it wrote; all from here on to the next generation's are its own.
  var firstComponent: Int
  var added: Int
  var updated: Int
  var removed: Int
}

extension Store {
  func write(generation: GenerationRow) throws(StoreError) {
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

  func thinOut(now: Instant) throws(StoreError) {
  }
}
