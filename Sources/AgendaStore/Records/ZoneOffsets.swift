internal import CivilTime
internal import Synchronization

/// Between which offsets a zone's clocks have moved since 1970, worked out once for each zone.
enum ZoneOffsets {
  private static let known = Mutex<[Zone: ClosedRange<Int>]>([:])

  static func range(of zone: Zone) -> ClosedRange<Int> {
    if let range = known.withLock({ $0[zone] }) { return range }
    let range = worked(zone)
    known.withLock { $0[zone] = range }
    return range
  }

  /// Far enough ahead for the rule that a zone keeps from now on to have shown all it does.
  private static let horizon = Instant(secondsSinceEpoch: 0x8000_0000)

  private static func worked(_ zone: Zone) -> ClosedRange<Int> {
    var moment = Instant(secondsSinceEpoch: 0)
    var range = zone.utcOffset(at: moment)...zone.utcOffset(at: moment)
    while moment < horizon, let transition = zone.nextTransition(after: moment) {
      moment = transition.instant
      let offset = zone.utcOffset(at: moment)
      range = min(range.lowerBound, offset)...max(range.upperBound, offset)
    }
    return range
  }
}
