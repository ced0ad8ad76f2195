internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Collects rows of `component` and makes series from them.
struct SeriesRows {
  /// The overrides that a series is returned with.
  enum Overrides {
    case all
    /// Overrides that move or replace an occurrence in the window: enough to list it.
    case inWindow
  }

  struct Window {
    var span: Range<Instant>
    var viewer: Zone

    func widened(by seconds: Int) -> Window {
      Window(
        span: span.lowerBound.adding(seconds: -seconds)..<span.upperBound.adding(seconds: seconds),
        viewer: viewer)
    }
  }

  /// What `Store.take(_:into:)` reads.
  static let columns = "\(EventReader.columns), component.uid_digest"

  /// `nil` for any time.
  var window: Window?
  let overrides: Overrides
  /// The kinds and, by source, the calendars that the caller asks for.
  var kinds: [Event.Kind] = []
  var calendars: [Int: String] = [:]
  /// By source, the sources of the same calendar, which have versions of the same events.
  fileprivate(set) var siblings: [Int: [Int]] = [:]

  /// By the first source of a calendar.
  fileprivate var sharedUIDs: [Int: SharedUIDs] = [:]

  /// Events that don't share their UID. Each of them is a series.
  fileprivate var alone: [Series] = []
  /// Shared UIDs, in the order in which they were found. Each comes with all components that can
  /// move, replace or outdate another one.
  fileprivate var groups: [Group] = []
  private var placeOfGroup: [CalendarUID: Int] = [:]

  /// The key that the sources of a calendar share; `nil` if the caller doesn't ask for the
  /// calendar.
  func calendarUID(_ uid: Int, in source: Int) -> CalendarUID? {
    siblings[source]?.first.map { CalendarUID(source: $0, uid: uid) }
  }

  init(in window: Window?, _ overrides: Overrides = .all) {
    self.window = window
    self.overrides = overrides
  }

  /// A UID of a calendar, which is identified by its first source.
  struct CalendarUID: Hashable {
    var source: Int
    var uid: Int
  }

  struct Group {
    let uid: CalendarUID
    /// The only component that was found, if no other one matters.
    var alone: Event?
    /// The longest length of an occurrence, if only overrides of occurrences near the window are
    /// needed; `nil` if all are.
    var reach: Int?
  }

  /// Whether it is the first of its group.
  fileprivate mutating func join(_ uid: CalendarUID, reach: Int?) -> Bool {
    guard let place = placeOfGroup[uid] else { return true }
    groups[place].alone = nil
    groups[place].reach = reach.flatMap { reach in groups[place].reach.map { max($0, reach) } }
    return false
  }

  fileprivate mutating func add(_ group: Group) {
    placeOfGroup[group.uid] = groups.count
    groups.append(group)
  }

  /// The time in which an override must replace an occurrence to matter, if occurrences last at
  /// most `reach`.
  fileprivate func replaced(reach: Int?) -> ClosedRange<Int> {
    guard let reach, let span = window?.span else { return .min ... .max }
    // Moments of dates and floating times can be off by up to a day, and so can windows.
    let slack = 2 * EventSpan.margin
    let low = span.lowerBound.secondsSinceEpoch.subtractingOrLeast(reach + slack)
    return low...max(low, span.upperBound.adding(seconds: slack).secondsSinceEpoch)
  }
}

extension Store {
  func select(_ selection: Selection?, for rows: inout SeriesRows) throws(StoreError) {
    rows.kinds = Event.Kind.allCases.filter { selection?.admitsKind($0) ?? true }
    rows.calendars = try calendarNames().filter {
      selection?.admitsCalendar(named: $0.value) ?? true
    }
    for sources in Dictionary(grouping: rows.calendars.keys, by: { rows.calendars[$0] }).values {
      let sources = sources.sorted()
      for source in sources { rows.siblings[source] = sources }
    }
  }

