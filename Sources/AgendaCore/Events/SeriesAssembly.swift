internal import CivilTime
internal import Recurrence

/// The components of one or more sources, put together to series by source, kind and UID.
///
/// - Of components with the same UID and RECURRENCE-ID, or the same UID and DTSTART, the one with
///   the higher version stays, of equal ones the later.
/// - Components with the same UID, no RECURRENCE-ID and different DTSTARTs are all kept, with a
///   warning: some producers number their events anew from 0.
/// - An override without its master is an event of its own.
public struct SeriesAssembly: Sendable {
  /// In the order in which they first appear.
  public private(set) var series: [Series] = []
  public private(set) var findings: [Finding] = []
  /// Which of the given events a later version or an equal one replaces, by index, in order.
  public private(set) var superseded: [Int] = []

  private struct Key: Hashable {
    let source: Int
    let kind: Event.Kind
    let calendar: String
    let uid: String
  }

  /// What an override replaces: a moment, or all of a date where its series is timed.
  private struct Replaced: Hashable {
    let isDay: Bool
    /// A moment in a zone, of a floating series: only whoever looks knows which local time that is.
    let isMoment: Bool
    let key: Int
  }

  public init(_ events: [Event]) {
    var groupOfKey: [Key: Int] = [:]
    groupOfKey.reserveCapacity(events.count)
    // Nearly all are alone: only where a UID comes again there is a list.
    var first: [Int] = []
    first.reserveCapacity(events.count)
    var others: [Int: [Int]] = [:]
    for (index, event) in events.enumerated() {
      let key = Key(
        source: event.reference.source, kind: event.kind, calendar: event.calendar,
        uid: event.identity.uid)
      if let group = groupOfKey[key] {
        others[group, default: []].append(index)
      } else {
        groupOfKey[key] = first.count
        first.append(index)
      }
    }
    series.reserveCapacity(first.count)
    for (group, index) in first.enumerated() {
      if let more = others[group] {
        assemble([index] + more, of: events)
      } else {
        series.append(Series(events[index]))
      }
    }
    superseded.sort()
  }

  private mutating func assemble(_ group: [Int], of events: [Event]) {
    let masters = newest(group.filter { events[$0].identity.recurrenceID == nil }, of: events) {
      events[$0].start
    }
    let overrides = group.filter { events[$0].identity.recurrenceID != nil }
    if masters.count > 1, let index = masters.first {
      let event = events[index]
      findings.append(Self.finding(sharedBy: event, starts: masters.count))
    }
    var overridesOfMaster: [Int: [Int]] = [:]
    var orphans: [Int] = []
    let owners = Owners(masters, of: events)
    for override in overrides {
      if let master = owners.owner(of: events[override]) {
        overridesOfMaster[master, default: []].append(override)
      } else {
        orphans.append(override)
      }
    }
    for index in masters {
      var master = events[index]
      master.sharesUID = masters.count > 1
      guard let own = overridesOfMaster[index], let start = master.start else {
        series.append(Series(master))
        continue
      }
      let matcher = TimeMatcher(start: start, viewer: .utc)
      let kept = newest(own, of: events) { index in
        let time = events[index].identity.recurrenceID ?? start
        return Replaced(
          isDay: time.isDate && !matcher.isDate,
          isMoment: start.zone == nil && time.zone != nil && !matcher.isDate,
          key: matcher.key(time))
      }
      series.append(
        Series(
          master,
          overrides: kept.map { index in
            var override = events[index]
            override.sharesUID = master.sharesUID
            return override
          }))
    }
    for orphan in newest(orphans, of: events, by: { events[$0].identity.recurrenceID }) {
      series.append(Series(events[orphan]))
    }
  }

  /// What is to be said of a UID that belongs to events of so many different starts.
  package static func finding(sharedBy event: Event, starts: Int, line: Int? = nil) -> Finding {
    Finding(
      severity: .warning, line: line, component: event.kind.component, uid: event.identity.uid,
      property: "UID", message: "\(starts) components with the same UID start at different times",
      action: "all kept")
  }

  /// The newest of those with the same identity, in the order in which each first appears.
  private mutating func newest<Identity: Hashable>(
    _ indices: [Int], of events: [Event], by identity: (Int) -> Identity
  ) -> [Int] {
    var placeOfIdentity: [Identity: Int] = [:]
    var kept: [Int] = []
    for index in indices {
      guard let place = placeOfIdentity[identity(index)] else {
        placeOfIdentity[identity(index)] = kept.count
        kept.append(index)
        continue
      }
      if events[index].version < events[kept[place]].version {
        superseded.append(index)
      } else {
        superseded.append(kept[place])
        kept[place] = index
      }
    }
    return kept
  }

  /// Which of several masters with one UID an override belongs to: the last recurring one that
  /// begins before what it replaces.
  private struct Owners {
    private let only: Int?
    private let recurring: [(first: Instant, index: Int)]
    private let singles: [Instant: Int]

    init(_ masters: [Int], of events: [Event]) {
      only = masters.count == 1 ? masters.first { events[$0].start != nil } : nil
      var recurring: [(first: Instant, index: Int)] = []
      var singles: [Instant: Int] = [:]
      for index in masters {
        guard let start = events[index].start?.instant(for: .utc) else { continue }
        if events[index].recurrence == nil {
          singles[start] = index
        } else {
          recurring.append((start, index))
        }
      }
      self.recurring = recurring.sorted { $0.first < $1.first }
      self.singles = singles
    }

    func owner(of override: Event) -> Int? {
      if let only { return only }
      guard let moment = override.identity.recurrenceID?.instant(for: .utc) else { return nil }
      if let single = singles[moment] { return single }
      // A date counts from its midnight, before the time at which its series begins.
      let isDay = override.identity.recurrenceID?.isDate == true
      let end = moment.adding(seconds: isDay ? TimeOfDay.secondsPerCivilDay : 0)
      var (low, high) = (0, recurring.count)
      while low < high {
        let middle = (low + high) / 2
        if recurring[middle].first <= end { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? recurring[low - 1].index : recurring.first?.index
    }
  }
}
