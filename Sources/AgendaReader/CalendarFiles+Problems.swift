internal import AgendaCore

/// Problems of events that depend on other events with the same UID, in the same file or in another
/// one of the calendar.
extension CalendarFiles {
  mutating func findCommonProblems() {
    for (name, uids) in doubtfulUIDs() {
      let events = applied(
        to: files.filter { $0.name == name }.flatMap { $0.events(withUIDs: uids) })
      let assembly = SeriesAssembly(events) { content(of: $0) }
      let eventOf = Dictionary(events.map { ($0.reference, $0) }) { first, _ in first }
      for (finding, references) in assembly.problems {
        guard let first = references.first, let place = fileIndex(of: first) else { continue }
        var finding = finding
        // Problems of different events within one file are reported there.
        if finding.isAboutSharedUID || finding.isAboutReplacedEvents,
          references.allSatisfy({ fileIndex(of: $0) == place })
        {
          continue
        }
        if let event = eventOf[first] {
          finding = SeriesAssembly.finding(
            finding, about: event, places: references.compactMap(name(of:)))
        }
        finding.line = files[place].line(ofComponent: component(of: first).component)
        add(finding, toFile: place)
      }
      correctFindings(ofFilesNamed: name, assembly, events)
    }
  }

  /// What one file says about its versions can be wrong for all files.
  private mutating func correctFindings(
    ofFilesNamed name: String, _ assembly: SeriesAssembly, _ events: [Event]
  ) {
    let uids = Set(events.map(\.identity.uid))
    for (place, file) in files.enumerated() where file.name == name {
      for finding in file.findings where finding.dependsOnVersions {
        guard let uid = finding.uid, uids.contains(uid) else { continue }
        let corrected = assembly.finding(finding, of: events) { fileIndex(of: $0) == place }
        if corrected != finding { correct(finding, to: corrected, ofFile: place) }
      }
    }
  }

  /// `a.ics:12`
  private func name(of reference: EventReference) -> String? {
    guard let place = fileIndex(of: reference) else { return nil }
    let line = files[place].line(ofComponent: component(of: reference).component)
    return names[place] + (line.map { ":\($0)" } ?? "")
  }

  /// By the names of the calendars, the UIDs of which an override is older than its master or
  /// replaces a midnight, of which several files have a master, or of which a file misses it. Only
  /// these are decoded.
  private func doubtfulUIDs() -> [(name: String, uids: Set<UInt64>)] {
    var byName: [String: [CalendarFile]] = [:]
    for file in files { byName[file.name, default: []].append(file) }
    return byName.sorted { $0.key < $1.key }.compactMap { name, files in
      var uids = Self.staleUIDs(of: files)
      for file in files {
        uids.formUnion(file.stubs.lazy.filter(\.replacesMidnight).map(\.uidDigest))
      }
      if files.count > 1 {
        uids.formUnion(Self.sharedUIDs(of: files))
        uids.formUnion(files.lazy.flatMap(\.uidsOfMissingSeries))
      }
      return uids.isEmpty ? nil : (name, uids)
    }
  }

  private static func staleUIDs(of files: [CalendarFile]) -> Set<UInt64> {
    var lowest: [UInt64: Int] = [:]
    for file in files {
      for stub in file.stubs where stub.isOverride {
        lowest[stub.uidDigest] = min(lowest[stub.uidDigest] ?? .max, stub.sequence)
      }
    }
    var uids: Set<UInt64> = []
    if lowest.isEmpty { return uids }
    for file in files {
      for stub in file.stubs where !stub.isOverride && stub.sequence > 0 {
        if let sequence = lowest[stub.uidDigest], sequence < stub.sequence {
          uids.insert(stub.uidDigest)
        }
      }
    }
    return uids
  }

  private static func sharedUIDs(of files: [CalendarFile]) -> Set<UInt64> {
    var fileOfUID: [UInt64: Int] = [:]
    var uids: Set<UInt64> = []
    for (index, file) in files.enumerated() {
      for stub in file.stubs where !stub.isOverride {
        let known = fileOfUID.updateValue(index, forKey: stub.uidDigest)
        if let known, known != index { uids.insert(stub.uidDigest) }
      }
    }
    return uids
  }
}

extension CalendarFile {
  /// The UIDs of overrides with a rule, if the file has no master for some of them.
  fileprivate var uidsOfMissingSeries: Set<UInt64> {
    guard findings.contains(where: \.isAboutMissingSeries) else { return [] }
    return Set(stubs.lazy.filter { $0.isOverride && $0.mayHaveProblems }.map(\.uidDigest))
  }
}
