internal import AgendaCore
internal import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar
internal import Platform

/// What the store derives from the text of components: where they are in time, and their words. It can
/// be made again at any time.
package struct StoreIndex {
  private let reader: StoreReader

  package init(_ store: Store, zones: ZoneDatabase) {
    reader = StoreReader(store, zones: zones)
  }

  /// Identifies what an index is derived with: this version of agenda and the rules of the time zones.
  /// One that lacks a zone is never current: the next command, which may be able to read the zone, makes
  /// it again.
  private static func interpretation(zones: ZoneDatabase, lacksZone: Bool) -> Int {
    var digest = StableDigest()
    digest.add(agendaVersion)
    digest.add(ComponentIndex.version)
    digest.add(zones.version ?? "")
    if lacksZone { digest.add(1) }
    return Int(truncatingIfNeeded: digest.value)
  }

  /// The same for an index that was derived until now.
  fileprivate static func interpretation(zones: ZoneDatabase) -> Int {
    interpretation(zones: zones, lacksZone: zones.hasMissedZone)
  }

  /// Whether the index is that of this version of agenda. A store without components has none.
  package static func isCurrent(_ store: Store, zones: ZoneDatabase) throws(StoreError) -> Bool {
    let current = interpretation(zones: zones, lacksZone: false)
    if try store.interpretation() == current { return true }
    return try !store.hasComponents()
  }

  /// Makes the index of another version of agenda again.
  package static func update(_ store: Store, zones: ZoneDatabase) throws(StoreError) {
    if try !isCurrent(store, zones: zones) { try StoreIndex(store, zones: zones).rebuild() }
  }

  /// Makes the whole index again.
  package func rebuild() throws(StoreError) {
    reader.zones.forgetMissedZones()
    try reader.store.rebuild(
      derivedColumns: { components throws(StoreError) in try columns(of: components) },
      interpretation: { Self.interpretation(zones: reader.zones) })
  }

  /// The result of `doctor`'s checks.
  package func health() throws(StoreError) -> StoreHealth {
    guard try Self.isCurrent(reader.store, zones: reader.zones) else {
      return try reader.store.health { _ throws(StoreError) in [:] }
    }
    return try reader.store.health(
      derivedColumns: { components throws(StoreError) in try columns(of: components) })
  }

  private func columns(
    of components: [StoredComponent]
  ) throws(StoreError) -> [Int: IndexColumns] {
    var columns: [Int: IndexColumns] = [:]
    for file in try reader.files(components).files {
      file.forEachEventWithDetails(in: 0..<file.eventCount, timesOnly: true) {
        event, details, _, _ in
        columns[event.reference.component] = ComponentIndex.columns(of: event, details)
      }
    }
    try Self.checkMemory(reader.store)
    return columns
  }

  /// Throws if libical lacked memory for a value: what follows from it is wrong.
  fileprivate static func checkMemory(_ store: Store) throws(StoreError) {
    guard Libical.takeLackOfMemory() else { return }
    throw .noMemory(path: store.path)
  }
}

extension StoreChange {
  /// Notes what the index is derived with, before the commit: of the first components, and if a zone
  /// could not be read. Throws if there was too little memory.
  func noteInterpretation(zones: ZoneDatabase) throws(StoreError) {
    try StoreIndex.checkMemory(store)
    try write(
      interpretation: StoreIndex.interpretation(zones: zones), ifEmpty: !zones.hasMissedZone)
  }
}
