internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import Recurrence

/// What an import did to the events of a source, by what the components of a calendar mean before and
/// after it.
struct VersionCounts {
  private(set) var added = 0
  private(set) var updated = 0
  private(set) var removed = 0
  private(set) var unchanged = 0
  private(set) var superseded = 0
  /// How many an import without changes would count as superseded. A new copy that is shown in place of
  /// another one counts as superseded only in its own import.
  private(set) var lastingSuperseded = 0

  /// Components without any other one with their UID need not be decoded.
  mutating func addSingles(added: Int = 0, unchanged: Int = 0, removed: Int = 0) {
    self.added += added
    self.unchanged += unchanged
    self.removed += removed
  }

  /// Components of which none has changed.
  mutating func addUncounted(total: Int, superseded: Int) {
    unchanged += total - superseded
    self.superseded += superseded
    lastingSuperseded += superseded
  }

  /// A component of the source after the import.
  struct Component {
    let id: Int
    /// Whether the import wrote it.
    let isNew: Bool
  }

  /// Counts the components of a source with some UIDs. `components` are those of the source after the
  /// import, `gone` the ids of those that it took out; `before` and `after` have all components of all
  /// sources with these UIDs. `isMail` is true if the source has only messages.
  mutating func count(
    _ components: [Component], gone: Set<Int>, source: Int, isMail: Bool,
    before: StoreExcerpt, after: StoreExcerpt
  ) {
    let isNew = Dictionary(components.map { ($0.id, $0.isNew) }, uniquingKeysWith: { $1 })
    let shownBefore = before.shownComponents
    let shownAfter = after.shownComponents
    var lost = Candidates(in: before)
    /// Versions that are still there, and that others replace now.
    var replaced = Candidates(in: before)
    for event in before.events {
      let reference = event.reference
      if reference.source == source, gone.contains(reference.component) {
        if shownBefore.contains(reference) || event.kind == .journal { lost.add(event) }
      } else if shownBefore.contains(reference), !shownAfter.contains(reference) {
        replaced.add(event)
      }
    }
    let placesAfter = after.namedOccurrences
    for event in after.events where event.reference.source == source {
      guard let isNew = isNew[event.reference.component], event.kind != .journal else { continue }
      // What METHOD:ADD adds counts as an event, unless it has no effect.
      if let outcome = after.assembly.outcomes[event.reference],
        after.files.isMessage(event.reference) || !outcome.isEffective
      {
        let isCancellation = after.files.isCancellation(event.reference)
        count(outcome, isCancellation: isCancellation, isNew: isNew, isMail: isMail)
        continue
      }
      if after.files.isMessage(event.reference) {
        unchanged += 1
      } else if after.assembly.superseded.contains(event.reference) {
        superseded += 1
        lastingSuperseded += 1
        // An older version that the store had is still the same one.
        if isNew { _ = lost.take(event, placesAfter) }
      } else if !isNew {
        // A message that came or went can change what an unchanged component means.
        let (old, new) = (before.assembly.derivations, after.assembly.derivations)
        let isSame = old[event.reference] == new[event.reference]
        if isSame { unchanged += 1 } else { updated += 1 }
      } else if let old = lost.take(event, placesAfter) {
        if isSame(old, event, before.files, after.files) { unchanged += 1 } else { updated += 1 }
      } else if let other = replaced.take(event, placesAfter) {
        let isCopy =
          before.files.content(of: other).meaning == after.files.content(of: event).meaning
        // Which of two copies is shown makes no difference.
        switch (isCopy, other.reference.source == source) {
        case (false, _): updated += 1
        case (true, false): superseded += 1
        case (true, true): unchanged += 1
        }
      } else {
        added += 1
      }
    }
    removed += lost.rest.count { $0.kind != .journal }
  }

  /// A cancellation does not count, because the cancelled event counts instead, unless that is an event
  /// of another source. Other messages are neither events nor versions of one.
  private mutating func count(
    _ outcome: Message.Outcome, isCancellation: Bool, isNew: Bool, isMail: Bool
  ) {
    guard isCancellation, outcome.isEffective else { return unchanged += 1 }
    guard isMail else {
      superseded += 1
      lastingSuperseded += 1
      return
    }
    if isNew { updated += 1 } else { unchanged += 1 }
  }

  /// Whether an event is the same as before, also in its zone.
  private func isSame(
    _ old: Event, _ new: Event, _ before: CalendarFiles, _ after: CalendarFiles
  ) -> Bool {
    var (oldEvent, newEvent) = (old, new)
    (oldEvent.version.modified, newEvent.version.modified) = (nil, nil)
    // Most changes are visible in the events. The text is decoded only if it decides.
    return oldEvent.hasSameContent(as: newEvent)
      && before.content(of: old).text == after.content(of: new).text
  }
}

/// Events of an earlier state, each taken once by the event that replaces it.
private struct Candidates {
  private struct Key: Hashable {
    let kind: Event.Kind
    let uid: ComparedText
    let occurrence: ComparedStart?
    let includesFollowing: Bool
  }

  private let places: [EventReference: ComparedStart]
  private var events: [Event?] = []
  private var positions: [Key: [Int]] = [:]

  init(in state: StoreExcerpt) { places = state.namedOccurrences }

  /// As its RECURRENCE-ID is written, and as its series has it.
  private static func keys(
    _ event: Event, _ places: [EventReference: ComparedStart]
  ) -> [Key] {
    let written = event.identity.recurrenceID.map(ComparedStart.init)
    let named = places[event.reference] ?? written
    return (named == written ? [written] : [written, named]).map { occurrence in
      Key(
        kind: event.kind, uid: ComparedText(event.identity.uid), occurrence: occurrence,
        includesFollowing: event.identity.includesFollowing)
    }
  }

  mutating func add(_ event: Event) {
    for key in Self.keys(event, places) { positions[key, default: []].append(events.count) }
    events.append(event)
  }

  /// The first one for the same occurrence, if possible with the same start.
  mutating func take(_ event: Event, _ places: [EventReference: ComparedStart]) -> Event? {
    for key in Self.keys(event, places) {
      guard var found = positions[key] else { continue }
      found.removeAll { events[$0] == nil }
      positions[key] = found
      let start = event.start.map(ComparedStart.init)
      let same = found.first { events[$0]?.start.map(ComparedStart.init) == start }
      guard let position = same ?? found.first, let taken = events[position] else { continue }
      events[position] = nil
      return taken
    }
    return nil
  }

  var rest: [Event] { events.compactMap(\.self) }
}

extension StoreExcerpt {
  /// The occurrences that the overrides of its series replace.
  fileprivate var namedOccurrences: [EventReference: ComparedStart] {
    assembly.series.reduce(into: [:]) { all, series in
      all.merge(series.namedOccurrences) { first, _ in first }
    }
  }

  /// The components that its calendars show, as they are or changed by messages.
  fileprivate var shownComponents: Set<EventReference> {
    var shown: Set<EventReference> = []
    for series in assembly.series {
      shown.insert(series.master.reference)
      for override in series.overrides { shown.insert(override.reference) }
    }
    return shown.union(assembly.hidden)
  }
}
