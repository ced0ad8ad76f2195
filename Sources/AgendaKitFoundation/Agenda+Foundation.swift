public import AgendaKit
public import Foundation

extension Agenda {
  /// Reads the JSON that `agenda show --format json` prints, or that `json()` made.
  public init(json: Data, zones: ZoneDatabase = .system(TZDIR: nil)) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[.agendaZones] = zones
    self = try decoder.decode(Agenda.self, from: json)
  }

  /// The document that Docs/Formats.md describes, with sorted keys. Use
  /// `Calendars.withDetails(_:)` first if it has to have descriptions and people.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
