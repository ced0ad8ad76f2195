import Testing

@testable import AgendaCore

@Suite("Replies in an assembly")
struct AssembledReplyTests {
  private static func daily(sequence: Int = 0, stamp: Int? = nil) -> Event {
    AssemblySample.event(
      "0101T09", rules: ["FREQ=DAILY;COUNT=2"], sequence: sequence, stamp: stamp)
  }

  // Checks Decisions: Messages/2
  @Test("a reply changes the answer of its attendee in the series")
  func whole() {
    var sample = AssemblySample()
    let series = sample.add(Self.daily(), people: ["ana": "needs-action", "bo": "needs-action"])
    let reply = sample.send(.reply, AssemblySample.event(nil), people: ["ana": "accepted"])
    let assembly = sample.assembly()
    #expect(assembly.outcomes == [reply: .effective])
    let answers = ["ana@example.com": "accepted"]
    #expect(assembly.derivations == [series: Derivation(base: series, answers: answers)])
    #expect(
      sample.shown(assembly) == [
        "work 01-01 09 ana:accepted bo:needs-action", "work 01-02 09 ana:accepted bo:needs-action",
      ])
  }

  @Test("an answer to one occurrence makes an override, which has the answers to the series, too")
  func occurrence() throws {
    var sample = AssemblySample()
    let series = sample.add(Self.daily(), people: ["ana": "needs-action", "bo": "needs-action"])
    sample.send(.reply, AssemblySample.event(nil), people: ["bo": "accepted"])
    sample.send(.reply, AssemblySample.event(nil), people: ["ana": "accepted"])
    sample.send(
      .reply, AssemblySample.event(nil, replacing: "0102T09"), people: ["ana": "declined"])
    let assembly = sample.assembly()
    #expect(
      sample.shown(assembly) == [
        "work 01-01 09 ana:accepted bo:accepted", "work 01-02 09 ana:declined bo:accepted",
      ])
    let override = try #require(assembly.series.first?.overrides.first)
    #expect(assembly.derivations[override.reference]?.base == series)
  }

  /// The versions of an invitation and of a reply to it.
  struct Versions: Sendable {
    let event: (sequence: Int, stamp: Int?)
    let reply: (sequence: Int, stamp: Int?)
    let invited: String
    let isApplied: Bool
  }

  // Checks Decisions: Importing/14
  @Test(
    "an older reply answers only needs-action of the same SEQUENCE",
    arguments: [
      Versions(event: (0, 5), reply: (0, 4), invited: "needs-action", isApplied: true),
      Versions(event: (0, 5), reply: (0, 4), invited: "tentative", isApplied: false),
      Versions(event: (0, 5), reply: (0, 6), invited: "tentative", isApplied: true),
      Versions(event: (0, 5), reply: (0, nil), invited: "tentative", isApplied: true),
      Versions(event: (1, 5), reply: (0, 6), invited: "needs-action", isApplied: false),
      Versions(event: (0, 5), reply: (1, 4), invited: "tentative", isApplied: true),
    ], [nil, "0102T09"])
  func stamps(_ versions: Versions, occurrence: String?) {
    var sample = AssemblySample()
    sample.add(
      Self.daily(sequence: versions.event.sequence, stamp: versions.event.stamp),
      people: ["ana": versions.invited])
    let reply = sample.send(
      .reply,
      AssemblySample.event(
        nil, replacing: occurrence, sequence: versions.reply.sequence,
        stamp: versions.reply.stamp), people: ["ana": "declined"])
    let assembly = sample.assembly()
    #expect(assembly.outcomes[reply] == (versions.isApplied ? .effective : .laterVersion))
    let answer = versions.isApplied ? "declined" : versions.invited
    #expect(sample.shown(assembly).last == "work 01-02 09 ana:\(answer)")
  }

  // Checks RFC 5546: 2.1.5/4, 5.3/1
  @Test("of two replies of one attendee the newer counts")
  func newest() {
    for order in [[0, 1], [1, 0]] {
      var sample = AssemblySample()
      sample.add(Self.daily(stamp: 1), people: ["ana": "needs-action"])
      let replies = [
        AssemblySample.event(nil, stamp: 7), AssemblySample.event(nil, stamp: 8),
      ]
      for number in order {
        sample.send(.reply, replies[number], people: ["ana": ["declined", "accepted"][number]])
      }
      #expect(sample.shown.first == "work 01-01 09 ana:accepted")
    }
  }

  @Test("a cancelled occurrence can also be answered")
  func cancelled() {
    var sample = AssemblySample()
    sample.add(Self.daily(), people: ["ana": "needs-action"])
    sample.send(
      .reply, AssemblySample.event(nil, replacing: "0102T09"), people: ["ana": "declined"])
    sample.send(.cancel, AssemblySample.event(nil, replacing: "0102T09", title: "off"))
    let cancelled = "work 01-02 09 off cancelled ana:declined"
    #expect(sample.shown == ["work 01-01 09 ana:needs-action", cancelled])
  }

  @Test("a reply says what it did not do")
  func outcomes() {
    func outcome(
      _ event: Event, _ people: [String: String] = ["ana": "accepted"]
    ) -> Message.Outcome? {
      var sample = AssemblySample()
      sample.add(Self.daily(sequence: 1), people: ["ana": "needs-action"])
      let reply = sample.send(.reply, event, people: people)
      return sample.assembly().outcomes[reply]
    }
    func event(_ replacing: String? = nil, sequence: Int = 1) -> Event {
      AssemblySample.event(nil, replacing: replacing, sequence: sequence)
    }
    #expect(outcome(AssemblySample.event(nil, uid: "other")) == .missingEvent)
    #expect(outcome(event("0109T09")) == .missingOccurrence)
    #expect(outcome(event(sequence: 0)) == .laterVersion)
    #expect(outcome(event(), ["bo": "accepted"]) == .notInvited)
    #expect(outcome(event(), ["ana": "delegated", "bo": "accepted"]) == .appliedToListed)
  }

  @Test("an answer to an occurrence and all that follow changes them and their overrides")
  func following() throws {
    var sample = AssemblySample()
    let series = AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=5"], stamp: 1)
    let reference = sample.add(series, people: ["ana": "needs-action"])
    sample.add(
      AssemblySample.event("0104T15", replacing: "0104T09", stamp: 1, title: "moved"),
      people: ["ana": "needs-action"])
    let reply = sample.send(
      .reply, AssemblySample.event(nil, replacing: "0102T09", following: true, stamp: 3),
      people: ["ana": "declined"])
    #expect(
      sample.shown == [
        "work 01-01 09 ana:needs-action", "work 01-02 09 ana:declined",
        "work 01-03 09 ana:declined", "work 01-04 15 moved ana:declined",
        "work 01-05 09 ana:declined",
      ])
    let assembly = sample.assembly()
    #expect(assembly.outcomes[reply] == .effective)
    let overrides = assembly.series.first?.overrides ?? []
    let range = try #require(overrides.filter(\.identity.includesFollowing).first)
    #expect(assembly.derivations[range.reference]?.base == reference)
    // The newest answer to an occurrence counts, whether it is one to all that follow or not.
    for (stamp, answer) in [(2, "declined"), (4, "accepted")] {
      var sample = sample
      sample.send(
        .reply, AssemblySample.event(nil, replacing: "0103T09", stamp: stamp),
        people: ["ana": "accepted"])
      #expect(sample.shown[2] == "work 01-03 09 ana:\(answer)")
      #expect(sample.shown[4] == "work 01-05 09 ana:declined")
    }
    // An occurrence that the series does not have names none.
    var missing = sample
    let other = missing.send(
      .reply, AssemblySample.event(nil, replacing: "0102T10", following: true, stamp: 5),
      people: ["ana": "tentative"])
    #expect(missing.assembly().outcomes[other] == .missingOccurrence)
    #expect(missing.shown == sample.shown)
  }

  @Test("occurrences that replies change copy at most 32 MiB")
  func copies() {
    var sample = AssemblySample(size: 8 << 20)
    sample.add(
      AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=9"]),
      people: ["ana": "needs-action"])
    for day in 1...9 {
      sample.send(
        .reply, AssemblySample.event(nil, replacing: "010\(day)T09"), people: ["ana": "accepted"])
    }
    let assembly = sample.assembly()
    #expect(assembly.series.first?.overrides.count == 4)
    #expect(assembly.outcomes.values.count { $0 == .tooMany } == 5)
    #expect(
      assembly.findings.map(\.action) == [
        "some occurrences that messages change are not completed from their series"
      ])
  }
}
