public import CivilTime

extension ZoneDatabase {
  /// The zone of the user: that of the variable TZ, otherwise the system's. Your program passes the
  /// variable. With `AgendaKitFoundation`, `zone(TimeZone.current)` is the same.
  public func localZone(TZ: String?) throws(ZoneError) -> Zone {
    try LocalZone.resolve(TZ: TZ, database: self)
  }
}
