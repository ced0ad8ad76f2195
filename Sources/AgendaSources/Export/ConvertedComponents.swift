internal import AgendaCore
internal import AgendaReader

/// Components of vCalendar 1.0 as iCalendar 2.0, with the definitions of the zones that no name stands
/// for.
struct ConvertedComponents {
  /// The content lines without folds.
  private(set) var lines: [EventReference: [[UInt8]]] = [:]
  private(set) var zoneNames: Set<String> = []
  private(set) var definitions: [[UInt8]] = []

  /// Adds a component and returns its lines.
  @discardableResult
  mutating func add(
    _ text: [UInt8], as reference: EventReference, _ event: Event, _ details: EventDetails
  ) -> [[UInt8]] {
    let component = ConvertedComponent(text, event: event, details: details)
    lines[reference] = component.lines
    for zone in component.zones where zoneNames.insert(zone.name).inserted {
      definitions.append(ExportedZones.newDefinition(of: zone, as: zone.name))
    }
    return component.lines
  }
}
