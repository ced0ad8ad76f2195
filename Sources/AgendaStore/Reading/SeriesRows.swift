internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Rows of `component` on their way to series, and what is asked for.
struct SeriesRows {
  /// Which overrides a series comes with.
  enum Overrides {
    case all
    /// Those that move or replace something in the window: enough to list it.
    case inWindow
  }

  struct Window {
    var span: Range<Instant>
    var viewer: Zone
  }

  /// What `Store.take(_:into:)` reads.
  static let columns = "\(EventColumns.list), component.uid_digest, repeated.uid_digest"
  static let join = """
    LEFT JOIN repeated ON repeated.source = component.source
      AND repeated.uid_digest = component.uid_digest
    """

  /// `nil` where the time does not matter.
  var window: Window?
  let overrides: Overrides
  /// The kinds and, by source, the calendars that are wanted.
  var kinds: [Event.Kind] = []
  var calendars: [Int: String] = [:]

  /// Events whose UID no other has: a series each.
  fileprivate var alone: [Series] = []
  /// UIDs that are not alone: whatever of them moves, replaces or outdates another comes with it.
  /// In the order in which they were met.
  fileprivate var groups: [Group] = []
  private var placeOfGroup: [SourceUID: Int] = [:]

  init(in window: Window?, _ overrides: Overrides = .all) {
    self.window = window
    self.overrides = overrides
  }

  struct SourceUID: Hashable {
    var source: Int
    var uid: Int
  }

  struct Group {
    let uid: SourceUID
    /// The one that was met, where no other matters.
    var alone: Event?
    /// How long its occurrences last at most, where only overrides of such that touch the window
    /// are wanted; `nil` where all are.
    var reach: Int?
  }

  /// Whether it is the first of its group.
  fileprivate mutating func join(_ uid: SourceUID, reach: Int?) -> Bool {
    guard let place = placeOfGroup[uid] else { return true }
    groups[place].alone = nil
    groups[place].reach = reach.flatMap { reach in groups[place].reach.map { max($0, reach) } }
    return false
  }

  fileprivate mutating func add(_ group: Group) {
    placeOfGroup[group.uid] = groups.count
    groups.append(group)
  }

  /// What an override can replace and matter, in a series whose occurrences last so long at most.
  fileprivate func replaced(reach: Int?) -> ClosedRange<Int> {
    guard let reach, let span = window?.span else { return .min ... .max }
    // Moments of dates and floating times are right to within a day, and so are windows.
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
  }

  /// Takes up a row, unless it is quickly seen to have nothing in the window.
  func take(_ row: Statement, into rows: inout SeriesRows) throws(StoreError) {
    let source = row.integer(1)
    guard let calendar = rows.calendars[source],
      StoredEnum.value(row.integer(2), in: StoredEnum.kinds).map(rows.kinds.contains) ?? true
    else { return }
    var reach: Int?
    if let window = rows.window, let rules = EventColumns.rulesOnly(row, context: context) {
      if rules.surelyMisses(window.span, viewer: window.viewer) { return }
      if rows.overrides == .inWindow { reach = rules.longest(viewer: window.viewer) }
    }
    guard !row.isNull(EventColumns.count + 1) else {
      rows.alone.append(Series(try event(row, calendar: calendar)))
      return
    }
    let uid = SeriesRows.SourceUID(source: source, uid: row.integer(EventColumns.count))
    guard rows.join(uid, reach: reach) else { return }
    var group = SeriesRows.Group(uid: uid, reach: reach)
    // Now, as its row and those beside it are at hand.
    if reach != nil, try isAlone(row.integer(0), in: uid, replacing: rows.replaced(reach: reach)) {
      group.alone = try event(row, calendar: calendar)
    }
    rows.add(group)
  }

  /// The series of what was taken up.
  func series(of rows: SeriesRows) throws(StoreError) -> [Series] {
    var alone = rows.alone
    var repeated: [Event] = []
    for group in rows.groups {
      if let event = group.alone {
        alone.append(Series(event))
      } else {
        try read(
          group.uid, replacing: rows.replaced(reach: group.reach),
          calendar: rows.calendars[group.uid.source] ?? "", into: &repeated)
      }
    }
    return alone + SeriesAssembly(repeated).series
  }

  private static let members = """
    FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL
      AND (replaces IS NULL OR replaces BETWEEN ?3 AND ?4)
    """

  private func bind(
    _ uid: SeriesRows.SourceUID, _ replaced: ClosedRange<Int>, to statement: Statement
  ) {
    statement.bind(1, uid.source)
    statement.bind(2, uid.uid)
    statement.bind(3, replaced.lowerBound)
    statement.bind(4, replaced.upperBound)
  }

  /// Whether no other has this UID and is a master or replaces something in that time.
  private func isAlone(
    _ component: Int, in uid: SeriesRows.SourceUID, replacing replaced: ClosedRange<Int>
  ) throws(StoreError) -> Bool {
    let others = try connection.statement("SELECT 1 \(Self.members) AND id <> ?5")
    bind(uid, replaced, to: others)
    others.bind(5, component)
    defer { others.reset() }
    return try !others.step()
  }

  private func read(
    _ uid: SeriesRows.SourceUID, replacing replaced: ClosedRange<Int>, calendar: String,
    into events: inout [Event]
  ) throws(StoreError) {
    let rows = try connection.statement("SELECT \(EventColumns.list) \(Self.members)")
    bind(uid, replaced, to: rows)
    let first = events.count
    while try rows.step() { events.append(try event(rows, calendar: calendar)) }
    // In the order in which their source has them.
    events[first...].sort { $0.reference.component < $1.reference.component }
  }

  func event(_ row: Statement, calendar: String) throws(StoreError) -> Event {
    guard let event = EventColumns.event(row, calendar: calendar, context: context) else {
      let id = row.integer(0)
      row.reset()
      throw damaged(id)
    }
    return event
  }
}

extension Int {
  func subtractingOrLeast(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }
}
