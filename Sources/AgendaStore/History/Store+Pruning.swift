internal import CivilTime

/// How long the store keeps removed components.
///
/// - The last command stays, so that it can be undone.
/// - Older ones stay for `days`, at most `most` of them, the youngest first. They stay only as long as
///   they removed no more components together than the store has (or `mostOfSmallStore`, if it has
///   fewer).
/// - Between two commands, at most `mostDaysBetween` count. So a clock that is years ahead for a moment
///   takes away nothing.
package enum Pruning {
  package static let days = 40
  package static let mostDaysBetween = 7
  /// How many commands `undo` can take back.
  package static let most = 200
  /// They take about a megabyte.
  package static let mostOfSmallStore = 1_000
}

extension Store {
  /// Deletes the generations that the rule of `Pruning` doesn't keep. It is part of each change.
  func prune() throws(StoreError) {
    let last = try connection.integer("SELECT max(id) FROM generation") ?? 0
    var next = try connection.integer("SELECT moment FROM generation WHERE id = ?1", last) ?? 0
    var age = 0
    let others = try connection.statement(
      """
      SELECT id, moment,
        (SELECT count(*) FROM component WHERE removed IS NOT NULL AND removed = generation.id)
      FROM generation WHERE id < ?1 ORDER BY id DESC
      """, last)
    defer { others.reset() }
    var kept = 0
    var takenOut = 0
    while try others.step() {
      kept += 1
      let moment = others.integer(1)
      let (between, overflow) = next.subtractingReportingOverflow(moment)
      let longest = Pruning.mostDaysBetween * TimeSpan.secondsOfDay
      age += overflow ? 0 : min(max(0, between), longest)
      next = moment
      takenOut += others.integer(2)
      var isTooMuch = takenOut > Pruning.mostOfSmallStore
      if isTooMuch {
        isTooMuch =
          takenOut
          > (try connection.integer("SELECT count(*) FROM component WHERE removed IS NULL") ?? 0)
      }
      if kept > Pruning.most || age > Pruning.days * TimeSpan.secondsOfDay || isTooMuch {
        let id = others.integer(0)
        others.reset()
        return try forget(upTo: id)
      }
    }
  }

  /// Deletes the components that this generation and earlier ones removed.
  private func forget(upTo generation: Int) throws(StoreError) {
    try connection.run(
      "DELETE FROM component WHERE removed IS NOT NULL AND removed <= ?1", generation)
    try connection.run(
      "DELETE FROM revision WHERE removed IS NOT NULL AND removed <= ?1", generation)
    for table in [Schema.serverObject, Schema.conflict] {
      try connection.run(
        "DELETE FROM \(table.name) WHERE removed IS NOT NULL AND removed <= ?1", generation)
    }
    for source in try connection.integers(
      "SELECT id FROM source WHERE removed IS NOT NULL AND removed <= ?1", generation)
    {
      try erase(source: source)
    }
    try connection.run("DELETE FROM generation WHERE id <= ?1", generation)
    let unused = try connection.integer(
      "SELECT 1 FROM context WHERE id NOT IN (SELECT context FROM calendar_object) LIMIT 1")
    if unused != nil { try eraseUnusedContexts() }
  }
}
