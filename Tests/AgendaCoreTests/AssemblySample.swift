import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import AgendaCore

/// Components in memory, with what an assembly reads of their texts.
struct AssemblySample: ComponentReading {
  var attendees: [EventReference: [Attendee]] = [:]
  /// The name of the file of a source.
  var fileNames: [Int: String] = [:]
  /// The size of every text.
  var size = 100
  private(set) var events: [Event] = []
  private(set) var messages: [Message] = []

  // MARK: Reading

  /// Equal for events that say the same.
  static func content(_ event: Event) -> EventContent {
    var hash: UInt64 = 14_695_981_039_346_656_037
    let text =
      "\(event.title) \(event.start as Any) \(event.identity) \(event.version.sequence)"
      + " \(event.status as Any) \(event.recurrence as Any) \(event.version.modified as Any)"
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return EventContent(event, meaning: hash, lasting: hash, text: hash)
  }

  func content(of event: Event) -> EventContent { Self.content(event) }
  func fileName(of component: EventReference) -> String { fileNames[component.source] ?? "" }
  func attendees(of component: EventReference) -> [Attendee] { attendees[component] ?? [] }
  func size(of component: EventReference) -> Int { size }
  func copiedSize(of component: EventReference) -> Int { size }

  // MARK: Components

  /// An event on 1 January 2024 and later; `at` is a time like `0105T09`.
  static func event(
    _ at: String?, replacing: String? = nil, following: Bool = false, rules: [String] = [],
    sequence: Int = 0, stamp: Int? = nil, title: String = "", calendar: String = "work",
    uid: String = "uid"
  ) -> Event {
    Event(
      identity: EventIdentity(
        uid: uid, recurrenceID: replacing.map(time), includesFollowing: following),
      kind: .event, start: (at ?? replacing).map(time), extent: .unstated,
      recurrence: rules.isEmpty
        ? nil : Event.Recurrence(rules: rules.compactMap { try? Rule(parsing: $0) }),
      title: title,
      version: EventVersion(
        sequence: sequence, modified: stamp.map { Instant(secondsSinceEpoch: $0) }),
      calendar: calendar, reference: EventReference(source: 0, component: 0))
  }

  /// `0105T09` is a moment in UTC, `0105` a date.
  static func time(_ text: String) -> EventTime {
    text.contains("T") ? SeriesTests.utc("2024\(text)0000") : SeriesTests.date("2024\(text)")
  }

  static func people(_ answers: [String: String]) -> [Attendee] {
    answers.sorted { $0.key < $1.key }.map { name, answer in
      Attendee(
        person: Person(name: nil, email: "\(name)@example.com"), participation: answer,
        role: "req-participant")
    }
  }

  /// Adds a version of an event, and returns its reference.
  @discardableResult
  mutating func add(
    _ event: Event, source: Int = 0, people: [String: String] = [:]
  ) -> EventReference {
    var event = event
    event.reference = nextReference(source: source)
    events.append(event)
    attendees[event.reference] = Self.people(people)
    return event.reference
  }

  @discardableResult
  mutating func send(
    _ method: Message.Method, _ event: Event, scope: Message.Scope = .calendar, source: Int = 9,
    people: [String: String] = [:], hides: Bool = false, completes: Bool = false
  ) -> EventReference {
    var event = event
    event.reference = nextReference(source: source)
    messages.append(
      Message(method: method, event: event, scope: scope, hides: hides, completes: completes))
    attendees[event.reference] = Self.people(people)
    return event.reference
  }

  private func nextReference(source: Int) -> EventReference {
    EventReference(source: source, component: events.count + messages.count)
  }

  // MARK: Results

  func assembly() -> SeriesAssembly {
    var budget = WorkBudget()
    return SeriesAssembly(events, messages: messages, reading: self, budget: &budget)
  }

  /// The same components in another order. The components of a source keep theirs.
  func shuffled(using generator: inout SeededGenerator) -> SeriesAssembly {
    var bySource = Dictionary(grouping: events) { $0.reference.source }
      .mapValues { Array($0.reversed()) }
    var mixed: [Event] = []
    while let source = bySource.keys.sorted().randomElement(using: &generator) {
      if let event = bySource[source]?.popLast() { mixed.append(event) }
      if bySource[source]?.isEmpty == true { bySource[source] = nil }
    }
    var budget = WorkBudget()
    return SeriesAssembly(
      mixed, messages: messages.shuffled(using: &generator), reading: self, budget: &budget)
  }

  /// The attendees of an event of an assembly.
  func people(of reference: EventReference, _ assembly: SeriesAssembly) -> [Attendee] {
    guard let derivation = assembly.derivations[reference] else { return attendees(of: reference) }
    var details = EventDetails()
    details.attendees = attendees(of: derivation.base)
    if derivation.base != reference, details.attendees.isEmpty,
      let series = derivation.completedBy
    {
      details.attendees = people(of: series, assembly)
    }
    details.take(answers: derivation.answers)
    return details.attendees
  }

  /// What an assembly shows: `work 01-05 09 Title cancelled ana:accepted`.
  func shown(_ assembly: SeriesAssembly) -> [String] {
    let year =
      Instant(
        utc: SeriesTests.civil("20240101T000000"))..<Instant(
        utc: SeriesTests.civil("20250101T000000"))
    return assembly.series.flatMap { series in
      series.occurrences(touching: year, viewer: .utc, includingCancelled: true).map { occurrence in
        let answers = people(of: occurrence.event.reference, assembly).map { attendee in
          "\((attendee.person.email ?? "").prefix { $0 != "@" }):\(attendee.participation)"
        }
        let begin = occurrence.begin.description
        let parts =
          [
            occurrence.event.calendar, String(begin.dropFirst(5).prefix(5)),
            String(begin.dropFirst(11).prefix(2)), occurrence.event.title,
            occurrence.event.status == .cancelled ? "cancelled" : "",
          ] + answers
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
      }
    }.sorted()
  }

  var shown: [String] { shown(assembly()) }
}
