package import AgendaCore
package import CivilTime
internal import ICalendar

/// Files that are read together. A cancellation among them (METHOD:CANCEL) cancels events of the
/// others, and an answer (METHOD:REPLY) changes them; neither is an event.
package struct CalendarFiles: Sendable {
  /// By their numbers in the references of events.
  package let files: [CalendarFile]
  /// The name of each file in findings.
  let names: [String]
  /// Whether there is any cancellation.
  package let hasCancellations: Bool
  /// Whether any component is a message about an event and not an event.
  package let hasMessages: Bool
  /// What was found wrong with each file, by its place, because of what the others have.
  private var findings: [Int: [Finding]] = [:]
  /// The findings of a file itself that are wrong because of what others have, by place: what they
  /// become, or `nil` for those that go.
  private var corrections: [Int: [Finding: Finding?]] = [:]
  /// What is otherwise than its file has it, by reference.
  private var cancelled: [EventReference: Event] = [:]
  /// The occurrences that cancellations remove or that replies answer.
  private var overrides: [Event] = []
  /// The cancellations by the references of their overrides.
  private var cancellationOfOverride: [EventReference: EventReference] = [:]
  /// The overrides by the references of their cancellations.
  private var overrideOfCancellation: [EventReference: Event] = [:]
  /// The series of which cancelled occurrences have what the cancellations leave out, by the
  /// references of the cancellations.
  private var completingSeries: [EventReference: EventReference] = [:]

  /// The cancellations without an effect.
  private var withoutEffect: Set<EventReference> = []
  /// How many of them are of events and tasks, by the places of their files.
  private var ineffectiveCounts: [Int: Int] = [:]
  /// The new answers of attendees, by reference and address in lower case.
  private var answers: [EventReference: [String: String]] = [:]
  /// The occurrences that replies answer, by the references of their overrides, and the references
  /// of their series.
  private var answered: [EventReference: (series: EventReference, answers: [String: String])] = [:]
  /// The references of these overrides, by that of the first reply to each.
  private var answeredByReply: [EventReference: [(override: Event, series: EventReference)]] = [:]

  /// `names` are the names of the files; by default those of their calendars.
  package init(_ files: [CalendarFile], names: [String]? = nil) {
    self.files = files
    self.names = names ?? files.map(\.name)
    hasCancellations = files.contains(where: \.hasCancellations)
    hasMessages = files.contains(where: \.hasMessages)
    if hasCancellations { applyCancellations() }
    if files.contains(where: \.hasReplies) { applyReplies() }
    findCommonProblems()
  }

  private mutating func applyCancellations() {
    var uids: Set<UInt64> = []
    for file in files where file.hasCancellations { uids.formUnion(file.cancelledUIDs) }
    var cancellations: [(file: Int, event: Event)] = []
    var events: [Event] = []
    for (place, file) in files.enumerated() {
      for event in file.events(withUIDs: uids) {
        if file.isCancellation(event.reference.component) {
          cancellations.append((place, event))
        } else if !file.isMessage(event.reference.component) {
          events.append(event)
        }
      }
    }
    let result = Cancellations(cancellations.map(\.event), of: events) {
      let reference = events[$0].reference
      let size = file(of: reference)?.withComponent(reference.component) {
        ComponentText(Array($0)).copiedSize
      }
      return size ?? 0
    }
    for index in result.cancelled {
      var event = events[index]
      event.status = .cancelled
      cancelled[event.reference] = event
    }
    for occurrence in result.occurrences {
      let cancellation = cancellations[occurrence.cancellation].event.reference
      var override = occurrence.override
      overrideOfCancellation[cancellation] = override
      if occurrence.isComplete { completingSeries[cancellation] = override.reference }
      override.reference = newReference(source: override.reference.source)
      cancellationOfOverride[override.reference] = cancellation
      overrides.append(override)
    }
    for (number, (place, cancellation)) in cancellations.enumerated() {
      guard let reason = result.reason(number) else { continue }
      withoutEffect.insert(cancellation.reference)
      if cancellation.kind != .journal { ineffectiveCounts[place, default: 0] += 1 }
      add(
        Finding(
          .warning, .cancellation(reason, isKept: false),
          line: files[place].line(ofComponent: cancellation.reference.component),
          component: cancellation.kind.component, uid: cancellation.identity.uid,
          property: "METHOD"), toFile: place)
    }
  }

  /// A reference for an override that does not come from a file. No component has such a number.
  private func newReference(source: Int) -> EventReference {
    EventReference(source: source, component: .max - overrides.count)
  }

  private mutating func applyReplies() {
    let uids = files.reduce(into: Set<UInt64>()) { $0.formUnion($1.repliedUIDs) }
    var replies: [Replies.Reply] = []
    var places: [Int] = []
    // One occurrence can be both cancelled and answered.
    var events = overrides
    for (place, file) in files.enumerated() {
      for event in file.events(withUIDs: uids) {
        if file.isReply(event.reference.component) {
          replies.append(
            Replies.Reply(event: event, attendees: file.details(of: event.reference).attendees))
          places.append(place)
        } else if !file.isMessage(event.reference.component) {
          events.append(cancelled[event.reference] ?? event)
        }
      }
    }
    let result = Replies(replies, of: events) {
      let reference = events[$0].reference
      let size = file(of: reference)?.withComponent(component(of: reference).component, \.count)
      return Replies.Invitation(
        addresses: details(of: reference).attendeeAddresses, size: size ?? 0)
    }
    for (index, answers) in result.answers {
      self.answers[component(of: events[index].reference)] = answers
    }
    for occurrence in result.occurrences {
      var override = occurrence.override
      let series = override.reference
      override.reference = newReference(source: series.source)
      answered[override.reference] = (series, occurrence.answers)
      answeredByReply[replies[occurrence.reply].event.reference, default: []]
        .append((override, series))
      overrides.append(override)
    }
    for (number, outcome) in result.outcomes.enumerated() {
      let (event, place) = (replies[number].event, places[number])
      let line = files[place].line(ofComponent: event.reference.component)
      if let finding = outcome.finding(event, line: line) { add(finding, toFile: place) }
    }
  }

  mutating func add(_ finding: Finding, toFile place: Int) {
    findings[place, default: []].append(finding)
  }

  /// How many cancellations of events and tasks in a file cancel nothing.
  package func ineffectiveCount(ofFile place: Int) -> Int { ineffectiveCounts[place] ?? 0 }

  mutating func correct(_ finding: Finding, to corrected: Finding?, ofFile place: Int) {
    corrections[place, default: [:]][finding] = .some(corrected)
  }

  /// What is wrong with a file: with the file itself, and because of what the others have.
  package func findings(ofFile place: Int) -> [Finding] {
    var own = files[place].findings
    if let corrections = corrections[place] {
      own = own.compactMap { corrections[$0] ?? $0 }
    }
    return own + (findings[place] ?? [])
  }

  /// The events of all files; with a window, those that can matter to it.
  package var events: [Event] {
    files.first?.window.map(events(touching:)) ?? allEvents
  }

  /// All of their events.
  package var allEvents: [Event] { applied(to: files.flatMap(\.allEvents)) }

  /// The events that can affect a span of time. An event outside of the span, or in another file of
  /// the calendar, can replace, move or outdate another one.
  package func events(touching span: Range<Instant>) -> [Event] {
    let uids = Dictionary(grouping: files, by: \.name).mapValues { files in
      files.reduce(into: Set<UInt64>()) { $0.formUnion($1.uids(touching: span)) }
    }
    return applied(to: files.flatMap { $0.events(withUIDs: uids[$0.name] ?? []) })
  }

  func applied(to events: [Event]) -> [Event] {
    guard hasMessages else { return events }
    return events.compactMap { event in
      isMessage(event.reference) ? nil : cancelled[event.reference] ?? event
    } + overrides
  }

  /// Whether a component is a cancellation, which is not an event.
  package func isCancellation(_ reference: EventReference) -> Bool {
    file(of: reference)?.isCancellation(reference.component) ?? false
  }

  /// Whether a component is a cancellation or an answer, which is not an event.
  package func isMessage(_ reference: EventReference) -> Bool {
    file(of: reference)?.isMessage(reference.component) ?? false
  }

  /// The effect of a cancellation on a component: it is cancelled, or, if it is a cancellation
  /// itself, it becomes an override. `nil` if the component stays as it is, or disappears.
  package func change(of reference: EventReference) -> Event? {
    cancelled[reference] ?? overrideOfCancellation[reference]
  }

  /// Whether a cancellation became an override that has what it leaves out from its series.
  package func isComplete(_ cancellation: EventReference) -> Bool {
    completingSeries[cancellation] != nil
  }

  /// The answers that replies change in a component, by address in lower case.
  package func answers(in reference: EventReference) -> [String: String]? { answers[reference] }

  /// The overrides that a reply is the first to make, with the references of their series.
  package func answeredOccurrences(
    of reply: EventReference
  ) -> [(override: Event, series: EventReference)] { answeredByReply[reply] ?? [] }

  /// The answers to an occurrence that had no override.
  package func answersForOccurrence(_ override: EventReference) -> [String: String] {
    answered[override]?.answers ?? [:]
  }

  /// Whether an event is an override that only a reply makes.
  package func isAnsweredOccurrence(_ reference: EventReference) -> Bool {
    answered[reference] != nil
  }

  /// Whether a component is a cancellation whose event is missing or has a higher SEQUENCE.
  package func isWithoutEffect(_ reference: EventReference) -> Bool {
    withoutEffect.contains(reference)
  }

  /// The reference of the component from which an event was made.
  package func component(of reference: EventReference) -> EventReference {
    cancellationOfOverride[reference] ?? answered[reference]?.series ?? reference
  }

  /// The file of an event.
  package func file(of reference: EventReference) -> CalendarFile? {
    fileIndex(of: reference).map { files[$0] }
  }

  package func fileIndex(of reference: EventReference) -> Int? {
    let reference = component(of: reference)
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      let file = files[middle]
      let isAfter =
        file.source == reference.source
        ? file.firstComponent > reference.component : file.source > reference.source
      if isAfter { high = middle } else { low = middle + 1 }
    }
    return low > 0 && files[low - 1].source == reference.source ? low - 1 : nil
  }

  /// What the component of an event says.
  package func content(of event: Event) -> EventContent {
    let component = component(of: event.reference).component
    return file(of: event.reference)?.content(of: event, component: component)
      ?? EventContent(event, meaning: 0, lasting: 0, text: 0)
  }

  package func details(of reference: EventReference) -> EventDetails {
    var details = file(of: reference)?.details(of: component(of: reference)) ?? EventDetails()
    if let series = completingSeries[component(of: reference)] {
      details.takePeople(of: self.details(of: series))
    }
    if let answers = answers[component(of: reference)] { details.take(answers: answers) }
    if let answers = answered[reference]?.answers { details.take(answers: answers) }
    return details
  }
}

