import TestSupport
import Testing

@testable import AgendaCore

/// Random versions, overrides and messages with one UID, in two calendars and several sources.
@Suite("Assemblies of random components")
struct AssemblyOrderTests {
  static let people = ["ana", "bo"]

  /// What a random component says, for the assembly and for the judge.
  struct Component {
    enum Role: CaseIterable {
      case series, override, cancel, reply, hide, add
    }

    var role: Role
    var calendar: String
    var isMail = false
    var sequence: Int
    var stamp: Int?
    /// The occurrence that it is about: its day and hour.
    var occurrence: Slot?
    var includesFollowing = false
    var title = ""
    var answers: [String: String] = [:]
    /// Of a series.
    var count = 0
    var excluded: Slot?
    /// Of an override.
    var hour = 0
  }

  struct Slot: Hashable, Comparable {
    var day: Int
    var hour: Int

    var text: String { "010\(day)T\(hour < 10 ? "0" : "")\(hour)" }

    static func < (left: Slot, right: Slot) -> Bool {
      (left.day, left.hour) < (right.day, right.hour)
    }
  }

  /// All versions of a SEQUENCE begin at the same hour.
  static func hour(_ sequence: Int) -> Int { 8 + sequence }

  private static func components(_ generator: inout SeededGenerator) -> [Component] {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    var stamps = Array(1...40).shuffled(using: &generator)
    func answer() -> String {
      ["accepted", "declined", "needs-action"].randomElement(using: &generator) ?? ""
    }
    // An answer to one of many cancelled occurrences is an answer to all of them, so these two are not
    // mixed.
    let ranged: Component.Role = [.cancel, .reply, .hide].randomElement(using: &generator) ?? .hide
    return (0..<number(1...9)).map { index in
      let roles: [Component.Role] = [
        .series, .series, .series, .override, .override, .cancel, .reply, .reply, .hide, .add,
      ]
      var component = Component(
        role: roles.randomElement(using: &generator) ?? .series,
        calendar: Bool.random(using: &generator) ? "a" : "b", sequence: number(0...2),
        stamp: stamps.removeLast(), title: "t\(index)")
      switch component.role {
      case .series:
        component.count = number(1...4)
        let day = number(1...8)
        if day <= 4 { component.excluded = Slot(day: day, hour: hour(component.sequence)) }
      case .override:
        component.occurrence = Slot(day: number(1...4), hour: hour(number(0...2)))
        component.hour = number(14...16)
      case .cancel, .reply, .hide:
        component.isMail = Bool.random(using: &generator)
        if number(0...3) == 0 { component.stamp = nil }
        if number(0...2) > 0 {
          component.occurrence = Slot(day: number(1...4), hour: hour(number(0...2)))
        }
        if ranged == .cancel, component.role == .reply { component.occurrence = nil }
        component.includesFollowing =
          component.role == ranged && component.occurrence != nil && number(0...2) == 0
        if component.role == .cancel, Bool.random(using: &generator) { component.title = "" }
      case .add:
        component.isMail = Bool.random(using: &generator)
        component.occurrence = Slot(day: number(1...4), hour: 20)
        component.hour = 20
      }
      switch component.role {
      case .series, .override, .add: for name in people { component.answers[name] = answer() }
      case .reply: component.answers[people[number(0...1)]] = answer()
      case .cancel, .hide: break
      }
      return component
    }
  }

  private static func sample(_ components: [Component]) -> AssemblySample {
    var sample = AssemblySample()
    for (index, component) in components.enumerated() {
      var event = AssemblySample.event(
        nil, replacing: component.occurrence?.text, following: component.includesFollowing,
        sequence: component.sequence, stamp: component.stamp, title: component.title,
        calendar: component.calendar)
      let source = component.calendar == "a" ? index % 2 : 2 + index % 2
      let scope: Message.Scope = component.isMail ? .allCalendars : .calendar
      switch component.role {
      case .series:
        var series = AssemblySample.event(
          Slot(day: 1, hour: hour(component.sequence)).text,
          rules: ["FREQ=DAILY;COUNT=\(component.count)"], sequence: component.sequence,
          stamp: component.stamp, title: component.title, calendar: component.calendar)
        if let excluded = component.excluded {
          series.recurrence?.exceptionDates = [AssemblySample.time(excluded.text)]
        }
        sample.add(series, source: source, people: component.answers)
      case .override:
        event.start = component.occurrence.map {
          AssemblySample.time(Slot(day: $0.day, hour: component.hour).text)
        }
        sample.add(event, source: source, people: component.answers)
      case .cancel: sample.send(.cancel, event, scope: scope)
      case .reply: sample.send(.reply, event, scope: scope, people: component.answers)
      case .hide: sample.send(.cancel, event, scope: scope, hides: true)
      case .add: sample.send(.add, event, scope: scope, people: component.answers)
      }
    }
    return sample
  }

  // Checks Decisions: Messages/3
  @Test("show what a plain reading of the decisions about messages and versions says")
  func judged() {
    var generator = SeededGenerator(seed: 2_607)
    for round in 0..<4_000 * TestSettings.rounds {
      let components = Self.components(&generator)
      let expected = AssemblyJudge(components).shown
      let found = Self.sample(components).shown
      #expect(found == expected, "round \(round): \(components)")
      if found != expected { return }
    }
  }

  // Checks Decisions: Importing/12
  @Test("do not depend on the order of components, messages and sources")
  func orders() {
    var generator = SeededGenerator(seed: 2_608)
    for round in 0..<1_000 * TestSettings.rounds {
      let sample = Self.sample(Self.components(&generator))
      let one = sample.assembly()
      let other = sample.shuffled(using: &generator)
      #expect(sample.shown(one) == sample.shown(other), "round \(round)")
      #expect(one.superseded == other.superseded, "round \(round)")
      #expect(one.hidden == other.hidden, "round \(round)")
      #expect(one.outcomes == other.outcomes, "round \(round)")
      #expect(one.derivations == other.derivations, "round \(round)")
      func problems(_ assembly: SeriesAssembly) -> Set<String> {
        Set(assembly.problems.map { "\($0.finding) \($0.events)" })
      }
      #expect(problems(one) == problems(other), "round \(round)")
    }
  }
}
