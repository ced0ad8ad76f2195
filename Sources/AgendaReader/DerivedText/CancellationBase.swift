package import AgendaCore
internal import ICalendar

/// What an occurrence that a message cancels takes from its series, as far as the message leaves it
/// out: its times, its place and its people.
package struct CancellationBase: Sendable {
  /// The details of the series.
  let details: EventDetails
  private let times: OverrideText
  private let place: [[UInt8]]
  private let organizer: [[UInt8]]
  private let attendees: [[UInt8]]

  private static let timeNames: [StaticString] = [
    "DTSTART", "DTEND", "DURATION", "DUE", "RECURRENCE-ID",
  ]

  package init(series: Event, details: EventDetails, text: [UInt8]) {
    self.details = details
    times = OverrideText(series: series, text: text)
    let component = ComponentText(text)
    place = component.own("LOCATION").map(\.content)
    organizer = component.own("ORGANIZER").map(\.content)
    attendees = component.own("ATTENDEE").map(\.content)
  }

  /// The text of the cancelled override. `details` are those of the override.
  package func text(
    of override: Event, _ details: EventDetails, cancellation text: [UInt8]
  ) -> [UInt8] {
    let component = ComponentText(text)
    let lines = times.lines(of: override)
    var added = lines.filter { OverrideText.name(of: $0).hasValue }
    let names = Set(lines.map { OverrideText.name(of: $0).name })
    let replaced = Self.timeNames.filter { names.contains("\($0)") }.flatMap(component.own)
    if component.own("LOCATION").isEmpty, override.location != nil { added += place }
    if component.own("ORGANIZER").isEmpty, details.organizer != nil { added += organizer }
    if component.own("ATTENDEE").isEmpty, !details.attendees.isEmpty { added += attendees }
    return CancelledText.bytes(
      of: component.replacing(replaced, with: added), title: override.title)
  }
}
