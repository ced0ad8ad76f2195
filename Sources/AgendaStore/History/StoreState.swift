/// How far the history of a store goes.
package struct StoreState: Hashable, Sendable {
  /// The last generation; 0 without any.
  package var generation: Int
  /// The command that made it. Numbers of generations can come again after an undo, those of
  /// commands never do.
  package var run: Int

  /// A store to which nothing has happened yet.
  package static let empty = StoreState(generation: 0, run: 0)
}

extension Store {
  /// Changes with each commit of another connection.
  package func dataVersion() throws(StoreError) -> Int {
    try connection.integer("PRAGMA data_version") ?? 0
  }

  package func state() throws(StoreError) -> StoreState {
    let row = try connection.statement(
      "SELECT id, run FROM generation ORDER BY id DESC LIMIT 1")
    defer { row.reset() }
    guard try row.step() else { return .empty }
    return StoreState(generation: row.integer("id"), run: row.integer("run"))
  }

  /// The first generation of the command that can be undone next.
  package func firstGenerationToUndo() throws(StoreError) -> Int? {
    try connection.integer(
      "SELECT min(id) FROM generation WHERE run = (SELECT max(run) FROM generation)")
  }

  /// The last generation that was there in a state and still is: an undo takes generations away.
  package func lastGeneration(of state: StoreState) throws(StoreError) -> Int {
    try connection.integer(
      "SELECT max(id) FROM generation WHERE id <= ?1 AND run <= ?2", state.generation, state.run)
      ?? 0
  }
}
