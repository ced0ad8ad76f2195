import Recurrence
import Testing

@testable import AgendaCore

@Suite("Cancellations in an assembly")
struct AssembledCancellationTests {
  private static let daily = AssemblySample.event(
    "0101T09", rules: ["FREQ=DAILY;COUNT=3"], title: "daily")

  // Checks Decisions: Messages/5
  @Test("a cancellation cancels the event with its overrides, and keeps them in the agenda")
  func whole() {
    var sample = AssemblySample()
    let series = sample.add(Self.daily)
    sample.add(AssemblySample.event("0102T15", replacing: "0102T09", title: "moved"))
    let message = sample.send(.cancel, AssemblySample.event(nil))
    let assembly = sample.assembly()
    #expect(
      sample.shown(assembly) == [
        "work 01-01 09 daily cancelled", "work 01-02 15 moved cancelled",
        "work 01-03 09 daily cancelled",
      ])
    #expect(assembly.outcomes == [message: .effective])
    #expect(assembly.derivations[series]?.isCancelled == true)
    #expect(assembly.derivations.count == 2)
  }

  @Test("a date names the only occurrence of a series on it, also one of RDATE at another time")
  func dateOfRDATE() {
    var sample = AssemblySample()
    var series = Self.daily
    series.recurrence?.dates = [RecurrenceDate(start: AssemblySample.time("0105T18"))]
    sample.add(series)
    sample.send(.cancel, AssemblySample.event(nil, replacing: "0105"))
    #expect(
      sample.shown == [
        "work 01-01 09 daily", "work 01-02 09 daily", "work 01-03 09 daily",
        "work 01-05 18 daily cancelled",
      ])
  }

  @Test("a cancelled occurrence without an override gets one from the message and the series")
  func occurrence() throws {
    var sample = AssemblySample()
    let series = sample.add(Self.daily, people: ["ana": "accepted"])
    let message = sample.send(.cancel, AssemblySample.event(nil, replacing: "0102T09"))
    let assembly = sample.assembly()
    #expect(
      sample.shown(assembly) == [
        "work 01-01 09 daily ana:accepted", "work 01-02 09 daily cancelled ana:accepted",
        "work 01-03 09 daily ana:accepted",
      ])
    let override = try #require(assembly.series.first?.overrides.first)
    #expect(override.reference.component < 0 && override.reference.source == series.source)
    let derivation = Derivation(base: message, completedBy: series, isCancelled: true)
    #expect(assembly.derivations == [override.reference: derivation])
  }

  @Test("the override that messages make has the same reference in every assembly")
  func madeReference() {
    var one = AssemblySample()
    one.add(Self.daily)
    one.send(.cancel, AssemblySample.event(nil, replacing: "0102T09"))
    var other = one
    other.add(AssemblySample.event("0301T09", uid: "other"), source: 3)
    other.send(.cancel, AssemblySample.event(nil, replacing: "0102", sequence: 1))
    func made(_ sample: AssemblySample) -> [EventReference] {
      sample.assembly().series.flatMap(\.overrides).map(\.reference)
    }
    #expect(made(one).count == 1)
    #expect(made(one) == made(other))
  }

  // Checks Decisions: Importing/14
  @Test(
    "with the same SEQUENCE, an older cancellation does not cancel a newer version",
    arguments: [
      (0, 5, 0, 4, false), (0, 5, 0, 5, true), (0, 5, 0, 6, true), (0, nil, 0, 4, true),
      (0, 5, 0, nil, true), (1, 1, 0, 9, false), (0, 9, 1, 1, true),
    ] as [(Int, Int?, Int, Int?, Bool)], ["0102T09", nil])
  func stamps(
    _ versions: (sequence: Int, stamp: Int?, ofMessage: Int, stampOfMessage: Int?, cancels: Bool),
    occurrence: String?
  ) {
    for hasOverride in [false, true] {
      var sample = AssemblySample()
      sample.add(
        AssemblySample.event(
          "0101T09", rules: ["FREQ=DAILY;COUNT=3"], sequence: versions.sequence,
          stamp: versions.stamp))
      if hasOverride {
        sample.add(
          AssemblySample.event(
            "0102T09", replacing: "0102T09", sequence: versions.sequence, stamp: versions.stamp))
      }
      let message = sample.send(
        .cancel,
        AssemblySample.event(
          nil, replacing: occurrence, sequence: versions.ofMessage,
          stamp: versions.stampOfMessage))
      let assembly = sample.assembly()
      #expect(assembly.outcomes[message] == (versions.cancels ? .effective : .laterVersion))
      #expect(
        sample.shown(assembly).contains("work 01-02 09 cancelled") == versions.cancels)
    }
  }

  @Test("DTSTART names one of several events with the UID")
  func sharedUID() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", title: "one"))
    sample.add(AssemblySample.event("0102T09", title: "two"))
    sample.send(.cancel, AssemblySample.event("0102T09"))
    #expect(sample.shown == ["work 01-01 09 one", "work 01-02 09 two cancelled"])
    sample.send(.cancel, AssemblySample.event("0105T09"))
    #expect(sample.shown == ["work 01-01 09 one cancelled", "work 01-02 09 two cancelled"])
  }

  @Test(
    "a message says why it has no effect",
    arguments: [
      (AssemblySample.event(nil, uid: "other"), .missingEvent),
      (AssemblySample.event(nil, calendar: "home"), .missingEvent),
      (AssemblySample.event(nil, replacing: "0109T09"), .missingOccurrence),
      (AssemblySample.event(nil, replacing: "0102T09"), .laterVersion),
    ] as [(Event, Message.Outcome)])
  func reasons(_ event: Event, _ outcome: Message.Outcome) {
    var sample = AssemblySample()
    var series = Self.daily
    series.version.sequence = 1
    if outcome != .laterVersion { series.version.sequence = 0 }
    sample.add(series)
    let message = sample.send(.cancel, event)
    let assembly = sample.assembly()
    #expect(assembly.outcomes == [message: outcome])
    #expect(assembly.derivations.isEmpty)
    #expect(assembly.series.allSatisfy { $0.master.status == nil && $0.overrides.isEmpty })
  }

  @Test(
    "a mail concerns every calendar, a message of a calendar only its own, a decision some calendars"
  )
  func scopes() {
    func shown(_ scope: Message.Scope) -> [String] {
      var sample = AssemblySample()
      sample.add(AssemblySample.event("0101T09", calendar: "home"), source: 1)
      sample.add(AssemblySample.event("0101T09", calendar: "work"), source: 2)
      sample.send(.cancel, AssemblySample.event(nil, calendar: "work"), scope: scope)
      return sample.shown
    }
    #expect(shown(.allCalendars) == ["home 01-01 09 cancelled", "work 01-01 09 cancelled"])
    #expect(shown(.calendar) == ["home 01-01 09", "work 01-01 09 cancelled"])
    #expect(shown(.calendars(["home"])) == ["home 01-01 09 cancelled", "work 01-01 09"])
  }

  @Test("a cancellation of an occurrence and all that follow")
  func following() {
    var sample = AssemblySample()
    sample.add(Self.daily)
    sample.send(.cancel, AssemblySample.event(nil, replacing: "0102T09", following: true))
    #expect(
      sample.shown == [
        "work 01-01 09 daily", "work 01-02 09 daily cancelled", "work 01-03 09 daily cancelled",
      ])
  }

  @Test("a cancellation of all that follow cancels later overrides, but no newer ones")
  func followingOverrides() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=5"], title: "daily"))
    sample.add(AssemblySample.event("0103T15", replacing: "0103T09", title: "moved"))
    sample.add(
      AssemblySample.event("0104T15", replacing: "0104T09", sequence: 1, title: "newer"))
    sample.add(AssemblySample.event("0105T16", replacing: "0105T09", following: true, title: "all"))
    // The series has no occurrence at this time, but later ones.
    for replacing in ["0102T09", "0101T10"] {
      var sample = sample
      let message = sample.send(
        .cancel, AssemblySample.event(nil, replacing: replacing, following: true))
      #expect(
        sample.shown == [
          "work 01-01 09 daily", "work 01-02 09 daily cancelled", "work 01-03 15 moved cancelled",
          "work 01-04 15 newer", "work 01-05 16 all cancelled",
        ])
      #expect(sample.assembly().outcomes[message] == .effective)
    }
    let late = sample.send(
      .cancel, AssemblySample.event(nil, replacing: "0106T09", following: true))
    #expect(sample.assembly().outcomes[late] == .missingOccurrence)
  }

  @Test("an override that cancels an occurrence without a title has that of its series")
  func bareOverride() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=4"], title: "daily"))
    for (replacing, title) in [("0102T09", ""), ("0104T09", "")] {
      var override = AssemblySample.event(nil, replacing: replacing, title: title)
      override.status = .cancelled
      sample.add(override)
    }
    sample.add(AssemblySample.event("0103T10", replacing: "0103T09", following: true, title: "new"))
    #expect(
      sample.shown == [
        "work 01-01 09 daily", "work 01-02 09 daily cancelled", "work 01-03 10 new",
        "work 01-04 09 new cancelled",
      ])
  }

  @Test("a cancellation at a midnight that the series does not have names the date")
  func midnight() {
    var sample = AssemblySample()
    sample.add(Self.daily)
    sample.send(.cancel, AssemblySample.event(nil, replacing: "0102T00"))
    #expect(sample.shown.contains("work 01-02 09 daily cancelled"))
    #expect(sample.shown.count == 3)
  }

  @Test("of thousands of messages and events with one UID, only a million pairs are compared")
  func pairs() {
    var sample = AssemblySample()
    for number in 0..<1_100 {
      sample.add(AssemblySample.event("0105T09", title: "talk \(number)"))
    }
    for _ in 0..<550 {
      sample.send(.cancel, AssemblySample.event(nil))
      sample.send(.reply, AssemblySample.event(nil))
    }
    let assembly = sample.assembly()
    #expect(assembly.outcomes.values.count { $0 == .tooMany } == 191)
    #expect(assembly.series.allSatisfy { $0.master.status == .cancelled })
    #expect(assembly.findings.map(\.action).contains("some messages not applied"))
  }
}
