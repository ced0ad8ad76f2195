internal import Platform
internal import Synchronization

/// The time zones of a zoneinfo folder. A zone is read when it is first used, and the same name
/// always gives the same object.
public final class ZoneDatabase: Sendable {
  /// The path of the folder with the zone files.
  package let folder: String
  private let files: ZoneFolder
  private let known = Mutex(Known())

  private struct Known {
    /// Zones by the names that were looked up; `nil` for an unknown name.
    var zones: [String: Zone?] = [:]
    /// Zones whose clocks never change, by their offset.
    var fixed: [Int: Zone] = [:]
    /// Names of files by their lower-case form; `nil` until a name had to be searched.
    var spellings: [String: String]?
    /// Whether the file of a zone could not be read.
    var hasMissed = false
    /// The release of the folder once it was looked for, which it may not say.
    var version: String??
  }

  /// Distinct names that are remembered as standing for nothing.
  private static let mostUnknownNames = 20_000

  /// The folder of the system's time zones.
  package static let systemFolder = "/usr/share/zoneinfo"

  /// The zones of a folder. Nothing is read until a zone is used.
  package init(folder: String) {
    self.folder = folder
    files = ZoneFolder(path: folder)
  }

  /// The database of the folder in `TZDIR`, which is read as the C library reads it, otherwise that
  /// of the system.
  public static func system(TZDIR: String? = nil) -> ZoneDatabase {
    guard let TZDIR, !TZDIR.isEmpty else { return ZoneDatabase(folder: systemFolder) }
    return ZoneDatabase(folder: TZDIR)
  }

  /// The zone of an IANA name or alias, in any letter case; `nil` if the folder has none.
  ///
  /// It opens nothing for a name that is not a plain zone name (`../../../etc/passwd`), or that
  /// leads to anything but a regular file of the folder. `UTC` needs no folder.
  package func zone(named name: String) -> Zone? {
    if let remembered = known.withLock({ $0.zones[name] }) { return remembered }
    do {
      return remember(name, try findZone(named: name))
    } catch {
      // A file that cannot be read now is tried again.
      return error.isPassing ? nil : remember(name, nil)
    }
  }

  /// The zone of an IANA name or alias, in any letter case. Throws the reason if the folder does not
  /// have it.
  public func loadZone(named name: String) throws(ZoneError) -> Zone {
    if let zone = zone(named: name) { return zone }
    guard let zone = remember(name, try findZone(named: name)) else {
      throw ZoneError(.notFound(name, folder: folder))
    }
    return zone
  }

  /// The zone whose clocks never change, always the same object for an offset; `nil` for one that
  /// no zone can have.
  package func zone(fixedOffset: Int) -> Zone? {
    guard fixedOffset != 0 else { return .utc }
    guard let zone = Zone(name: FixedOffsetName.name(of: fixedOffset), fixedOffset: fixedOffset)
    else { return nil }
    return known.withLock { known in
      let kept = known.fixed[fixedOffset] ?? zone
      known.fixed[fixedOffset] = kept
      return kept
    }
  }

  /// Keeps the result of a search, and returns it. If another thread was faster, returns its result.
  private func remember(_ name: String, _ zone: Zone?) -> Zone? {
    known.withLock { known in
      if let first = known.zones[name] ?? nil { return first }
      guard let zone else {
        if known.zones.count < Self.mostUnknownNames { known.zones[name] = .some(nil) }
        return nil
      }
      let kept = (known.zones[zone.name] ?? nil) ?? zone
      known.zones[zone.name] = kept
      known.zones[name] = kept
      return kept
    }
  }

  private func findZone(named name: String) throws(ZoneError) -> Zone {
    if name == "UTC" { return .utc }
    let failure: ZoneError
    do {
      return try read(name)
    } catch {
      failure = error
    }
    guard case .notFound = failure.problem else { throw failure }
    let lowercased = name.lowercased()
    if lowercased == "utc" { return .utc }
    if let spelling = spelling(of: lowercased), spelling != name {
      return try read(spelling)
    }
    if let target = ZoneAliases.target(of: lowercased) {
      return try read(target)
    }
    throw failure
  }

  /// Whether a zone was not found only because its file could not be read at that moment. What follows
  /// from its absence is to be derived again.
  package var hasMissedZone: Bool { known.withLock { $0.hasMissed } }

  /// Before everything is derived again. Until then, what was derived without a zone is wrong, even if
  /// its file can be read now.
  package func forgetMissedZones() { known.withLock { $0.hasMissed = false } }

  private func read(_ name: String) throws(ZoneError) -> Zone {
    let bytes: [UInt8]
    do {
      bytes = try files.bytes(ofZone: name)
    } catch {
      if error.isPassing { known.withLock { $0.hasMissed = true } }
      throw error
    }
    do {
      return Zone(name: name, origin: .database, file: try ZoneFile(parsing: bytes))
    } catch {
      throw error.inFile(ofZone: name)
    }
  }

  private func spelling(of lowercased: String) -> String? {
    if let spellings = known.withLock({ $0.spellings }) { return spellings[lowercased] }
    var spellings: [String: String] = [:]
    for name in files.fileNames() {
      spellings[name.lowercased()] = name
    }
    known.withLock { $0.spellings = spellings }
    return spellings[lowercased]
  }

  func bytes(ofZone name: String) -> [UInt8]? {
    try? files.bytes(ofZone: name)
  }

  /// The names of all zones in the folder, sorted.
  public var names: [String] {
    files.fileNames().filter { name in
      (try? files.bytes(ofZone: name)).map { (try? ZoneFile(parsing: $0)) != nil } ?? false
    }.sorted()
  }

  /// The release of tzdata, such as `2026f`; `nil` if the folder does not contain it.
  package var version: String? {
    if let version = known.withLock({ $0.version }) { return version }
    let version = readVersion()
    known.withLock { $0.version = .some(version) }
    return version
  }

  private func readVersion() -> String? {
    // `# version 2026f` is what zic's own compact source begins with.
    if let line = files.firstLine(of: "tzdata.zi"), line.hasPrefix("# version ") {
      return String(line.dropFirst("# version ".count))
    }
    for file in ["+VERSION", "version"] {
      if let line = files.firstLine(of: file), !line.isEmpty { return line }
    }
    return nil
  }
}

extension ZoneError {
  /// What is wrong in the contents of a file, with the name of the zone.
  func inFile(ofZone name: String) -> ZoneError {
    ZoneError(.invalid("time zone \"\(name)\": \(self)"))
  }

  /// Whether the same file can be read later.
  fileprivate var isPassing: Bool {
    if case .unreadable(_, let code) = problem { SystemError(code: code).isPassing } else { false }
  }
}
