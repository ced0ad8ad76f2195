internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The entries that an edit may change: those that were chosen. All others with the UID must be the same
/// before and after it, however odd its components are.
struct ChosenEntries {
  /// An entry of an agenda, as far as it can be seen.
  struct Entry: Hashable {
    let title: String
    /// `nil` for a task without a date.
    let start: EventTime?
    fileprivate let begin: Instant
    private let finish: Instant
    private let location: String?
    private let status: Event.Status?

    fileprivate init(_ occurrence: Occurrence) {
      (title, location) = (occurrence.event.title, occurrence.event.location)
      status = occurrence.event.status
      start = occurrence.isUndated ? nil : occurrence.start
      (begin, finish) = (occurrence.begin, occurrence.finish)
    }

    fileprivate var window: Range<Instant> { begin..<max(finish, begin.adding(seconds: 1)) }
  }

  private let occurrence: Occurrence
  private let scope: SeriesScope?
  private let viewer: Zone
  private let before: [Series]
  /// The series of the chosen occurrence.
  private let own: Series?
  /// How many of one chosen entry are left: none if it is removed, unless another source of the calendar
  /// has it too.
  private let left: ClosedRange<Int>
  /// The number of overrides that a new rule has no dates for.
  private let droppedOverrides: Int
  /// If several events have the UID: the file, or the source.
  let fileOfSharedUID: String?

  init(
    _ loaded: LoadedSeries, _ result: WriteResult, areRemoved: Bool, viewer: Zone,
    file: String? = nil
  ) {
    fileOfSharedUID = loaded.sharesUID ? file : nil
    occurrence = loaded.occurrence
    scope = result.scope
    droppedOverrides = result.droppedOverrides
    self.viewer = viewer
    left = areRemoved ? 0...(result.copies.isEmpty ? 0 : 1) : 1...1
    before = loaded.excerpt.assembly.series
    own = loaded.series ?? loaded.excerpt.assembly.series(with: loaded.home.event.reference)
  }

  /// An entry that was not chosen and that differs in what there is after the edit; `nil` if all is as it
  /// should be.
  func other(changedIn after: [Series]) -> Entry? {
    let (old, new) = (entries(of: before), entries(of: after))
    var others: [Entry: Int] = [:]
    var chosen: Entry?
    for (entry, isChosen) in old.some {
      if isChosen { chosen = entry } else { others[entry, default: 0] += 1 }
    }
    let gone = others.filter { new.count(of: $0.key) < $0.value }.keys
    if let first = gone.min(by: { ($0.begin, $0.title) < ($1.begin, $1.title) }) { return first }
    if let lost = lostOverride(in: after) { return lost }
    guard scope == nil || scope == .only, let chosen else { return nil }
    // The chosen one can have become a series.
    var added: [Entry] = []
    for entry in Set(new.some.map(\.entry)) {
      let unchosen = old.count(of: entry) - (entry == chosen ? 1 : 0)
      added += Array(repeating: entry, count: max(0, new.count(of: entry) - unchosen))
    }
    if left.contains(added.count) || hasMoreSeries(after) { return nil }
    return added.first { $0 != chosen } ?? chosen
  }

  private func hasMoreSeries(_ after: [Series]) -> Bool {
    after.count(where: \.master.repeats) > before.count(where: \.master.repeats)
  }

  /// An override that no longer replaces an occurrence, which would be shown next to it.
  private func lostOverride(in after: [Series]) -> Entry? {
    guard left.lowerBound > 0, scope == .all || scope == .following else { return nil }
    func replacing(_ series: [Series]) -> [Event] {
      series.flatMap { series in
        series.overrides.filter {
          series.master.repeats && $0.identity.recurrenceID.map(series.master.hasOccurrence) == true
        }
      }
    }
    guard before.reduce(0, { $0 + $1.overrides.count }) <= Self.mostOverrides else { return nil }
    let (old, new) = (replacing(before), replacing(after))
    guard new.count < old.count - droppedOverrides else { return nil }
    return old.first.flatMap { [$0].firstOccurrence(zone: viewer) }.map(Entry.init)
  }

  /// For more of them, a search in the series for each would take long.
  private static let mostOverrides = 1000

  private func isChosen(_ other: Occurrence, of series: Series) -> Bool {
    guard series.master.reference == own?.master.reference else { return false }
    if scope == .all { return true }
    guard let place = occurrence.recurrenceID, let others = other.recurrenceID else {
      return other.recurrenceID == occurrence.recurrenceID
    }
    let (first, moment) = (place.instant(for: viewer), others.instant(for: viewer))
    return scope == .following ? moment >= first : moment == first
  }

  /// The entries of some series: all of a short one.
  private struct Entries {
    /// Of long series the first ones, and those from the chosen one on.
    var some: [(entry: Entry, isChosen: Bool)] = []
    var short: [Entry: Int] = [:]
    var long: [PreparedSeries] = []

    func count(of entry: Entry) -> Int {
      long.reduce(short[entry] ?? 0) { count, series in
        count
          + series.occurrences(touching: entry.window, includingCancelled: true)
          .count { Entry($0) == entry }
      }
    }
  }

  private func entries(of all: [Series]) -> Entries {
    var entries = Entries()
    let end = Zone.utc.startOfDay(.afterLast)
    for series in all {
      func add(_ occurrence: Occurrence) {
        entries.some.append((Entry(occurrence), isChosen(occurrence, of: series)))
      }
      guard series.master.start != nil else {
        let undated = Occurrence(undated: series.master)
        add(undated)
        entries.short[Entry(undated), default: 0] += 1
        continue
      }
      let prepared = PreparedSeries(series, viewer: viewer)
      let first = Array(
        prepared.occurrences(
          touching: Zone.utc.startOfDay(.first)..<end, includingCancelled: true,
          atMost: Self.mostOfSeries))
      first.forEach(add)
      guard first.count == Self.mostOfSeries, let last = first.last else {
        for occurrence in first { entries.short[Entry(occurrence), default: 0] += 1 }
        continue
      }
      entries.long.append(prepared)
      guard occurrence.begin < end else { continue }
      for other in prepared.occurrences(
        touching: occurrence.begin..<end, includingCancelled: true, atMost: Self.mostOfSeries)
      where other.begin > last.begin { add(other) }
    }
    return entries
  }

  private static let mostOfSeries = 200
}
