import Recurrence
import Testing

@testable import AgendaCore

@Suite("Events that the user hides")
struct HiddenEventTests {
  private static func sample() -> AssemblySample {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=4"], title: "daily"))
    sample.add(AssemblySample.event("0102T15", replacing: "0102T09", title: "moved"))
    return sample
  }

  private static func hiding(
    _ at: String? = nil, _ replacing: String? = nil, following: Bool = false, title: String = "",
    in sample: AssemblySample
  ) -> AssemblySample {
    var sample = sample
    sample.send(
      .cancel,
      AssemblySample.event(at, replacing: replacing, following: following, title: title),
      hides: true)
    return sample
  }

  @Test("a hidden event is gone with its overrides, also in a later version")
  func whole() {
    var sample = Self.hiding(in: Self.sample())
    let references = sample.events.map(\.reference)
    #expect(sample.shown.isEmpty)
    #expect(sample.assembly().hidden == Set(references))
    sample.add(AssemblySample.event("0201T09", sequence: 3, stamp: 9, title: "later"))
    #expect(sample.shown.isEmpty)
    #expect(sample.assembly().outcomes.values.map(\.self) == [.effective])
  }

  @Test("a hidden occurrence is gone, with its override")
  func occurrence() {
    let whole = Self.sample()
    let third = Self.hiding(nil, "0103T09", in: whole)
    #expect(
      third.shown == ["work 01-01 09 daily", "work 01-02 15 moved", "work 01-04 09 daily"])
    #expect(third.assembly().hidden.isEmpty)
    let second = Self.hiding(nil, "0102T09", in: whole)
    #expect(second.shown == ["work 01-01 09 daily", "work 01-03 09 daily", "work 01-04 09 daily"])
    #expect(second.assembly().hidden == [whole.events[1].reference])
    #expect(
      Self.hiding(nil, "0109T09", in: whole).assembly().outcomes.values.map(\.self)
        == [.missingOccurrence])
  }

  @Test("a series ends before a hidden occurrence and all that follow")
  func following() {
    let whole = Self.sample()
    #expect(
      Self.hiding(nil, "0103T09", following: true, in: whole).shown == [
        "work 01-01 09 daily", "work 01-02 15 moved",
      ])
    #expect(
      Self.hiding(nil, "0102T09", following: true, in: whole).shown == ["work 01-01 09 daily"])
    #expect(Self.hiding(nil, "0101T09", following: true, in: whole).shown.isEmpty)
  }

  @Test("the first occurrence of an override with RANGE is hidden, and the others stay changed")
  func range() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=4"], title: "daily"))
    sample.add(
      AssemblySample.event("0102T15", replacing: "0102T09", following: true, title: "moved"))
    #expect(
      Self.hiding(nil, "0102T09", in: sample).shown == [
        "work 01-01 09 daily", "work 01-03 15 moved", "work 01-04 15 moved",
      ])
    #expect(
      Self.hiding(nil, "0104T09", in: sample).shown == [
        "work 01-01 09 daily", "work 01-02 15 moved", "work 01-03 15 moved",
      ])
    var all = sample
    for day in 2...4 { all = Self.hiding(nil, "010\(day)T09", in: all) }
    #expect(all.shown == ["work 01-01 09 daily"])
  }

  @Test("of different events with the UID, the start names the hidden one, and then the title")
  func sharedUID() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", title: "one"))
    sample.add(AssemblySample.event("0102T09", title: "two"))
    sample.add(AssemblySample.event("0102T09", title: "three"))
    #expect(
      Self.hiding("0101T09", in: sample).shown == ["work 01-02 09 three", "work 01-02 09 two"])
    #expect(
      Self.hiding("0102T09", title: "two", in: sample).shown == [
        "work 01-01 09 one", "work 01-02 09 three",
      ])
    #expect(Self.hiding("0105T09", title: "two", in: sample).shown.count == 3)
  }

  @Test("a hidden override without its series is gone")
  func alone() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0102T15", replacing: "0102T09"))
    #expect(Self.hiding(nil, "0102T09", in: sample).shown.isEmpty)
    #expect(Self.hiding(in: sample).shown.isEmpty)
    #expect(Self.hiding(nil, "0103T09", in: sample).shown.count == 1)
  }

  @Test("an occurrence that messages made is hidden, too")
  func made() {
    var sample = Self.sample()
    sample.send(.cancel, AssemblySample.event(nil, replacing: "0103T09"))
    let assembly = Self.hiding(nil, "0103T09", in: sample).assembly()
    #expect(assembly.series.first?.overrides.count == 1)
    #expect(assembly.derivations.isEmpty && assembly.hidden.isEmpty)
  }

  @Test(
    "dates of RDATE after a hidden occurrence are hidden with the rest, in any order of messages")
  func followingDates() {
    var sample = AssemblySample()
    var series = AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=3"], title: "daily")
    series.recurrence?.dates = ["0101T18", "0201T09"].map {
      RecurrenceDate(start: AssemblySample.time($0))
    }
    sample.add(series)
    #expect(sample.shown.count == 5)
    let left = ["work 01-01 09 daily", "work 01-01 18 daily"]
    let early = Self.hiding(nil, "0102T09", following: true, in: sample)
    #expect(early.shown == left)
    #expect(Self.hiding(nil, "0103T09", following: true, in: early).shown == left)
    let late = Self.hiding(nil, "0103T09", following: true, in: sample)
    #expect(late.shown.count == 3)
    #expect(Self.hiding(nil, "0102T09", following: true, in: late).shown == left)
  }

  @Test("an event that does not repeat is hidden by the RECURRENCE-ID of its only occurrence")
  func onlyOccurrence() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0102T09", title: "once"))
    #expect(Self.hiding(nil, "0102T09", in: sample).shown.isEmpty)
    let other = Self.hiding(nil, "0103T09", in: sample)
    #expect(other.shown == ["work 01-02 09 once"])
    #expect(other.assembly().outcomes.values.map(\.self) == [.missingOccurrence])
  }

  @Test("of different series that meet, the title names the one whose occurrence is hidden")
  func sharedOccurrence() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=2"], title: "one"))
    sample.add(AssemblySample.event("0102T09", rules: ["FREQ=DAILY;COUNT=2"], title: "two"))
    let all = [
      "work 01-01 09 one", "work 01-02 09 one", "work 01-02 09 two", "work 01-03 09 two",
    ]
    #expect(sample.shown == all)
    for title in ["one", "two"] {
      #expect(
        Self.hiding(nil, "0102T09", title: title, in: sample).shown
          == all.filter { $0 != "work 01-02 09 \(title)" })
    }
    // Another title hides one of them, and never both.
    #expect(Self.hiding(nil, "0102T09", title: "three", in: sample).shown.count == 3)
  }

  @Test("of two events with the UID, one is hidden, and the message has done something")
  func oneOfTwo() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", title: "one"))
    sample.add(AssemblySample.event("0102T09", title: "two"))
    let first = Self.hiding("0101T09", in: sample)
    #expect(first.shown == ["work 01-02 09 two"])
    #expect(first.assembly().outcomes.values.map(\.self) == [.effective])
    let neither = Self.hiding("0103T09", in: sample)
    #expect(neither.shown.count == 2)
    #expect(neither.assembly().outcomes.values.map(\.self) == [.missingEvent])
    var alone = AssemblySample()
    alone.add(AssemblySample.event("0102T15", replacing: "0102T09"))
    #expect(
      Self.hiding(nil, "0102T09", in: alone).assembly().outcomes.values.map(\.self)
        == [.effective])
  }
}
