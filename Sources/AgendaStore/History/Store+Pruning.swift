internal import CivilTime

/// How long the store keeps what imports took out.
///
/// - The last run stays, so that it can be undone.
/// - Of the others, those younger than `days` stay, at most `most` of them, the youngest first,
///   and only as long as all of them have taken out no more components than the store has, or
///   `mostOfSmallStore`.
package enum Pruning {
  package static let days = 40
  package static let most = 200
  package static let mostOfSmallStore = 1_000
}

extension Store {
  /// Forgets the generations that the rule of `Pruning` doesn't keep. Part of each import.
  func prune(now: Instant) throws(StoreError) {
    let lastRun = try connection.integer("SELECT max(run) FROM generation") ?? 0
    let youngest = now.adding(seconds: -Pruning.days * secondsOfDay).secondsSinceEpoch
    let others = try connection.statement(
      """
      SELECT id, moment,
        (SELECT count(*) FROM component WHERE removed = generation.id) AS taken_out
      FROM generation WHERE run < ?1 ORDER BY id DESC
      """, lastRun)
    defer { others.reset() }
    var kept = 0
    var takenOut = 0
    while try others.step() {
      kept += 1
      takenOut += others.integer("taken_out")
      var isTooMuch = takenOut > Pruning.mostOfSmallStore
      if isTooMuch { isTooMuch = takenOut > (try liveCount()) }
      if kept > Pruning.most || others.integer("moment") < youngest || isTooMuch {
        let last = others.integer("id")
        others.reset()
        return try forget(upTo: last)
      }
    }
  }

  private func liveCount() throws(StoreError) -> Int {
    try connection.integer(
      "SELECT sum(events + tasks + journals) FROM source WHERE removed IS NULL") ?? 0
  }

  /// Deletes what that generation and those before it took out.
  private func forget(upTo generation: Int) throws(StoreError) {
    for id in try connection.integers(
      "SELECT id FROM component WHERE removed IS NOT NULL AND removed <= ?1", generation)
    {
      for sql in Schema.componentErasures(where: "id = ?1") {
        try connection.statement(sql, id).run()
      }
    }
    try erase(
      revisions: try connection.integers(
        "SELECT id FROM revision WHERE removed IS NOT NULL AND removed <= ?1", generation))
    try connection.run("DELETE FROM previous_calendar WHERE id <= ?1", generation)
    try connection.run("DELETE FROM written_file WHERE generation BETWEEN 0 AND ?1", generation)
    try connection.run("DELETE FROM generation WHERE id <= ?1", generation)
    for source in try connection.integers(
      "SELECT id FROM source WHERE removed <= ?1", generation)
    {
      try erase(source: source)
    }
  }

  /// Forgets a source of which nothing is left.
  func erase(source: Int) throws(StoreError) {
    let calendar = try connection.integer("SELECT calendar FROM source WHERE id = ?1", source)
    try connection.run(
      """
      DELETE FROM document WHERE source = ?1
        AND NOT EXISTS (SELECT 1 FROM revision WHERE revision.document = document.id)
      """, source)
    try connection.run("DELETE FROM adjustment WHERE source = ?1", source)
    try connection.run("DELETE FROM source WHERE id = ?1", source)
    if let calendar { try removeCalendarIfEmpty(calendar) }
  }
}
