/// A time zone: the offset of its clocks from UTC at each instant.
///
/// A zone database gives the same object for the same name. Zones that files define are equal if
/// they have the same name and the same rules: each file, and each VCALENDAR in it, defines its own.
public final class Zone: Sendable {
  /// Where a zone's rules came from.
  package enum Origin: Hashable, Sendable {
    /// UTC itself.
    case utc
    /// An offset that never changes, such as `GMT+05:30`.
    case fixedOffset
    /// The time zone database of the system or of `TZDIR`.
    case database
    /// A POSIX rule in `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    case posixRule
    /// A VTIMEZONE of the calendar itself.
    case definition
  }

  /// An IANA name, `UTC`, an offset such as `+05:30`, or the TZID of a definition.
  public let name: String
  /// The name if it means the same zone everywhere: an IANA name or `UTC`; `nil` for an offset and for
  /// a zone that only a file or `TZ` defines.
  package var standardName: String? {
    switch origin {
    case .utc, .database: name
    case .fixedOffset, .posixRule, .definition: nil
    }
  }

  /// Where the rules of the zone came from.
  package let origin: Origin
  private let transitions: ZoneTransitions

  /// Coordinated Universal Time, which has no offset and no summer time.
  public static let utc = Zone(
    name: "UTC", origin: .utc,
    constant: LocalTimeType(utcOffset: 0, isDaylight: false, abbreviation: "UTC"))

  private init(name: String, origin: Origin, constant: LocalTimeType) {
    self.name = name
    self.origin = origin
    transitions = ZoneTransitions(types: [constant], initial: 0, transitions: [], footer: nil)
  }

  /// A zone whose clocks never change; `nil` for an offset that no zone can have.
  package convenience init?(name: String, fixedOffset: Int) {
    guard LocalTimeType.possibleOffsets.contains(fixedOffset) else { return nil }
    self.init(
      name: name, origin: .fixedOffset,
      constant: LocalTimeType(utcOffset: fixedOffset, isDaylight: false, abbreviation: name))
  }

  package init(name: String, origin: Origin, file: ZoneFile) {
    self.name = name
    self.origin = origin
    transitions = ZoneTransitions(
      types: file.types, initial: 0, transitions: file.transitions, footer: file.footer)
  }

  /// A zone from changes in ascending order, and the rule after them.
  package init(
    name: String, origin: Origin, initial: LocalTimeType,
    changes: [(instant: Instant, type: LocalTimeType)], footer: ZoneFooter?
  ) {
    var types = [initial]
    var indexes = [initial: 0]
    let transitions = changes.map { change in
      let index = indexes[change.type] ?? types.count
      if index == types.count {
        types.append(change.type)
        indexes[change.type] = index
      }
      let held = ZoneFile.farthestInstant
      return ZoneFile.Transition(
        instant: max(-held, min(change.instant.secondsSinceEpoch, held)), type: index)
    }
    self.name = name
    self.origin = origin
    self.transitions = ZoneTransitions(
      types: types, initial: 0, transitions: transitions, footer: footer)
  }

  /// A zone that keeps one rule in all years.
  package init(name: String, footer: ZoneFooter, origin: Origin = .posixRule) {
    self.name = name
    self.origin = origin
    transitions = ZoneTransitions(
      types: [footer.standard], initial: 0, transitions: [], footer: footer)
  }

  /// The smallest and the largest offset that the zone ever has.
  package var offsets: ClosedRange<Int> { transitions.offsets }

  /// Whether the zone ever has daylight saving time.
  package var hasDaylight: Bool { transitions.hasDaylight }

  /// Equal for zones with the same offsets at all times, whatever the zones and the offsets are called.
  package var clockDigest: Int { transitions.clockDigest }

  /// The offset from UTC at a moment, in seconds; positive in the east.
  package func utcOffset(at instant: Instant) -> Int {
    transitions.utcOffset(at: instant.secondsSinceEpoch)
  }

  /// The offset at a moment and its abbreviation.
  package func localTimeType(at instant: Instant) -> LocalTimeType {
    transitions.type(at: instant.secondsSinceEpoch)
  }

  /// The abbreviation at a moment, such as `CET` or `CEST`; a number such as `+03` if the zone has no
  /// letters.
  package func abbreviation(at instant: Instant) -> String {
    localTimeType(at: instant).abbreviation
  }

