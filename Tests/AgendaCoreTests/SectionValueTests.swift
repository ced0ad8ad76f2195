import AgendaCore
import Testing

/// The identifiers of sections, which programs keep and hand back.
@Suite struct SectionValueTests {
  @Test(
    "an identifier of a section is read back",
    arguments: [
      (SectionKey.day, "2026-11-24"), (.week, "2026-W48"), (.year, "2026"), (.year, "1"),
      (.year, "9999"), (.month, "2026011"), (.month, "1001"), (.month, "2026001"),
      (.month, "2026012"), (.calendar, "home"),
      (.category, "work"), (.location, "Room 1"), (.status, "confirmed"), (.status, "elsewhere"),
    ])
  func readable(key: SectionKey, id: String) throws {
    let value = try #require(SectionValue(id: id, groupedBy: key))
    #expect(value.id == id)
  }

  @Test(
    "a malformed identifier has no section",
    arguments: [
      (SectionKey.day, "2026-02-30"), (.day, "x"), (.week, "2026-48"), (.week, "2026-W54"),
      (.week, "2026-W1-W1"), (.week, "x-W1"), (.month, "011"), (.month, "2026000"),
      (.month, "2026013"), (.month, "x"), (.year, "0"), (.year, "10000"), (.year, "x"),
      (.none, "x"),
    ])
  func malformed(key: SectionKey, id: String) {
    #expect(SectionValue(id: id, groupedBy: key) == nil)
  }

  @Test("without an identifier, it is the section of the entries that lack a value")
  func missing() {
    #expect(SectionValue(id: "", groupedBy: .none) == .all)
    #expect(SectionValue(id: "", groupedBy: .location) == .missing)
  }
}
