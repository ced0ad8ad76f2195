internal import Synchronization

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
  /// What the file or definition lists.
  private let listed: ZoneTransitions
  /// The rule after the last listed transition, unless it never changes the clocks.
  private let footer: ZoneFooter?
  /// From this instant on the rule can matter.
  private let beginOfRule: Int
  /// What is listed and 400 years of the rule, once a time after the last listed transition was asked for.
  private let continued = Atomic<Unmanaged<ZoneTransitions>?>(nil)
  /// What `clockDigest` was found to be; 0 before that.
  private let knownClockDigest = Atomic(0)

  /// Coordinated Universal Time, which has no offset and no summer time.
  public static let utc = Zone(
    name: "UTC", origin: .utc,
    constant: LocalTimeType(utcOffset: 0, isDaylight: false, abbreviation: "UTC"))

  private convenience init(name: String, origin: Origin, constant: LocalTimeType) {
    self.init(
      name: name, origin: origin,
      ZoneTransitions(types: [constant], initial: 0, transitions: []), nil)
  }

  /// A zone whose clocks never change; `nil` for an offset that no zone can have.
  package convenience init?(name: String, fixedOffset: Int) {
    guard LocalTimeType.possibleOffsets.contains(fixedOffset) else { return nil }
    self.init(
      name: name, origin: .fixedOffset,
      constant: LocalTimeType(utcOffset: fixedOffset, isDaylight: false, abbreviation: name))
  }

  package convenience init(name: String, origin: Origin, file: ZoneFile) {
    let others = file.footer?.types.filter { !file.types.contains($0) } ?? []
    self.init(
      name: name, origin: origin,
      ZoneTransitions(types: file.types + others, initial: 0, transitions: file.transitions),
      file.footer)
  }

  /// A zone from changes in ascending order, which have the indexes of their types, as `initial` is the one
  /// before them. The `repeating` last ones come again every 400 years.
  package convenience init(
    name: String, origin: Origin, types: [LocalTimeType], initial: Int,
    changes: [(instant: Instant, type: Int)], repeating: Int = 0
  ) {
    let transitions = changes.map { change in
      let held = ZoneFile.farthestInstant
      return ZoneFile.Transition(
        instant: max(-held, min(change.instant.secondsSinceEpoch, held)), type: change.type)
    }
    self.init(
      name: name, origin: origin,
      ZoneTransitions(
        types: types, initial: initial, transitions: transitions, repeating: repeating), nil
    )
  }

  /// A zone that keeps one rule in all years.
  package convenience init(name: String, footer: ZoneFooter, origin: Origin = .posixRule) {
    self.init(
      name: name, origin: origin,
      ZoneTransitions(types: footer.types, initial: 0, transitions: []), footer)
  }

  private init(name: String, origin: Origin, _ listed: ZoneTransitions, _ footer: ZoneFooter?) {
    self.name = name
    self.origin = origin
    if let footer, footer.daylight == nil {
      self.listed = listed.continued(by: footer)
      self.footer = nil
    } else {
      self.listed = listed
      self.footer = footer
    }
    let margin = 3 * TimeOfDay.secondsPerCivilDay
    beginOfRule = self.footer == nil ? .max : max(listed.lastInstant, .min + margin) - margin
  }

  deinit { continued.load(ordering: .acquiring)?.release() }

  /// Asks what is known about an instant, or about a local time. No look-up counts references: threads
  /// that ask for the same zone would wait for each other.
  @inline(__always)
  private func ask<Answer>(
    near seconds: Int, _ question: (ZoneTransitions) -> Answer
  ) -> Answer {
    seconds < beginOfRule ? question(listed) : askEndless(question)
  }

  private func askEndless<Answer>(_ question: (ZoneTransitions) -> Answer) -> Answer {
    guard let footer else { return question(listed) }
    if let known = continued.load(ordering: .acquiring) {
      return known._withUnsafeGuaranteedRef(question)
    }
    let made = Unmanaged.passRetained(listed.continued(by: footer))
    let first = continued.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing
    ).original
    if first != nil { made.release() }
    return (first ?? made)._withUnsafeGuaranteedRef(question)
  }

  /// The smallest and the largest offset that the zone ever has.
  package var offsets: ClosedRange<Int> { listed.offsets }

  /// Whether the zone ever has daylight saving time.
  package var hasDaylight: Bool { listed.hasDaylight }

  /// Equal for zones with the same offsets at all times, whatever the zones and the offsets are called.
  package var clockDigest: Int {
    let known = knownClockDigest.load(ordering: .relaxed)
    if known != 0 { return known }
    let digest = askEndless(\.clockDigest)
    knownClockDigest.store(digest, ordering: .relaxed)
    return digest
  }

  /// The offset from UTC at a moment, in seconds; positive in the east.
  package func utcOffset(at instant: Instant) -> Int {
    let seconds = instant.secondsSinceEpoch
    return ask(near: seconds) { $0.utcOffset(at: seconds) }
  }

  /// The offset at a moment and its abbreviation.
  package func localTimeType(at instant: Instant) -> LocalTimeType {
    let seconds = instant.secondsSinceEpoch
    return ask(near: seconds) { $0.type(at: seconds) }
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
    let seconds = instant.secondsSinceEpoch
    var found = ask(near: seconds) { $0.transition(after: seconds) }
    // The rule also gives the type after the last listed transition.
    if found?.instant.secondsSinceEpoch ?? .max >= beginOfRule {
      found = askEndless { $0.transition(after: seconds) }
    }
    return found.flatMap { $0.instant > instant ? $0 : nil }
  }

  /// The last change before a moment; `nil` if no change is known.
  package func previousTransition(before instant: Instant) -> ZoneTransition? {
    let seconds = instant.secondsSinceEpoch
    let found = ask(near: seconds) { $0.transition(before: seconds) }
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
    return Instant(secondsSinceEpoch: local - utcOffset(ofLocal: local))
  }

  @inline(__always)
  private func utcOffset(ofLocal local: Int) -> Int {
    ask(near: local) { $0.utcOffset(ofLocal: local) }
  }

  /// Whether a local time happens once, twice or never, and when.
  package func resolution(of civil: CivilDateTime) -> LocalResolution {
    let local = civil.civilSeconds
    return ask(near: local) { $0.resolution(ofLocal: local) }
  }

  /// The moment at which a date begins, which is not always midnight. For a date that the zone
  /// skipped, it is the moment at which the next date begins.
  ///
  /// In Cairo 2026-04-24 begins at 01:00, and in Apia 2011-12-30 where the 31st does.
  public func startOfDay(_ date: CivilDate) -> Instant {
    let local = CivilDateTime(date, .midnight).civilSeconds
    let offset = utcOffset(ofLocal: local)
    let instant = Instant(secondsSinceEpoch: local - offset)
    // In a gap the clocks show something later already.
    guard utcOffset(at: instant) != offset else { return instant }
    switch ask(near: local, { $0.resolution(ofLocal: local) }) {
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
    return left.listed == right.listed && left.footer == right.footer
  }

  public func hash(into hasher: inout Hasher) {
    switch origin {
    case .utc, .database: hasher.combine(ObjectIdentifier(self))
    case .fixedOffset, .posixRule, .definition: hasher.combine(name)
    }
  }
}
