import AgendaCore
import AgendaReader
import CivilTime
import TestSupport
import Testing

@testable import AgendaSources

/// What the changes of a series mean for its components.
@Suite struct ComponentChangesTests {
  private let master: SeriesEditor.Member
  private let override: SeriesEditor.Member

  init() throws {
    let text = calendar(
      event("a", "DTSTART:20261124T100000Z", "RRULE:FREQ=DAILY"),
      event("a", "RECURRENCE-ID:20261125T100000Z", "DTSTART:20261125T110000Z"))
    let members = try CalendarText(
      Array(text.utf8), reader: CalendarReader(zones: .system(TZDIR: nil)), name: "x"
    ).members(uid: "a", kind: .event)
    try #require(members.count == 2)
    (master, override) = (members[0], members[1])
  }

  private func changes(_ master: [UInt8]?, _ override: [UInt8]?) -> ComponentChanges {
    var changes = ComponentChanges()
    changes.replaced[self.master.id] = master
    changes.replaced[self.override.id] = override
    return changes
  }

  @Test("all components are removed only if nothing takes the place of any")
  func removesAll() {
    let members = [master, override]
    #expect(changes([], []).removesAll(of: members))
    for other in [
      ComponentChanges(), changes([], nil), changes(nil, []), changes([], override.text.bytes),
      changes(master.text.bytes, []),
    ] {
      #expect(!other.removesAll(of: members))
    }
    var added = changes([], [])
    added.added = [override.text.bytes]
    #expect(!added.removesAll(of: members))
    var split = changes([], [])
    split.newSeries = [master.text.bytes]
    #expect(!split.removesAll(of: members))
  }

  @Test("an override that goes or moves uncovers its older versions, its series does not")
  func uncoversOlderVersions() {
    let moved = override.text.bytes.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line, as: UTF8.self)
        .replacing("RECURRENCE-ID:20261125", with: "RECURRENCE-ID:20261126")
    }.joined(separator: "\n")
    #expect(changes(nil, []).uncoversOlderVersions(of: override))
    #expect(changes(nil, Array("\(moved)\n".utf8)).uncoversOlderVersions(of: override))
    #expect(!changes(nil, override.text.bytes).uncoversOlderVersions(of: override))
    #expect(!changes([], nil).uncoversOlderVersions(of: override))
    #expect(!changes([], []).uncoversOlderVersions(of: master))
  }
}
