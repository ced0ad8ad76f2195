internal import AgendaCore

/// What is wrong with events because of others with the same UID, in the same file or in another
/// one of the calendar.
extension CalendarFiles {
  mutating func findCommonProblems() {
    for (name, uids) in doubtfulUIDs() {
      let events = applied(
        to: files.filter { $0.name == name }.flatMap { $0.events(withUIDs: uids) })
      let assembly = SeriesAssembly(events) { content(of: $0.reference) }
      for (finding, reference) in assembly.problems {
        guard let place = fileIndex(of: reference),
          // What one file has several times is reported there, with all lines.
          finding.property != "UID"
            || !files[place].findings.contains(where: {
              $0.property == "UID" && $0.uid == finding.uid
            })
        else { continue }
        var finding = finding
        finding.line = files[place].line(ofComponent: component(of: reference).component)
        add(finding, toFile: place)
      }
    }
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
