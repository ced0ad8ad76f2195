/// Finds the time zone of the user in the same way as the C library.
public enum LocalZone {
  /// The zone of `TZ`, otherwise of `/etc/localtime`; UTC if there is neither.
  ///
  /// `TZ` may hold a name (`Europe/Berlin`), a path (`:/etc/localtime`), or a rule
  /// (`CET-1CEST,M3.5.0,M10.5.0/3`). An empty one, or `:` alone, is UTC. A zone of the database keeps its IANA
  /// name whichever way it was named.
  public static func resolve(
    TZ: String?, localtimePath: String = "/etc/localtime",
    timezonePath: String = "/etc/timezone", database: ZoneDatabase
  ) throws(ZoneError) -> Zone {
    guard let TZ else {
      return try zone(
        ofFile: localtimePath, timezonePath: timezonePath, database: database, isRequired: false)
    }
    let text = TZ.hasPrefix(":") ? String(TZ.dropFirst()) : TZ
    guard !text.isEmpty else { return .utc }
    if text.hasPrefix("/") {
      return try zone(
        ofFile: text, timezonePath: text == localtimePath ? timezonePath : nil,
        database: database, isRequired: true)
    }
    let failure: ZoneError
    do {
      return try database.loadZone(named: text)
    } catch {
      failure = error
    }
    switch failure.problem {
    case .notAName, .notFound: break
    default: throw failure
    }
    do {
      return Zone(name: text, footer: try ZoneFooter(parsing: text))
    } catch {
      // What looks like a name is answered as one.
      let looksLikeRule =
        text.contains { ",<".contains($0) }
        || !text.contains("/") && text.contains(where: \.isNumber)
      guard looksLikeRule else { throw failure }
      throw ZoneError(.invalid("expected a time zone or a TZ rule, got \"\(text)\": \(error)"))
    }
  }

  private static func zone(
    ofFile path: String, timezonePath: String?, database: ZoneDatabase, isRequired: Bool
  ) throws(ZoneError) -> Zone {
    let target = ZoneFolder.target(ofLink: path)
    for place in [path, target].compactMap({ $0 }) {
      if let name = name(inPath: place, database: database),
        let zone = database.zone(named: name)
      {
        return zone
      }
    }
    let bytes: [UInt8]
    do {
      bytes = try ZoneFolder.bytes(ofFile: path)
    } catch {
      if case .unreadable = error.problem, !isRequired { return .utc }
      throw error
    }
    // A copy instead of a link: a separate file has its name, unless that file is stale.
    if let timezonePath, let line = try? ZoneFolder.bytes(ofFile: timezonePath) {
      let name = String(decoding: line.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
      if database.bytes(ofZone: name) == bytes, let zone = database.zone(named: name) {
        return zone
      }
    }
    let found = target.flatMap { name(inPath: $0, database: database) }
    do {
      return Zone(
        name: found ?? path, origin: .database, file: try ZoneFile(parsing: bytes))
    } catch {
      throw error.inFile(ofZone: path)
    }
  }

  /// `Europe/Berlin` of `/usr/share/zoneinfo/Europe/Berlin`.
  private static func name(inPath path: String, database: ZoneDatabase) -> String? {
    if path.hasPrefix(database.folder + "/") {
      let name = path.dropFirst(database.folder.count + 1)
      if ZoneFolder.isName(String(name)) { return String(name) }
    }
    let marker = "/zoneinfo/"
    let bytes = Array(path.utf8)
    let wanted = Array(marker.utf8)
    guard bytes.count > wanted.count else { return nil }
    for start in (0...(bytes.count - wanted.count)).reversed()
    where bytes[start..<start + wanted.count].elementsEqual(wanted) {
      let name = String(decoding: bytes[(start + wanted.count)...], as: UTF8.self)
      return ZoneFolder.isName(name) ? name : nil
    }
    return nil
  }
}
