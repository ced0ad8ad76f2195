internal import ICalendar

/// VCALENDARs of a source that an export writes as one: those with the same properties whose
/// definitions of zones do not contradict each other. Many programs read only the first VCALENDAR of a
/// file, and a folder has one in each of its files.
struct JoinedCalendarObject {
  /// The first one, with the definitions and the other components of all.
  private(set) var object: ExportedCalendarObject
  /// The places of the components, by the zones that their files define.
  private(set) var parts: [Part]
  private var definitions: ZoneDefinitions?
  private var knownParts: Set<[UInt8]>

  struct Part {
    /// In lower case.
    let zonesOfFile: Set<String>
    var places: [ExportedCalendarObject.Place]
  }

  /// The definitions of one VCALENDAR by their names in lower case.
  private typealias ZoneDefinitions = [String: [UInt8]]

  private init(_ object: ExportedCalendarObject, _ definitions: ZoneDefinitions?) {
    self.object = object
    self.definitions = definitions
    parts = [Part(zonesOfFile: object.zonesOfFile, places: [object.place])]
    knownParts = Set(object.otherParts)
  }

  /// Joins VCALENDARs, in the order of the first one of each result.
  static func all(of objects: [ExportedCalendarObject]) -> [JoinedCalendarObject] {
    var joined: [JoinedCalendarObject] = []
    var indices: [Key: [Int]] = [:]
    for object in objects {
      let key = Key(object)
      let definitions = definitions(of: object)
      let candidates = indices[key, default: []].suffix(mostCompared)
      if let index = candidates.first(where: { joined[$0].canTake(object, definitions) }) {
        joined[index].take(object, definitions)
      } else {
        indices[key, default: []].append(joined.count)
        joined.append(JoinedCalendarObject(object, definitions))
      }
    }
    return joined
  }

  /// If many define a zone in different ways, only some are compared. Others stay apart.
  private static let mostCompared = 20

  /// What must be equal.
  private struct Key: Hashable {
    let source: Int
    let calendar: String
    let lines: [[UInt8]]
    let isAddition: Bool
    let isVersion1: Bool

    init(_ object: ExportedCalendarObject) {
      source = object.place.source
      calendar = object.calendar
      // Their order means nothing.
      lines = object.lines.sorted { $0.lexicographicallyPrecedes($1) }
      isAddition = object.isAddition
      isVersion1 = object.isVersion1
    }
  }

  /// `nil` if one name has several definitions, or if other VCALENDARs of the file define zones, too.
  private static func definitions(of object: ExportedCalendarObject) -> ZoneDefinitions? {
    var definitions: ZoneDefinitions = [:]
    for zone in object.zones {
      let names = ExportedZones.names(definedIn: [zone])
      guard names.count == 1, let name = names.first?.lowercased(), definitions[name] == nil else {
        return nil
      }
      definitions[name] = zone
    }
    return object.zonesOfFile.isSubset(of: definitions.keys) ? definitions : nil
  }

  private func canTake(
    _ other: ExportedCalendarObject, _ others: ZoneDefinitions?
  ) -> Bool {
    guard let definitions, let others else {
      return object.zones == other.zones && object.zonesOfFile == other.zonesOfFile
    }
    // Other programs would take a definition instead of the zone that the components mean.
    return other.systemZones.isDisjoint(with: definitions.keys)
      && others.allSatisfy { name, zone in
        definitions[name].map { $0 == zone } ?? !object.systemZones.contains(name)
      }
  }

  private mutating func take(_ other: ExportedCalendarObject, _ others: ZoneDefinitions?) {
    if definitions != nil, let others {
      let new = other.zones.filter { zone in
        others.contains { $0.value == zone && definitions?[$0.key] == nil }
      }
      object.zones += new
      definitions?.merge(others) { own, _ in own }
    }
    object.systemZones.formUnion(other.systemZones)
    object.otherParts += other.otherParts.filter { !knownParts.contains($0) }
    knownParts.formUnion(other.otherParts)
    object.hasOwnLines = object.hasOwnLines || other.hasOwnLines
    if let index = parts.firstIndex(where: { $0.zonesOfFile == other.zonesOfFile }) {
      parts[index].places.append(other.place)
    } else {
      parts.append(Part(zonesOfFile: other.zonesOfFile, places: [other.place]))
    }
  }
}
