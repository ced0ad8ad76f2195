internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// What rows share: the zones of a store, each looked up when a row first names it, and its
/// rules, each parsed once, as most series follow one of a few.
final class ReadingContext {
  private let connection: Connection
  let database: ZoneDatabase
  private var zones: [Int: Zone?] = [0: Zone.utc]
  /// The one that was asked for last.
  private var last: (id: Int, zone: Zone?) = (0, Zone.utc)
  private var parsedRules: [String: [Rule]] = [:]

  private static let mostParsedRules = 4096

  init(_ connection: Connection, database: ZoneDatabase) {
    self.connection = connection
    self.database = database
  }

  /// `nil` for a zone that is neither in the store nor in the system's database any more.
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
    let statement = try connection.statement(
      "SELECT name, origin, definition FROM zone WHERE id = ?1")
    statement.bind(1, id)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return StoredZone.zone(
      name: statement.text(0), origin: statement.integer(1), definition: statement.bytesIfAny(2),
      database: database)
  }

  /// The rules of a column; `nil` where it holds none that can be read.
  func rules(_ text: String?) -> [Rule]? {
    guard let text, !text.isEmpty else { return [] }
    if let known = parsedRules[text] { return known }
    guard let rules = StoredRecurrence.rules(text) else { return nil }
    if parsedRules.count < Self.mostParsedRules { parsedRules[text] = rules }
    return rules
  }
}
