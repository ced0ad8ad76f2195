import CivilTime
import Testing

@Suite struct SameClocksTests {
  private static let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  @Test(
    "zones have the same clocks if their offsets are equal from 2000 on",
    arguments: [
      // Before 1980, Paris and Warsaw had daylight saving time and Berlin had none.
      ("Europe/Berlin", "Europe/Paris", true), ("Europe/Berlin", "Europe/Warsaw", true),
      ("Europe/Berlin", "Europe/London", false), ("Europe/Berlin", "Africa/Lagos", false),
      // Istanbul left daylight saving time in 2016.
      ("Europe/Athens", "Europe/Istanbul", false), ("Asia/Tokyo", "Asia/Seoul", true),
    ])
  func sameClocks(one: String, other: String, isSame: Bool) throws {
    let first = try #require(Self.database.zone(named: one))
    let second = try #require(Self.database.zone(named: other))
    #expect(first.hasSameClocks(as: second) == isSame)
    #expect(second.hasSameClocks(as: first) == isSame)
    #expect(first.hasSameClocks(as: first))
  }
}
