import CivilTime
import Testing

@testable import AgendaCore

/// Tasks of other people that the user marks as done: an answer to one version of the task.
@Suite("Tasks that the user completes")
struct AssembledCompletionTests {
  private static func task(
    _ at: String?, replacing: String? = nil, following: Bool = false, rules: [String] = [],
    sequence: Int = 0, title: String = ""
  ) -> Event {
    var task = AssemblySample.event(
      at, replacing: replacing, following: following, rules: rules, sequence: sequence, title: title
    )
    task.kind = .task
    return task
  }

  private static func completing(
    _ replacing: String? = nil, sequence: Int = 0, in sample: AssemblySample
  ) -> AssemblySample {
    var sample = sample
    sample.send(.reply, task(nil, replacing: replacing, sequence: sequence), completes: true)
    return sample
  }

  /// `01-05 09 Title completed`, for each occurrence.
  private static func shown(_ sample: AssemblySample) -> [String] {
    let year =
      SeriesTests.utc("20240101T000000").instant(
        for: .utc)..<SeriesTests.utc("20250101T000000")
      .instant(for: .utc)
    return sample.assembly().series.flatMap { series in
      series.occurrences(touching: year, viewer: .utc, includingCancelled: true).map { occurrence in
        let begin = occurrence.begin.description
        return [
          String(begin.dropFirst(5).prefix(5)), String(begin.dropFirst(11).prefix(2)),
          occurrence.event.title, occurrence.event.status?.rawValue ?? "open",
        ].joined(separator: " ")
      }
    }.sorted()
  }

  private static func outcomes(_ sample: AssemblySample) -> [Message.Outcome] {
    sample.assembly().outcomes.values.map(\.self)
  }

  private static func series() -> AssemblySample {
    var sample = AssemblySample()
    sample.add(task("0101T09", rules: ["FREQ=DAILY;COUNT=4"], title: "daily"))
    return sample
  }

  @Test("a task is done, unless its source has a newer version")
  func single() {
    var sample = AssemblySample()
    sample.add(Self.task("0101T09", sequence: 2, title: "pay"))
    #expect(Self.shown(Self.completing(sequence: 2, in: sample)) == ["01-01 09 pay completed"])
    #expect(Self.shown(Self.completing(sequence: 3, in: sample)) == ["01-01 09 pay completed"])
    let old = Self.completing(sequence: 1, in: sample)
    #expect(Self.shown(old) == ["01-01 09 pay open"])
    #expect(Self.outcomes(old) == [.laterVersion])
  }

  @Test("what the source says of a cancelled task counts")
  func cancelled() {
    var sample = AssemblySample()
    var task = Self.task("0101T09", title: "pay")
    task.status = .cancelled
    sample.add(task)
    #expect(Self.shown(Self.completing(in: sample)) == ["01-01 09 pay cancelled"])
  }

  @Test("one occurrence of a series is done, and the others stay open")
  func occurrence() {
    let done = Self.completing("0102T09", in: Self.series())
    #expect(
      Self.shown(done) == [
        "01-01 09 daily open", "01-02 09 daily completed", "01-03 09 daily open",
        "01-04 09 daily open",
      ])
    #expect(Self.shown(Self.completing("0102T09", in: done)) == Self.shown(done))
    // Exchange writes the date of an occurrence.
    #expect(Self.shown(Self.completing("0102", in: Self.series())) == Self.shown(done))
    let missing = Self.completing("0109T09", in: Self.series())
    #expect(Self.shown(missing).allSatisfy { $0.hasSuffix("open") })
    #expect(Self.outcomes(missing) == [.missingOccurrence])
  }

  @Test("a moved occurrence is done at its own time")
  func override() {
    var sample = Self.series()
    sample.add(Self.task("0102T15", replacing: "0102T09", title: "moved"))
    #expect(Self.shown(Self.completing("0102T09", in: sample))[1] == "01-02 15 moved completed")
    #expect(
      Self.shown(Self.completing("0102T09", in: sample)).filter { $0.hasSuffix("open") }.count == 3)
  }

  @Test("an occurrence that an override with RANGE changes keeps its time")
  func range() {
    var sample = Self.series()
    sample.add(Self.task("0102T15", replacing: "0102T09", following: true, title: "later"))
    #expect(
      Self.shown(Self.completing("0103T09", in: sample)) == [
        "01-01 09 daily open", "01-02 15 later open", "01-03 15 later completed",
        "01-04 15 later open",
      ])
  }

  @Test("an override without its series is done by its RECURRENCE-ID, or as the whole task")
  func alone() {
    var sample = AssemblySample()
    sample.add(Self.task("0102T15", replacing: "0102T09", title: "alone"))
    for replacing in ["0102T09", nil] {
      #expect(
        Self.shown(Self.completing(replacing, in: sample)) == ["01-02 15 alone completed"])
    }
    #expect(Self.shown(Self.completing("0103T09", in: sample)) == ["01-02 15 alone open"])
  }

  @Test("a task of another calendar stays open")
  func otherCalendar() {
    var sample = AssemblySample()
    var task = Self.task("0101T09", title: "pay")
    task.calendar = "home"
    sample.add(task)
    #expect(Self.shown(Self.completing(in: sample)) == ["01-01 09 pay open"])
  }
}