extension CalendarFile {
  /// Whether one of its VCALENDARs cancels events of others.
  package var hasCancellations: Bool { calendars.contains(where: \.isCancellation) }

  var hasReplies: Bool { calendars.contains(where: \.isReply) }

  /// Whether it contains only cancellations and answers for events of other sources. A VFREEBUSY in
  /// an answer has busy times itself (RFC 5546 3.3.3).
  package var hasOnlyMessages: Bool {
    hasMessages && freeBusyCount == 0
      && stubs.allSatisfy { calendars[Int($0.calendar)].isMessage }
  }

  /// Whether it contains only occurrences that are added to events of other sources (METHOD:ADD).
  package var hasOnlyAdditions: Bool {
    !stubs.isEmpty && stubs.allSatisfy { calendars[Int($0.calendar)].isAddition }
  }

  package func isReply(_ number: Int) -> Bool {
    stub(number).map { calendars[Int($0.calendar)].isReply } ?? false
  }

  /// The UIDs of the events that its replies answer.
  var repliedUIDs: Set<UInt64> {
    Set(stubs.filter { calendars[Int($0.calendar)].isReply }.map(\.uidDigest))
  }

  var hasMessages: Bool { calendars.contains(where: \.isMessage) }

  func isMessage(_ number: Int) -> Bool {
    stub(number).map { calendars[Int($0.calendar)].isMessage } ?? false
  }

  /// The number of events and tasks in a REPLY, REFRESH, COUNTER or DECLINECOUNTER.
  package var answerCount: Int {
    guard calendars.contains(where: \.isAnswer) else { return 0 }
    return stubs.count { $0.kind != .journal && calendars[Int($0.calendar)].isAnswer }
  }

  package func isCancellation(_ number: Int) -> Bool {
    stub(number).map { calendars[Int($0.calendar)].isCancellation } ?? false
  }

  /// The UIDs of the events that it cancels.
  var cancelledUIDs: Set<UInt64> {
    Set(stubs.filter { calendars[Int($0.calendar)].isCancellation }.map(\.uidDigest))
  }
}
