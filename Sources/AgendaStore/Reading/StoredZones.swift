internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The zones of a store, each looked up when a row first names it.
final class StoredZones {
  private let connection: Connection
  private let database: ZoneDatabase
  private var zones: [Int: Zone?] = [0: Zone.utc]

  init(_ connection: Connection, database: ZoneDatabase) {
    self.connection = connection
    self.database = database
  }

  /// `nil` for a zone that is neither in the store nor in the system's database any more.
  func zone(_ id: Int) -> Zone? {
    if let known = zones[id] { return known }
    let zone = try? loaded(id)
    zones[id] = .some(zone)
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
}
