package import AgendaCore
internal import ICalendar

/// What an occurrence that a message cancels takes from its series, as far as the message leaves it
/// out: its times, its place and its people.
package struct CancellationBase: Sendable {
  /// The details of the series.
  let details: EventDetails
  private let times: OverrideText
  private let length: [[UInt8]]
  private let place: [[UInt8]]
  private let organizer: [[UInt8]]
  private let attendees: [[UInt8]]

  package init(series: Event, details: EventDetails, text: [UInt8]) {
    self.details = details
    times = OverrideText(series: series, text: text)
    let component = ComponentText(text)
    length = component.own("DURATION").map(\.content)
    place = component.own("LOCATION").map(\.content)
    organizer = component.own("ORGANIZER").map(\.content)
    attendees = component.own("ATTENDEE").map(\.content)
  }

  /// The text of the cancelled override. `details` are those of the override.
  package func text(
    of override: Event, _ details: EventDetails, cancellation text: [UInt8]
  ) -> [UInt8] {
    let component = ComponentText(text)
    var added: [[UInt8]] = []
    let hasStart = !component.own("DTSTART").isEmpty
    let hasLength = !component.own("DTEND").isEmpty || !component.own("DURATION").isEmpty
    for line in times.lines(of: override) {
      switch PropertyLine(line).name {
      case "DTSTART": if !hasStart { added.append(line) }
      case "DTEND": if !hasLength { added.append(line) }
      case "DUE": if component.own("DUE").isEmpty { added.append(line) }
      default: break
      }
    }
    if !hasLength { added += length }
    if component.own("LOCATION").isEmpty, override.location != nil { added += place }
    if component.own("ORGANIZER").isEmpty, details.organizer != nil { added += organizer }
    if component.own("ATTENDEE").isEmpty, !details.attendees.isEmpty { added += attendees }
    return CancelledText.bytes(
      of: component.replacing([], with: added), title: override.title)
  }
}
