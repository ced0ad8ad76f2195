/// The zones of the TZIDs of one file: by name, otherwise by the VTIMEZONEs of the file.
///
/// Where the name is known, the VTIMEZONE of that name is not used: exports carry years-old rules.
/// A name with a number after it, such as `Eastern Standard Time 1`, is that of the VTIMEZONE, and so
/// is one without daylight time, such as `GMT` or `EST`, if the VTIMEZONE has daylight time.
public struct ZoneResolver {
  public let names: ZoneNames
  private var definitions: [String: Definition] = [:]
  private var known: [String: ZoneResolution] = [:]
  /// Most events of a file name the zone that the one before them did.
  private var lastTZID: [UInt8] = []
  private var lastResolution = ZoneResolution.unresolved

  /// The parts of a VTIMEZONE apart from its TZID.
  public struct Definition: Sendable {
    /// X-LIC-LOCATION.
    public var location: String?
    /// The zone of its observances, made only if the TZID is otherwise unknown.
    public var zone: @Sendable () -> Zone?

    public init(location: String?, zone: @escaping @Sendable () -> Zone?) {
      self.location = location
      self.zone = zone
    }
  }

  public init(names: ZoneNames) {
    self.names = names
  }

  /// Makes a VTIMEZONE of the file known; the first one of a TZID counts.
  public mutating func define(_ TZID: String, _ definition: Definition) {
    guard definitions[TZID] == nil else { return }
    definitions[TZID] = definition
    known[TZID] = nil
    lastTZID = []
  }

  public mutating func resolution(of TZID: String) -> ZoneResolution {
    if let found = known[TZID] { return found }
    let found = find(TZID)
    known[TZID] = found
    return found
  }

  /// The same for the bytes of a parameter, without making a text of them for each event.
  @inlinable
  public mutating func resolution(ofBytes TZID: some Collection<UInt8>) -> ZoneResolution {
    let found = TZID.withContiguousStorageIfAvailable { resolution(of: $0) }
    return found ?? resolution(of: String(decoding: TZID, as: UTF8.self))
  }

  public mutating func resolution(of TZID: UnsafeBufferPointer<UInt8>) -> ZoneResolution {
    let isLast = lastTZID.withUnsafeBufferPointer { last in
      !last.isEmpty && last.count == TZID.count && last.elementsEqual(TZID)
    }
    if isLast { return lastResolution }
    let found = resolution(of: String(decoding: TZID, as: UTF8.self))
    lastTZID = Array(TZID)
    lastResolution = found
    return found
  }

  private func find(_ TZID: String) -> ZoneResolution {
    let byName = names.resolution(of: TZID)
    guard let definition = definitions[TZID],
      byName.zone == nil || names.yieldsToDefinition(TZID)
    else { return byName }
    let isOfFixedTime = names.isOfFixedTime(TZID)
    if let location = definition.location, !isOfFixedTime || !names.isOfFixedTime(location),
      let zone = names.resolution(of: location).zone
    {
      return ZoneResolution(zone: zone, source: .location(location))
    }
    if let zone = definition.zone(), !isOfFixedTime || zone.hasDaylight {
      return ZoneResolution(zone: zone, source: .definition)
    }
    return byName
  }
}
