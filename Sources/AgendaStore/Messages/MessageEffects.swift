internal import AgendaCore

/// What the messages about one UID make of the components that a calendar has with it.
///
/// It depends only on the components and the messages, not on the order in which they were imported.
struct MessageEffects {
  /// An override that a message makes for an occurrence without one.
  struct Override {
    /// The series, by its index among the events.
    let series: Int
    let event: Event
    /// The cancellation that makes it, by its index; `nil` if replies make it.
    let cancellation: Int?
    /// The new participation, by address in lower case.
    let answers: [String: String]
  }

  /// Whether an event is cancelled, by its index.
  private(set) var cancelled: Set<Int>
  /// The new participation by index of the event and address in lower case.
  private(set) var answers: [Int: [String: String]]
  private(set) var overrides: [Override]
  /// By the index of a cancellation.
  private(set) var hasEffect: [Int: Bool] = [:]
  /// By the index of a reply.
  private(set) var outcomes: [Int: Replies.Outcome] = [:]

  /// `addresses` returns the addresses of the attendees of an event, by its index, in lower case.
  init(
    _ messages: [EventMessage], of events: [Event],
    addresses: (Int) throws(StoreError) -> Set<String>
  ) throws(StoreError) {
    let cancelling = messages.indices.filter { messages[$0].method == .cancel }
    let replying = messages.indices.filter { messages[$0].method == .reply }
    let cancellations = Cancellations(cancelling.map { messages[$0].event }, of: events)
    for (index, effect) in zip(cancelling, cancellations.hasEffect) { hasEffect[index] = effect }
    cancelled = cancellations.cancelled
    // An occurrence can be cancelled and answered.
    var present = events
    for index in cancelled { present[index].status = .cancelled }
    present += cancellations.occurrences.map(\.override)
    let replies = try Replies(
      replying.map { index in
        Replies.Reply(
          event: messages[index].event, attendees: messages[index].details.attendees)
      }, of: present
    ) { index throws(StoreError) in
      guard index >= events.count else { return try addresses(index) }
      let occurrence = cancellations.occurrences[index - events.count]
      return messages[cancelling[occurrence.cancellation]].details.attendeeAddresses
    }
    for (index, outcome) in zip(replying, replies.outcomes) { outcomes[index] = outcome }
    answers = replies.answers.filter { $0.key < events.count }
    overrides = cancellations.occurrences.enumerated().map { number, occurrence in
      Override(
        series: occurrence.series, event: occurrence.override,
        cancellation: cancelling[occurrence.cancellation],
        answers: replies.answers[events.count + number] ?? [:])
    }
    for occurrence in replies.occurrences {
      // It has the answers of the series, too.
      let answers = (replies.answers[occurrence.series] ?? [:])
        .merging(occurrence.answers) { $1 }
      overrides.append(
        Override(
          series: occurrence.series, event: occurrence.override, cancellation: nil,
          answers: answers))
    }
  }
}
