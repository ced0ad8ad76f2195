public import AgendaCore
public import AgendaSources
public import CivilTime

/// An invitation that is not answered yet.
public struct OpenInvitation: Sendable {
  /// The occurrence that comes next. The invitation can be to all of its series.
  public let occurrence: Occurrence
  /// Who invites; `nil` if the event does not say so.
  public let organizer: Person?
  /// Who is invited.
  public let attendee: Attendee
}

extension Calendars {
  /// The invitations to the people with these addresses that are not answered and not over, by time. A
  /// series is listed once, and each of its occurrences that was changed for itself.
  public func openInvitations(
    to addresses: [String], in window: DateWindow, of selection: Selection = Selection(),
    now: Instant
  ) throws(CalendarError) -> [OpenInvitation] {
    let own = Set(addresses.map(\.asMailAddress))
    let occurrences = try occurrences(in: window, of: selection)
      .filter { $0.event.needsAnswers && ($0.finish > now || $0.begin >= now) }
      .sorted { ($0.begin, $0.event.title) < ($1.begin, $1.event.title) }
    var known: Set<EventReference> = []
    return occurrences.compactMap { occurrence in
      guard known.insert(occurrence.event.reference).inserted else { return nil }
      let details = details(of: occurrence.event)
      return details.unansweredInvitation(to: own).map {
        OpenInvitation(occurrence: occurrence, organizer: details.organizer, attendee: $0)
      }
    }
  }

  /// The events among these occurrences that have such an invitation.
  func unanswered(
    by addresses: [String], among occurrences: [Occurrence], now: Instant
  ) -> Set<EventReference> {
    let own = Set(addresses.map(\.asMailAddress))
    if own.isEmpty { return [] }
    var known: Set<EventReference> = []
    return Set(
      occurrences.lazy.filter {
        $0.event.needsAnswers && $0.finish > now && known.insert($0.event.reference).inserted
      }.map(\.event).filter { self.details(of: $0).unansweredInvitation(to: own) != nil }
        .map(\.reference))
  }

  /// The events among these occurrences that the user declined.
  package func declined(
    by addresses: [String], among occurrences: [Occurrence]
  ) -> Set<EventReference> {
    let own = Set(addresses.map(\.asMailAddress))
    if own.isEmpty { return [] }
    var known: Set<EventReference> = []
    return Set(
      occurrences.lazy.filter {
        $0.event.kind == .event && known.insert($0.event.reference).inserted
      }.map(\.event).filter { self.details(of: $0).isDeclined(by: own) }.map(\.reference))
  }
}
