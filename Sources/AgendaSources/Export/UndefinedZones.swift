internal import CivilTime
internal import ICalendar

/// TZIDs that are unknown in their file although another file of the export defines a zone with that
/// name. In one file they would mean that zone, so the export gives them another name, which is
/// unknown too.
struct UndefinedZones {
  private struct File: Hashable {
    let source: Int
    let document: Int

    init(_ object: ExportedCalendarObject) {
      source = object.place.source
      document = object.place.document
    }
  }

  private let names: ZoneNames
  /// In lower case, as definitions are found whatever their letter case is.
  private var defined: Set<String> = []
  /// Those of them that the zone database has, too.
  private var definedOfSystem: Set<String> = []

  /// Adds to each VCALENDAR the zones that its file defines.
  init(_ objects: inout [ExportedCalendarObject], names: ZoneNames) {
    self.names = names
    var zonesOfFile: [File: Set<String>] = [:]
    for object in objects {
      let zones = ExportedZones.names(definedIn: object.parts).map { $0.lowercased() }
      zonesOfFile[File(object), default: []].formUnion(zones)
      defined.formUnion(zones)
    }
    definedOfSystem = defined.filter { names.resolution(of: $0).zone != nil }
    for index in objects.indices {
      objects[index].zonesOfFile = zonesOfFile[File(objects[index])] ?? []
    }
  }

  /// The names that mean a zone of the database in a file that defines only `zones`, although another
  /// file defines them.
  func systemZones(besides zones: Set<String>) -> Set<String> { definedOfSystem.subtracting(zones) }

  /// `zones` are those that the file of a component defines.
  func rename(in lines: inout [[UInt8]], definedInFile zones: Set<String>) {
    if defined.isEmpty { return }
    for index in lines.indices {
      guard let name = lines[index].zoneName, isUndefined(name, zones) else { continue }
      var line = PropertyLine(lines[index])
      line["TZID"] = otherName(name)
      lines[index] = line.content
    }
  }

  private func isUndefined(_ name: String, _ zones: Set<String>) -> Bool {
    let lowercase = name.lowercased()
    return defined.contains(lowercase) && !zones.contains(lowercase)
      && names.resolution(of: name).zone == nil
  }

  private func otherName(_ name: String) -> String {
    var other = name
    repeat { other += " (undefined)" } while defined.contains(other.lowercased())
    return other
  }
}
