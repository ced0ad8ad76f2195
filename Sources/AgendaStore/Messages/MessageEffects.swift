internal import AgendaCore

/// The effects of the messages with one UID on the components of a calendar with it.
///
/// They depend only on the components and the messages, not on the order of their imports.
struct MessageEffects {
  /// An override that a message makes for an occurrence without one.
  struct Override {
    /// The series, by its index among the events.
    let series: Int
    let event: Event
    /// The index of the cancellation that makes it; `nil` if replies make it.
    let cancellation: Int?
    /// Whether a cancelled occurrence has what the cancellation leaves out.
    let isComplete: Bool
    /// The new participation, by address in lower case.
    let answers: [String: String]
  }

  /// The indices of the cancelled events.
  private(set) var cancelled: Set<Int>
  /// The new participation, by the index of the event and the address in lower case.
  private(set) var answers: [Int: [String: String]]
  private(set) var overrides: [Override]
  /// By the index of a cancellation.
  private(set) var hasEffect: [Int: Bool] = [:]
  /// The indices of cancellations of an occurrence that the series does not have.
  private(set) var withoutOccurrence: Set<Int>
  /// By the index of a reply.
  private(set) var outcomes: [Int: Replies.Outcome] = [:]

  /// `copiedSize` and `invitation` are for the event with an index.
  init(
    _ messages: [EventMessage], of events: [Event], room: inout CopyRoom,
    copiedSize: (Int) throws(StoreError) -> Int,
    invitation: (Int) throws(StoreError) -> Replies.Invitation
  ) throws(StoreError) {
    let cancelling = messages.indices.filter { messages[$0].method == .cancel }
    let replying = messages.indices.filter { messages[$0].method == .reply }
    let cancellations = try Cancellations(
      cancelling.map { messages[$0].event }, of: events, room: room, copiedSize: copiedSize)
    for (index, effect) in zip(cancelling, cancellations.hasEffect) { hasEffect[index] = effect }
    withoutOccurrence = Set(cancellations.withoutOccurrence.map { cancelling[$0] })
    cancelled = cancellations.cancelled
    // One occurrence can be both cancelled and answered.
    var present = events
    for index in cancelled { present[index].status = .cancelled }
    present += cancellations.occurrences.map(\.override)
    let replies = try Replies(
      replying.map { index in
        Replies.Reply(
          event: messages[index].event, attendees: messages[index].details.attendees)
      }, of: present, room: cancellations.room
    ) { index throws(StoreError) in
      guard index >= events.count else { return try invitation(index) }
      let occurrence = cancellations.occurrences[index - events.count]
      let own = messages[cancelling[occurrence.cancellation]].details.attendeeAddresses
      return own.isEmpty && occurrence.isComplete
        ? try invitation(occurrence.series) : Replies.Invitation(addresses: own, size: 0)
    }
    room = replies.room
    for (index, outcome) in zip(replying, replies.outcomes) { outcomes[index] = outcome }
    answers = replies.answers.filter { $0.key < events.count }
    overrides = cancellations.occurrences.enumerated().map { number, occurrence in
      Override(
        series: occurrence.series, event: occurrence.override,
        cancellation: cancelling[occurrence.cancellation], isComplete: occurrence.isComplete,
        answers: replies.answers[events.count + number] ?? [:])
    }
    for occurrence in replies.occurrences {
      // The override also has the answers to the whole series.
      let answers = (replies.answers[occurrence.series] ?? [:])
        .merging(occurrence.answers) { $1 }
      overrides.append(
        Override(
          series: occurrence.series, event: occurrence.override, cancellation: nil,
          isComplete: false, answers: answers))
    }
  }
}
