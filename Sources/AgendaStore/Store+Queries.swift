package import CivilTime

/// The UIDs that have something in a window, by the indexes. A UID stands for all components of all
/// sources that have it: the caller decides what they mean together.
extension Store {
  /// What a query looks for.
  package struct ComponentFilter: Sendable {
    package var kinds: Set<ComponentKind>
    /// The sources whose components are looked at; `nil` for all.
    package var sources: Set<Int>?

    package init(kinds: Set<ComponentKind>, sources: Set<Int>? = nil) {
      self.kinds = kinds
      self.sources = sources
    }

    func admits(kind: Int, source: Int) -> Bool {
      guard let kind = ComponentKind(rawValue: kind), kinds.contains(kind.subject) else {
        return false
      }
      return sources?.contains(source) ?? true
    }
  }

  /// The days of a window as bits of `IndexColumns.touchedDays`, three masks each: for series on the
  /// clock of any zone, and for series that are on dates of UTC, which have a flag set. Of the latter,
  /// the hours of UTC rule out others that are only on the first or on the last date of the window.
  package struct WindowDays: Sendable {
    package var days: [Int]
    package var datesOfUTC: [Int]
    package var laterDates: [Int]
    package var earlierDates: [Int]
    package var isOnDateOfUTC: Int
    /// The mask of the last hour of a series, and the least one on the first date.
    package var lastHour: (mask: Int, least: Int)
    /// The mask of the first hour of a series, and the greatest one on the last date.
    package var firstHour: (mask: Int, most: Int)

    package init(
      days: [Int], datesOfUTC: [Int], laterDates: [Int], earlierDates: [Int], isOnDateOfUTC: Int,
      lastHour: (mask: Int, least: Int), firstHour: (mask: Int, most: Int)
    ) {
      self.days = days
      self.datesOfUTC = datesOfUTC
      self.laterDates = laterDates
      self.earlierDates = earlierDates
      self.isOnDateOfUTC = isOnDateOfUTC
      self.lastHour = lastHour
      self.firstHour = firstHour
    }

    /// In the order of the parameters of the query, from ?5.
    fileprivate var parameters: [Int] {
      days + datesOfUTC + [isOnDateOfUTC, lastHour.mask, lastHour.least] + laterDates
        + [firstHour.mask, firstHour.most] + earlierDates
    }
  }

  /// The UIDs with a component that can be in a span of time.
  package func uids(
    touching window: Range<Instant>, days: WindowDays, _ filter: ComponentFilter
  ) throws(StoreError) -> [Int] {
    let statement = try connection.statement(
      """
      SELECT uid, kind, source FROM component
      WHERE removed IS NULL AND span_class IS NOT NULL AND span_class = ?1
        AND span_begin >= ?2 AND span_begin < ?3 AND span_end >= ?4
        AND (touched_days IS NULL
          OR touched_days & ?11 = 0
            AND touched_days & ?5 <> 0 AND touched_days & ?6 <> 0 AND touched_days & ?7 <> 0
          OR touched_days & ?11 <> 0
            AND touched_days & ?8 <> 0 AND touched_days & ?9 <> 0 AND touched_days & ?10 <> 0
            AND (touched_days & ?12 >= ?13
              OR touched_days & ?14 <> 0 AND touched_days & ?15 <> 0 AND touched_days & ?16 <> 0)
            AND (touched_days & ?17 <= ?18
              OR touched_days & ?19 <> 0 AND touched_days & ?20 <> 0 AND touched_days & ?21 <> 0))
      """)
    return try uids(statement, touching: window, filter) { statement in
      for (index, bits) in days.parameters.enumerated() { statement.bind(Int32(5 + index), bits) }
    }
  }

  /// The UIDs with a component of which an alarm can go off in a span of time.
  package func uids(
    ringing window: Range<Instant>, _ filter: ComponentFilter
  ) throws(StoreError) -> [Int] {
    let statement = try connection.statement(
      """
      SELECT uid, kind, source FROM component
      WHERE removed IS NULL AND alarm_class IS NOT NULL AND alarm_class = ?1
        AND alarm_begin >= ?2 AND alarm_begin < ?3 AND alarm_end >= ?4
      """)
    return try uids(statement, touching: window, filter) { _ in }
  }

  /// Runs a statement once for each class of spans. Its parameters select the spans that touch the
  /// window: ?1 is the class, they begin from ?2 to ?3, and do not end before ?4.
  private func uids(
    _ statement: Statement, touching window: Range<Instant>, _ filter: ComponentFilter,
    _ bindRest: (Statement) -> Void
  ) throws(StoreError) -> [Int] {
    let begin = window.lowerBound.adding(seconds: -TimeSpan.margin).secondsSinceEpoch
    let end = window.upperBound.adding(seconds: TimeSpan.margin).secondsSinceEpoch
    var uids = FoundUIDs()
    for spanClass in 0...TimeSpan.longestClass {
      statement.reset()
      statement.bind(1, spanClass)
      let first = TimeSpan.length(ofClass: spanClass).map { begin.subtractingOrLeast($0) }
      statement.bind(2, first ?? .min)
      statement.bind(3, end)
      statement.bind(4, begin)
      bindRest(statement)
      while try statement.step() {
        guard filter.admits(kind: statement.integer(1), source: statement.integer(2)) else {
          continue
        }
        uids.add(statement.integer(0))
      }
    }
    return uids.all
  }

