import CivilTime

/// Asks a zone everything at awkward moments: nothing may trap or contradict itself.
enum ZoneQuestions {
  static func ask(_ zone: Zone, near transitions: [Int]) {
    var moments = [
      Int.min, -(1 << 56), -(1 << 55), -62_135_596_800, 0, 1_795_219_200, 253_402_300_799, 1 << 55,
      .max,
    ]
    for transition in transitions { moments += [transition - 1, transition, transition + 1] }
    for seconds in moments {
      let instant = Instant(secondsSinceEpoch: seconds)
      let civil = zone.civil(at: instant)
      let back = zone.instant(of: civil)
      switch zone.resolution(of: civil) {
      case .unique(let only): precondition(only == back)
      case .fold(let first, let second): precondition(first == back && first < second)
      case .gap(_, let before, let after): precondition(before < after)
      }
      precondition(zone.localTimeType(at: instant).utcOffset == zone.utcOffset(at: instant))
      if let next = zone.nextTransition(after: instant) { precondition(next.instant > instant) }
      if let last = zone.previousTransition(before: instant) {
        precondition(last.instant < instant)
      }
      _ = zone.day(holding: instant)
      _ = zone.startOfDay(civil.date)
    }
  }
}