  /// Whether the zone has daylight saving time at a moment.
  package func isDaylight(at instant: Instant) -> Bool {
    localTimeType(at: instant).isDaylight
  }

  /// The first change of the offset or its abbreviation after a moment; `nil` if no change is known.
  package func nextTransition(after instant: Instant) -> ZoneTransition? {
    let found = transitions.transition(after: instant.secondsSinceEpoch)
    return found.flatMap { $0.instant > instant ? $0 : nil }
  }

  /// The last change before a moment; `nil` if no change is known.
  package func previousTransition(before instant: Instant) -> ZoneTransition? {
    let found = transitions.transition(before: instant.secondsSinceEpoch)
    return found.flatMap { $0.instant < instant ? $0 : nil }
  }

  /// Whether clocks in both zones show the same time at every moment from 2000 to 2099.
  package func hasSameClocks(as other: Zone) -> Bool {
    guard let first = CivilDate(year: 2000, month: 1, day: 1),
      let last = CivilDate(year: 2099, month: 12, day: 31)
    else { return self == other }
    let end = Instant(utc: CivilDateTime(last, .midnight))
    var moment = Instant(utc: CivilDateTime(first, .midnight))
    while moment < end {
      guard utcOffset(at: moment) == other.utcOffset(at: moment) else { return false }
      let next = [self, other].compactMap { $0.nextTransition(after: moment)?.instant }.min()
      guard let next else { break }
      moment = next
    }
    return true
  }

  /// The local date and time at a moment.
  public func civil(at instant: Instant) -> CivilDateTime {
    instant.adding(seconds: utcOffset(at: instant)).utc
  }

  /// The moment at which clocks in the zone show this date and time. If the clocks skip it, the offset
  /// before the gap applies. If it happens twice, the result is the first time (RFC 5545 3.3.5).
  public func instant(of civil: CivilDateTime) -> Instant {
    let local = civil.civilSeconds
    return Instant(secondsSinceEpoch: local - transitions.utcOffset(ofLocal: local))
  }

  /// Whether a local time happens once, twice or never, and when.
  package func resolution(of civil: CivilDateTime) -> LocalResolution {
    transitions.resolution(ofLocal: civil.civilSeconds)
  }

  /// The moment at which a date begins, which is not always midnight. For a date that the zone
  /// skipped, it is the moment at which the next date begins.
  ///
  /// In Cairo 2026-04-24 begins at 01:00, and in Apia 2011-12-30 where the 31st does.
  public func startOfDay(_ date: CivilDate) -> Instant {
    let local = CivilDateTime(date, .midnight).civilSeconds
    let offset = transitions.utcOffset(ofLocal: local)
    let instant = Instant(secondsSinceEpoch: local - offset)
    // In a gap the clocks show something later already.
    guard utcOffset(at: instant) != offset else { return instant }
    switch transitions.resolution(ofLocal: local) {
    case .unique(let instant), .fold(let instant, _): return instant
    case .gap(let transition, _, _): return transition
    }
  }

  /// When the day after that of a moment begins; `nil` after the last date.
  package func startOfDay(after moment: Instant) -> Instant? {
    civil(at: moment).date.adding(days: 1).map(startOfDay)
  }

  /// The date whose day, from its start to the start of the next one, contains a moment.
  ///
  /// Nearly always what the clock shows. In St. John's clocks went back at 00:01 to the day before:
  /// that hour belongs to the day that had begun.
  package func day(holding instant: Instant) -> CivilDate {
    let civil = civil(at: instant)
    // Clocks never went back by more than a day, nor by more than some hours over a midnight.
    guard let next = civil.date.adding(days: 1), startOfDay(next) <= instant else {
      return civil.date
    }
    return next
  }

  /// Whether the zone has a date: Apia skipped 2011-12-30.
  package func hasDay(_ date: CivilDate) -> Bool {
    guard let next = date.adding(days: 1) else { return true }
    return startOfDay(date) < startOfDay(next)
  }
}

extension Zone: Hashable {
  public static func == (left: Zone, right: Zone) -> Bool {
    if left === right { return true }
    guard left.origin == right.origin, left.origin != .database, left.name == right.name else {
      return false
    }
    return left.transitions == right.transitions
  }

  public func hash(into hasher: inout Hasher) {
    switch origin {
    case .utc, .database: hasher.combine(ObjectIdentifier(self))
    case .fixedOffset, .posixRule, .definition: hasher.combine(name)
    }
  }
}
