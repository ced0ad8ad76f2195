/// The state of a store's history.
package struct StoreState: Hashable, Sendable {
  /// The last generation; 0 without any.
  package var generation: Int
  /// The command that made it. After an undo, numbers of generations are used again, but those of
  /// commands never are.
  package var run: Int

  /// The state of a store without any command.
  package static let empty = StoreState(generation: 0, run: 0)
}

/// The generations of one command.
package struct StoreCommand: Hashable, Sendable {
  package let firstGeneration: Int
  /// The first generation of the command after it; the greatest number for the last command.
  let end: Int
}

extension Store {
  /// The last commands, the latest one first.
  package func lastCommands(atMost most: Int) throws(StoreError) -> [StoreCommand] {
    let rows = try connection.statement(
      "SELECT min(id) AS first FROM generation GROUP BY run ORDER BY run DESC LIMIT ?1", most)
    var commands: [StoreCommand] = []
    while try rows.step() {
      let end = commands.last?.firstGeneration ?? .max
      commands.append(StoreCommand(firstGeneration: rows.integer("first"), end: end))
    }
    return commands
  }

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

  /// The last generation of a state that still exists: an undo removes generations.
  package func lastGeneration(of state: StoreState) throws(StoreError) -> Int {
    try connection.integer(
      "SELECT max(id) FROM generation WHERE id <= ?1 AND run <= ?2", state.generation, state.run)
      ?? 0
  }
}
