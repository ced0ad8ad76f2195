internal import AgendaCore
package import AgendaStore
package import CivilTime

/// The effect of a command on one calendar of a source. `undo` takes it back, and `redo` brings it back.
package struct CommandEffect: Hashable, Sendable {
  /// The location of the source: a path, an address or a name.
  package var source: String
  /// The calendar of the source.
  package var calendar: String
  /// The calendar that the source had before, if the command moved it to another one.
  package var previousCalendar: String?
  /// When the command ran.
  package var moment: Instant
  /// The number of events that the command added.
  package var added: Int
  /// The number of events that the command changed.
  package var updated: Int
  /// The number of events that the command removed or hid.
  package var removed: Int
}

extension StoreReader {
  /// What the last generation did. Messages and decisions of the user count by their effect on the
  /// sources that they are about.
  package func effects(ofLast generation: Int) throws(StoreError) -> [CommandEffect] {
    try store.reading { () throws(StoreError) in
      guard
        let last = try store.generations(atMost: 1).first(where: { $0.id == generation })
      else { return [] }
      var counts = try changeCounts(of: generation)
      let previous = try store.previousCalendars(from: generation)
      let changed = Set(try store.changedSources(by: generation))
      var effects: [CommandEffect] = []
      for stored in try store.sources(includingRemoved: true) {
        let calendar = stored.source.calendar
        let own = counts.keys.filter { $0.source == stored.id }.map(\.calendar).sorted()
        let isListed = changed.contains(stored.id) && !calendar.isEmpty
        for name in isListed && own.isEmpty ? [calendar] : own {
          let owner = ChangeCounts.Owner(source: stored.id, calendar: name)
          let count = counts.removeValue(forKey: owner) ?? ChangeCounts()
          let before = previous[stored.id]
          effects.append(
            CommandEffect(
              source: stored.source.location, calendar: name,
              previousCalendar: before == calendar ? nil : before, moment: last.moment,
              added: count.added, updated: count.updated, removed: count.removed))
        }
      }
      return effects
    }
  }

  /// The components of UIDs that only one component has, and only before or after the generation, are
  /// counted without decoding them.
  private func changeCounts(
    of generation: Int
  ) throws(StoreError) -> [ChangeCounts.Owner: ChangeCounts] {
    // Both parts of a series that was split are one entry that changed.
    let splits = try store.splits(from: generation, before: generation + 1)
    let splitUIDs = Set(splits.flatMap { [$0.old, $0.new] })
    let changed = try store.changedComponents(by: generation).filter {
      !splitUIDs.contains($0.uid)
    }
    var numbers: [Int: Int] = [:]
    numbers.reserveCapacity(changed.count)
    for component in changed { numbers[component.uid, default: 0] += 1 }
    // A component that stays, or an older one that was replaced, makes a UID one of several.
    var several = try store.uids(.ofSeveral, among: numbers.keys)
    let gone = Set(changed.lazy.filter(\.isRemoved).map(\.uid))
    several.formUnion(try store.presentUIDs(among: gone))
    for component in changed
    where component.kind.isMessage || numbers[component.uid] ?? 0 > 1 {
      several.insert(component.uid)
    }
    var counts: [ChangeCounts.Owner: ChangeCounts] = [:]
    for split in splits {
      let calendar = try source(split.source)?.source.calendar ?? ""
      counts[.init(source: split.source, calendar: calendar), default: ChangeCounts()].updated += 1
    }
    for component in changed where !several.contains(component.uid) {
      let own = try source(component.source)?.source.calendar
      let owner = ChangeCounts.Owner(
        source: component.source, calendar: component.calendar ?? own ?? "")
      if component.isRemoved {
        counts[owner, default: ChangeCounts()].removed += 1
      } else {
        counts[owner, default: ChangeCounts()].added += 1
      }
    }
    if several.isEmpty { return counts }
    let decoded = ChangeCounts.counts(
      from: try state(ofUIDs: several, at: .before(generation: generation)),
      to: try state(ofUIDs: several, at: .present))
    return counts.merging(decoded) { left, right in
      ChangeCounts(
        added: left.added + right.added, updated: left.updated + right.updated,
        removed: left.removed + right.removed)
    }
  }
}
