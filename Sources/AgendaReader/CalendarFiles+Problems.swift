internal import AgendaCore

/// What is wrong with events because of others with the same UID, in the same file or in another
/// one of the calendar.
extension CalendarFiles {
  mutating func findCommonProblems() {
    for (name, uids) in doubtfulUIDs() {
      let events = applied(
        to: files.filter { $0.name == name }.flatMap { $0.events(withUIDs: uids) })
      let assembly = SeriesAssembly(events) { content(of: $0.reference) }
      let eventOf = Dictionary(events.map { ($0.reference, $0) }) { first, _ in first }
      for (finding, references) in assembly.problems {
        guard let first = references.first, let place = fileIndex(of: first) else { continue }
        var finding = finding
        if finding.property == "UID", let event = eventOf[first] {
          // What one file has several times is reported there.
          guard references.contains(where: { fileIndex(of: $0) != place }) else { continue }
          finding = SeriesAssembly.finding(
            sharedBy: event, places: references.compactMap(name(of:)))
        }
        finding.line = files[place].line(ofComponent: component(of: first).component)
        add(finding, toFile: place)
      }
    }
  }

  /// `a.ics:12`
  private func name(of reference: EventReference) -> String? {
    guard let place = fileIndex(of: reference) else { return nil }
    let line = files[place].line(ofComponent: component(of: reference).component)
    return names[place] + (line.map { ":\($0)" } ?? "")
  }

  /// By the names of the calendars, the UIDs of which an override is older than its master, or of
  /// which several files have a master. Only these are decoded.
  private func doubtfulUIDs() -> [(name: String, uids: Set<UInt64>)] {
    var byName: [String: [CalendarFile]] = [:]
    for file in files { byName[file.name, default: []].append(file) }
    return byName.sorted { $0.key < $1.key }.compactMap { name, files in
      let uids = Self.staleUIDs(of: files).union(files.count > 1 ? Self.sharedUIDs(of: files) : [])
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
