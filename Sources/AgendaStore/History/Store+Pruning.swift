internal import CivilTime

/// How long the store keeps removed components.
///
/// - The last run stays, so that it can be undone.
/// - Older generations stay for `days`, at most `most` of them, the youngest first. They stay only
///   as long as they removed no more components together than the store has (or `mostOfSmallStore`,
///   if it has fewer).
package enum Pruning {
  package static let days = 40
  package static let most = 200
  package static let mostOfSmallStore = 1_000
}

extension Store {
  private static let noGeneration = 0

  /// Deletes the generations that the rule of `Pruning` doesn't keep. It is part of each import.
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

  /// Deletes the components that this generation and earlier ones removed, except for the originals
  /// of those that messages changed. These are taken out by no generation then, because the id of a
  /// generation can be used again.
  private func forget(upTo generation: Int) throws(StoreError) {
    let originals = try connection.integers(
      """
      SELECT original FROM message_original
      JOIN component AS changed ON changed.id = message_original.id
      JOIN component ON component.id = original
      WHERE component.removed <= ?1 AND (changed.removed IS NULL OR changed.removed > ?1)
      """, generation)
    try take(out: originals, generation: Self.noGeneration)
    let kept = Set(originals)
    for id in try connection.integers(
      "SELECT id FROM component WHERE removed IS NOT NULL AND removed <= ?1", generation)
    where !kept.contains(id) {
      for sql in Schema.componentErasures(where: "id = ?1") {
        try connection.statement(sql, id).run()
      }
    }
    for sql in Schema.templateErasures { try connection.run(sql) }
    try erase(
      revisions: try connection.integers(
        "SELECT id FROM revision WHERE removed IS NOT NULL AND removed <= ?1", generation))
    try connection.run("DELETE FROM previous_calendar WHERE id <= ?1", generation)
    for sql in Schema.writtenFileErasures(where: "generation BETWEEN 0 AND ?1") {
      try connection.run(sql, generation)
    }
    try connection.run("DELETE FROM generation WHERE id <= ?1", generation)
    for source in try connection.integers(
      "SELECT id FROM source WHERE removed <= ?1", generation)
    {
      try erase(source: source)
    }
  }

  /// Deletes a source without components.
  func erase(source: Int) throws(StoreError) {
    let calendar = try connection.integer("SELECT calendar FROM source WHERE id = ?1", source)
    try connection.run(
      """
      DELETE FROM document WHERE source = ?1
        AND NOT EXISTS (SELECT 1 FROM revision WHERE revision.document = document.id)
      """, source)
    for sql in Schema.adjustmentErasures(where: "source = ?1") {
      try connection.run(sql, source)
    }
    try connection.run("DELETE FROM source WHERE id = ?1", source)
    if let calendar { try removeCalendarIfEmpty(calendar) }
  }
}
