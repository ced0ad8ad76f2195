import CivilTime
import Testing

/// The changes of zones whose tables also have entries that change nothing.
@Suite struct ZoneTransitionTests {
  private static func type(_ offset: Int, _ name: String) -> LocalTimeType {
    LocalTimeType(utcOffset: offset, isDaylight: false, abbreviation: name)
  }

  private static func moment(_ hours: Int) -> Instant { Instant(secondsSinceEpoch: hours * 3600) }

  /// +1 from hour 100 on, +2 from 200 on, and entries after each that change nothing.
  private static let zone = Zone(
    name: "x", origin: .definition,
    types: [type(0, "A"), type(3600, "B"), type(7200, "C")], initial: 0,
    changes: [
      (moment(100), 1), (moment(150), 1), (moment(200), 2), (moment(250), 2), (moment(260), 2),
    ])

  @Test("an entry that changes nothing is no transition")
  func transitions() throws {
    let zone = Self.zone
    for (hours, before, after) in [
      (0, nil, 100), (100, nil, 200), (101, 100, 200), (151, 100, 200), (200, 100, nil),
      (201, 200, nil), (251, 200, nil), (300, 200, nil),
    ] as [(Int, Int?, Int?)] {
      let moment = Self.moment(hours)
      #expect(
        zone.previousTransition(before: moment)?.instant == before.map(Self.moment), "\(hours)")
      #expect(zone.nextTransition(after: moment)?.instant == after.map(Self.moment), "\(hours)")
    }
    let last = try #require(zone.previousTransition(before: Self.moment(1000)))
    #expect(last.before.abbreviation == "B" && last.after.abbreviation == "C")
    #expect(last.before.utcOffset == 3600 && last.after.utcOffset == 7200)
  }

  @Test("before its first entry a zone has its first offset, after the last one the last")
  func offsets() {
    for (hours, offset) in [
      (-1000, 0), (99, 0), (100, 3600), (199, 3600), (200, 7200), (9999, 7200),
    ] {
      #expect(Self.zone.utcOffset(at: Self.moment(hours)) == offset, "\(hours)")
    }
    #expect(Self.zone.offsets == 0...7200)
  }

  @Test("a local time in a gap of a table is read with the offset before it")
  func gap() throws {
    // 100 hours after 1970 the clocks jump from 04:00 to 05:00 on 5 January.
    for (hours, found) in [(99, 99), (100, 100), (101, 100), (102, 101)] {
      let local = Self.moment(hours).utc
      #expect(Self.zone.instant(of: local) == Self.moment(found), "\(hours)")
    }
    let resolution = Self.zone.resolution(of: Self.moment(100).utc)
    #expect(
      resolution
        == .gap(transition: Self.moment(100), offsetBefore: 0, offsetAfter: 3600))
  }

  @Test(
    "the last transitions come again every 400 years, also where one of them first changed nothing")
  func repeating() throws {
    let hours = 146_097 * 24
    // B from 200 on is no change in the first round, but follows C in all others.
    let zone = Zone(
      name: "x", origin: .definition,
      types: [Self.type(0, "A"), Self.type(3600, "B"), Self.type(7200, "C")],
      initial: 0,
      changes: [(Self.moment(100), 1), (Self.moment(200), 1), (Self.moment(300), 2)], repeating: 2)
    for round in [0, 1, 2, 7, 1000] {
      let begin = round * hours
      for (hour, offset) in [
        (199, round == 0 ? 3600 : 7200), (200, 3600), (299, 3600), (300, 7200),
      ] {
        #expect(zone.utcOffset(at: Self.moment(begin + hour)) == offset, "\(round) \(hour)")
      }
      let next = zone.nextTransition(after: Self.moment(begin + 150))
      #expect(next?.instant == Self.moment(begin + (round == 0 ? 300 : 200)), "\(round)")
      let last = zone.previousTransition(before: Self.moment(begin + 300))
      #expect(last?.instant == Self.moment(begin + (round == 0 ? 100 : 200)), "\(round)")
      #expect(last?.before.abbreviation == (round == 0 ? "A" : "C"), "\(round)")
      let gap = zone.resolution(of: Self.moment(300 + 1 + (round > 7 ? 0 : begin)).utc)
      let place = round > 7 ? 300 : begin + 300
      #expect(
        gap == .gap(transition: Self.moment(place), offsetBefore: 3600, offsetAfter: 7200),
        "\(round)")
    }
    ZoneTotality.check(zone)
  }
}
