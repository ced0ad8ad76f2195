internal import AgendaCore
package import AgendaStore
public import CivilTime

/// A command that changed the store and can be undone.
public struct UndoStep: Hashable, Sendable {
  /// 1 is the last step; undoing 2 steps undoes it and the one before it.
  public let number: Int
  package let generation: Int
  /// When the command ran.
  public let moment: Instant
  /// The name of the command: `import`, `edit`.
  public let command: String
  /// The calendars that it changed, by name.
  public let calendars: [String]
  /// The titles of some entries that it changed.
  package let titles: [String]
  /// The sources that it changed, without the secret parts of addresses.
  package let sources: [String]
  /// What the command did, once it was undone or brought back.
  package var effects: [CommandEffect] = []
}

extension StoreReader {
  /// The last commands that can be undone, the newest first.
  package func undoSteps(atMost most: Int) throws(StoreError) -> [UndoStep] {
    try store.reading { () throws(StoreError) in
      var steps: [UndoStep] = []
      for generation in try store.generations(atMost: most) {
        var calendars: Set<String> = []
        var names: [String] = []
        let events = try changedEvents(by: generation.id)
        for id in try store.changedSources(by: generation.id) {
          guard let source = try source(id)?.source else { continue }
          // What the user decided about an event changes its calendar.
          if source.kind == .decisions {
            calendars.formUnion(events.map(\.calendar))
            continue
          }
          if !source.calendar.isEmpty { calendars.insert(source.calendar) }
          let name = source.kind == .local ? source.calendar : source.displayName
          if !names.contains(name) { names.append(name) }
        }
        steps.append(
          UndoStep(
            number: steps.count + 1, generation: generation.id, moment: generation.moment,
            command: generation.command, calendars: calendars.sorted(),
            titles: events.map(\.title), sources: names))
      }
      return steps
    }
  }

  /// Some events that a command changed, each title once.
  private func changedEvents(by generation: Int) throws(StoreError) -> [Event] {
    let uids = try store.changedUIDs(
      from: generation, before: generation + 1, atMost: Self.mostChanges, some: true)
    var titles: Set<String> = []
    return try changes(from: generation, before: generation + 1, among: uids, viewer: .utc)
      .compactMap { $0.after ?? $0.before }.filter { titles.insert($0.title).inserted }
  }

  private static var mostChanges: Int { 50 }
}
