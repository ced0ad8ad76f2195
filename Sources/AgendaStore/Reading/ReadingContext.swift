internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Values that rows share: the zones of a store, each looked up for the first row that names it,
/// and the rules, each parsed once, because most series have one of a few rules.
final class ReadingContext {
  private let connection: Connection
  let database: ZoneDatabase
  private var zones: [Int: Zone?] = [0: Zone.utc]
  /// The zone of the previous call: rows often follow each other in the same zone.
  private var last: (id: Int, zone: Zone?) = (0, Zone.utc)
  private var parsedRules: [String: [Rule]] = [:]

  private static let mostParsedRules = 4096

  init(_ connection: Connection, database: ZoneDatabase) {
    self.connection = connection
    self.database = database
  }

  /// `nil` for a zone that neither the store nor the system's database has.
  func zone(_ id: Int) -> Zone? {
    if last.id == id { return last.zone }
    let zone: Zone?
    if let known = zones[id] {
      zone = known
    } else {
      zone = try? loaded(id)
      zones[id] = .some(zone)
    }
    last = (id, zone)
    return zone
  }

  private func loaded(_ id: Int) throws(StoreError) -> Zone? {
    let row = try connection.statement(
      "SELECT name, origin, definition FROM zone WHERE id = ?1", id)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return StoredZone.zone(
      name: row.text("name"), origin: row.integer("origin"),
      definition: row.optionalBytes("definition"), database: database)
  }

  /// The rules in a column; `nil` if they cannot be parsed.
  func rules(_ text: String?) -> [Rule]? {
    guard let text, !text.isEmpty else { return [] }
    if let known = parsedRules[text] { return known }
    guard let rules = StoredRecurrence.rules(text) else { return nil }
    if parsedRules.count < Self.mostParsedRules { parsedRules[text] = rules }
    return rules
  }
}
