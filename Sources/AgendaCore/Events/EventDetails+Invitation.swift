extension EventDetails {
  /// The attendee with one of these addresses who has not answered; `nil` also for the organizer, who has
  /// nothing to answer.
  package func unansweredInvitation(to addresses: Set<String>) -> Attendee? {
    let own = invitations(to: addresses)
    // Who is listed twice has answered if one of the lines says so.
    return own.contains(where: \.hasAnswered) ? nil : own.first
  }

  /// Whether the attendee with one of these addresses has declined.
  package func isDeclined(by addresses: Set<String>) -> Bool {
    let own = invitations(to: addresses)
    return !own.isEmpty && own.allSatisfy { $0.participation == "declined" }
  }

  private func invitations(to addresses: Set<String>) -> [Attendee] {
    func isOwn(_ person: Person?) -> Bool {
      person?.email.map { addresses.contains($0.lowercased()) } ?? false
    }
    if addresses.isEmpty || isOwn(organizer) { return [] }
    return attendees.filter { isOwn($0.person) }
  }
}

extension Attendee {
  /// Whether the person has answered.
  package var hasAnswered: Bool { Self.isAnswer(participation) }

  /// Whether a PARTSTAT in lower case is an answer. NEEDS-ACTION is none, and neither is a value that is
  /// not in RFC 5545 (3.2.12).
  static func isAnswer(_ participation: String) -> Bool {
    ["accepted", "declined", "tentative", "delegated", "completed", "in-process"]
      .contains(participation)
  }
}

extension Event {
  /// Whether an answer to an invitation makes sense.
  package var needsAnswers: Bool { status != .cancelled && status != .completed }
}

extension String {
  /// In lower case, without the `mailto:` that some people copy along.
  package var asMailAddress: String {
    let text = lowercased()
    return text.hasPrefix("mailto:") ? String(text.dropFirst("mailto:".count)) : text
  }
}
