internal import CivilTime

/// How long the store remembers what imports took out.
///
/// - The last run stays, so that it can be taken back.
/// - Of the others, those younger than `days` stay, at most `most` of them, the youngest first,
///   and only as long as what all of them have taken out is no more than what is in the store,
///   or `mostOfSmallStore` components.
package enum Thinning {
  package static let days = 40
  package static let most = 200
  package static let mostOfSmallStore = 1_000
}

extension Store {
  /// Forgets the generations that the rule of `Thinning` does not keep. Part of each import.
  func thinOut(now: Instant) throws(StoreError) {
    let lastRun = try connection.integer("SELECT max(run) FROM generation") ?? 0
    let youngest = now.adding(seconds: -Thinning.days * secondsOfDay)
    let others = try connection.statement(
      """
      SELECT id, moment, (SELECT count(*) FROM component WHERE removed = generation.id)
      FROM generation WHERE run < ?1 ORDER BY id DESC
      """)
    others.bind(1, lastRun)
    var kept = 0
    var takenOut = 0
    var last: Int?
    var live: Int?
    while try others.step() {
      kept += 1
      takenOut += others.integer(2)
      var isTooMuch = takenOut > Thinning.mostOfSmallStore
      if isTooMuch {
        if live == nil { live = try liveCount() }
        isTooMuch = takenOut > live ?? 0
      }
      guard kept <= Thinning.most, others.integer(1) >= youngest.secondsSinceEpoch, !isTooMuch
      else {
        last = others.integer(0)
        others.reset()
        break
      }
    }
    if let last { try forget(upTo: last) }
  }

  private func liveCount() throws(StoreError) -> Int {
    try connection.integer("SELECT count(*) FROM component WHERE removed IS NULL") ?? 0
  }

  /// Takes out for good what went with that generation or before it.
  private func forget(upTo generation: Int) throws(StoreError) {
    for id in try integers(
      "SELECT id FROM component WHERE removed IS NOT NULL AND removed <= ?1", generation)
    {
      for sql in StoreSchema.componentErasures { try run(sql, id) }
    }
    for id in try integers("SELECT id FROM edition WHERE removed <= ?1", generation) {
      try erase(edition: id)
    }
    try run("DELETE FROM former_calendar WHERE id <= ?1", generation)
    try run("DELETE FROM generation WHERE id <= ?1", generation)
    for source in try integers("SELECT id FROM source WHERE removed <= ?1", generation) {
      try erase(source: source)
    }
  }

  /// Forgets a source of which nothing is left.
  func erase(source: Int) throws(StoreError) {
    let calendar = try integers("SELECT calendar FROM source WHERE id = ?1", source).first
    try run(
      """
      DELETE FROM document WHERE source = ?1
        AND NOT EXISTS (SELECT 1 FROM edition WHERE edition.document = document.id)
      """, source)
    try run("DELETE FROM source WHERE id = ?1", source)
    if let calendar { try removeCalendarIfEmpty(calendar) }
  }
}
