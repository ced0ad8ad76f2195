internal import CivilTime

/// One import, removal, addition or edit of one source.
struct Generation {
  enum Action: Int {
    case imported, removed, added, cancelled, edited, answered
  }

  var id: Int
  /// The number of the command that it belongs to.
  var run: Int
  var source: Int
  var moment: Instant
  var action: Action
  /// The first component that it wrote. All later ones, up to the first of the next generation,
  /// belong to it too.
  var firstComponent: Int
  var added = 0
  var updated = 0
  var removed = 0
}

extension Store {
  func write(_ generation: Generation) throws(StoreError) {
    var row = Row(columns: 8, key: key)
    row.add("run", generation.run)
    row.add("source", generation.source)
    row.add("moment", generation.moment.secondsSinceEpoch)
    row.add("action", generation.action.rawValue)
    row.add("first_component", generation.firstComponent)
    row.add("added", generation.added)
    row.add("updated", generation.updated)
    row.add("removed", generation.removed)
    try connection.insert(row, id: generation.id, into: Schema.generation)
  }
}