  /// Takes the rows of a statement with `SeriesRows.columns`, except those that quickly turn out to
  /// be outside of the window.
  ///
  /// With `ringing`, it looks for occurrences whose alarms can go off in the window. The column
  /// `alarm_reach` limits how far from it they can be.
  func take(
    _ statement: Statement, into rows: inout SeriesRows, ringing: SeriesRows.Window? = nil
  ) throws(StoreError) {
    let reader = EventReader(statement, context)
    let uidColumn = statement.column("uid_digest")
    let reachColumn = ringing == nil ? nil : statement.column("alarm_reach")
    let others = try connection.statement(Self.others)
    while try statement.step() {
      let source = reader.source
      guard let calendar = rows.calendars[source],
        reader.kind.map(rows.kinds.contains) ?? true
      else { continue }
      var reach: Int?
      let window =
        if let ringing, let reachColumn {
          statement.optionalInteger(reachColumn).map(ringing.widened)
        } else {
          rows.window
        }
      if let window, let rules = reader.rulesOnly {
        if rules.surelyMisses(window.span, viewer: window.viewer) { continue }
        if rows.overrides == .inWindow { reach = rules.longest(viewer: window.viewer) }
      }
      let siblings = rows.siblings[source] ?? [source]
      let uid = SeriesRows.CalendarUID(
        source: siblings.first ?? source, uid: statement.integer(uidColumn))
      guard rows.join(uid, reach: reach) else { continue }
      var isUnshared = try rows.sharedUIDs[uid.source, default: SharedUIDs(of: siblings)]
        .isUnshared(uid.uid, in: self)
      if !isUnshared {
        isUnshared = try Self.isAlone(
          reader.id, uid.uid, in: siblings, replacing: .min ... .max, by: others)
      }
      if isUnshared {
        rows.alone.append(Series(try event(reader, calendar: calendar)))
        continue
      }
      var group = SeriesRows.Group(uid: uid, reach: reach)
      // This is done while this row and those next to it are in memory.
      if reach != nil,
        try Self.isAlone(
          reader.id, uid.uid, in: siblings, replacing: rows.replaced(reach: reach), by: others)
      {
        group.alone = try event(reader, calendar: calendar)
      }
      rows.add(group)
    }
  }

  /// The series of the rows that were taken.
  func series(of rows: SeriesRows) throws(StoreError) -> [Series] {
    var alone = rows.alone
    var repeated: [Event] = []
    for group in rows.groups {
      if let event = group.alone {
        alone.append(Series(event))
      } else {
        try read(
          group.uid.uid, of: rows.siblings[group.uid.source] ?? [group.uid.source],
          replacing: rows.replaced(reach: group.reach),
          calendar: rows.calendars[group.uid.source] ?? "", into: &repeated)
      }
    }
    let assembly = try SeriesAssembly(repeated) { event throws(StoreError) in
      try content(of: event)
    }
    return alone + assembly.series
  }

  /// All present components with these UIDs, in the calendars that the caller asks for.
  func events(
    of uids: Set<SeriesRows.CalendarUID>, _ rows: SeriesRows
  ) throws(StoreError) -> [Event] {
    var events: [Event] = []
    for uid in uids {
      try read(
        uid.uid, of: rows.siblings[uid.source] ?? [uid.source], replacing: .min ... .max,
        calendar: rows.calendars[uid.source] ?? "", into: &events)
    }
    return events
  }

  private static let members = """
    FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL
      AND (replaces IS NULL OR replaces BETWEEN ?3 AND ?4)
    """

  private static let others = "SELECT 1 \(members) AND id <> ?5"

  /// Whether these sources have no other component with this UID that is a master or replaces an
  /// occurrence in that time. `others` is the statement with this name.
  private static func isAlone(
    _ component: Int, _ uid: Int, in sources: [Int], replacing replaced: ClosedRange<Int>,
    by others: Statement
  ) throws(StoreError) -> Bool {
    // This runs for every row, so it avoids the cost of binding values of any type.
    defer { others.reset() }
    for source in sources {
      others.reset()
      others.bind(1, source)
      others.bind(2, uid)
      others.bind(3, replaced.lowerBound)
      others.bind(4, replaced.upperBound)
      others.bind(5, component)
      if try others.step() { return false }
    }
    return true
  }

  func read(
    _ uid: Int, of sources: [Int], replacing replaced: ClosedRange<Int>, calendar: String,
    into events: inout [Event]
  ) throws(StoreError) {
    let first = events.count
    for source in sources {
      let rows = try connection.statement(
        "SELECT \(EventReader.columns) \(Self.members)", source, uid, replaced.lowerBound,
        replaced.upperBound)
      let reader = EventReader(rows, context)
      while try rows.step() { events.append(try event(reader, calendar: calendar)) }
    }
    // Sorts them in the order of their sources.
    events[first...].sort { $0.reference.component < $1.reference.component }
  }
}