  /// The UIDs of all components that a filter admits.
  package func uids(_ filter: ComponentFilter) throws(StoreError) -> [Int] {
    let rows = try connection.statement(
      "SELECT uid, kind, source FROM component WHERE removed IS NULL ORDER BY uid")
    var uids = FoundUIDs()
    while try rows.step() {
      guard filter.admits(kind: rows.integer(1), source: rows.integer(2)) else { continue }
      uids.add(rows.integer(0))
    }
    return uids.all
  }

  /// The UIDs of a source.
  package func uids(ofSource source: Int) throws(StoreError) -> [Int] {
    try connection.integers(
      """
      SELECT DISTINCT uid FROM document CROSS JOIN component ON component.document = document.id
      WHERE document.source = ?1 AND component.removed IS NULL
      """, source)
  }

  /// UIDs that have something in common.
  package enum UIDGroup: Hashable, Sendable {
    /// Several components have the UID, or a message. Only for these the components of other files
    /// matter.
    case ofSeveral
    /// There can be a problem because of versions: several events, a message, or an override that is
    /// older than its series or at midnight. Of no other UID a component has to be read to report
    /// problems.
    case doubtful

    /// What is true of the components of one UID.
    fileprivate var condition: String {
      let isMessage = "max(kind) >= \(ComponentKind.eventMessage.rawValue)"
      switch self {
      case .ofSeveral: return "count(*) > 1 OR \(isMessage)"
      case .doubtful:
        return """
          \(isMessage) OR count(*) > 1
          AND (min(version_rank) < 0 OR sum(version_rank & 1 = 0) > 1
            OR min(CASE WHEN version_rank & 1 THEN version_rank >> 1 END)
              < max(CASE WHEN version_rank & 1 = 0 THEN version_rank >> 1 END))
          """
      }
    }
  }

  package func uids(_ group: UIDGroup) throws(StoreError) -> [Int] {
    try connection.integers(
      """
      SELECT uid FROM component WHERE removed IS NULL GROUP BY uid HAVING \(group.condition)
      """)
  }

  /// The same by source, for the sources that have a component with such a UID; with `among`, only
  /// those of some UIDs.
  package func uidsBySource(
    _ group: UIDGroup, among wanted: Set<Int>? = nil
  ) throws(StoreError) -> [Int: Set<Int>] {
    let found: [Int]
    if let wanted {
      found = Array(try uids(group, among: wanted))
    } else {
      found = try uids(group)
    }
    var bySource: [Int: Set<Int>] = [:]
    let rows = try connection.statement(
      "SELECT source FROM component WHERE uid = ?1 AND removed IS NULL")
    for uid in found {
      rows.reset()
      rows.bind(1, uid)
      while try rows.step() { bySource[rows.integer(0), default: []].insert(uid) }
    }
    return bySource
  }

  /// Those of some UIDs that are in a group.
  package func uids(
    _ group: UIDGroup, among uids: some Collection<Int>
  ) throws(StoreError) -> Set<Int> {
    // A walk through the whole index takes less time than very many searches in it.
    if uids.count > 1000, uids.count > (try nextComponent()) / 10 {
      return Set(try self.uids(group)).intersection(uids)
    }
    let row = try connection.statement(
      "SELECT \(group.condition) FROM component WHERE uid = ?1 AND removed IS NULL")
    var found: Set<Int> = []
    for uid in uids {
      row.reset()
      row.bind(1, uid)
      if try row.step(), row.integer(0) != 0 { found.insert(uid) }
    }
    row.reset()
    return found
  }

  /// Those of some UIDs that a present component has.
  package func presentUIDs(
    among uids: some Collection<Int>
  ) throws(StoreError) -> Set<Int> {
    let row = try connection.statement(
      "SELECT 1 FROM component WHERE uid = ?1 AND removed IS NULL LIMIT 1")
    var found: Set<Int> = []
    for uid in uids {
      row.reset()
      row.bind(1, uid)
      if try row.step() { found.insert(uid) }
    }
    row.reset()
    return found
  }

  /// The digest of a kind and a UID.
  package func uidDigest(of uid: String, _ kind: ComponentKind) -> Int {
    Self.uidDigest(of: uid, kind, key: key)
  }

  package static func uidDigest(of uid: String, _ kind: ComponentKind, key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(kind.subject.rawValue)
    digest.add(uid)
    return digest.value
  }
}

/// UIDs in the order in which they were found, each once.
private struct FoundUIDs {
  private(set) var all: [Int] = []
  private var known: Set<Int> = []

  mutating func add(_ uid: Int) {
    if known.insert(uid).inserted { all.append(uid) }
  }
}
