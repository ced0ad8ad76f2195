public import AgendaCore
internal import CivilTime
internal import Recurrence

// Agendas, sections, entries and occurrences as the JSON that Docs/Formats.md describes, with the keys
// of `JSONFormat`. Details are those of the event itself (`Event.ownDetails`):
// `Calendars.withDetails(_:)` adds those of files and of the store.

/// Decoding needs the rules of zones. These keys of `Decoder.userInfo` provide them.
extension CodingUserInfoKey {
  /// A `ZoneDatabase`; the system's if the key is missing.
  public static let agendaZones = CodingUserInfoKey(name: "agenda.zones")

  /// The viewer's `Zone` for a section, entry or occurrence that is decoded alone. Without it, the
  /// offset of the first start is used. An agenda names its zone itself.
  public static let agendaViewer = CodingUserInfoKey(name: "agenda.viewer")

  private init(name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      // The initializer of the standard library never fails.
      preconditionFailure("no key \(name)")
    }
    self = key
  }
}

extension ZoneDatabase {
  /// The system's database, read once for all decoding.
  static let shared = ZoneDatabase.system(TZDIR: nil)
}

extension Decoder {
  var zones: ZoneDatabase { userInfo[.agendaZones] as? ZoneDatabase ?? .shared }
  fileprivate var viewer: Zone? { userInfo[.agendaViewer] as? Zone }
}

extension Agenda: Codable {
  /// The entries are listed as they are read, so `options` contains only the key of the grouping.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    let version = try object.decode(Int.self, forKey: .version)
    guard version == 1 else { throw object.corrupted(.version, "\(version)") }
    let span = try object.nestedContainer(keyedBy: JSONKey.self, forKey: .window)
    let name = try span.decode(String.self, forKey: .timeZone)
    guard let zone = try? LocalZone.resolve(TZ: name, database: decoder.zones) else {
      throw span.corrupted(.timeZone, name)
    }
    let (start, end) = (
      try span.decode(String.self, forKey: .start), try span.decode(String.self, forKey: .end)
    )
    guard let first = Instant(rfc3339: start), let after = Instant(rfc3339: end),
      let window = DateWindow(
        firstDay: zone.day(holding: first), dayAfterLast: zone.day(holding: after), zone: zone)
    else { throw span.corrupted(.start, "\(start) to \(end)") }
    let key = try object.decode(keyword: SectionKey.self, forKey: .groupedBy)
    let records = try object.decode([SectionRecord].self, forKey: .sections)
    self.init(
      groupedBy: key, in: window,
      warnings: try object.decodeIfPresent([SourceFinding].self, forKey: .warnings) ?? [],
      try records.map { record in
        guard let value = SectionValue(id: record.id, groupedBy: key) else {
          throw object.corrupted(.sections, record.id)
        }
        return try record.section(value, in: window, zones: decoder.zones)
      })
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(1, forKey: .version)
    var span = object.nestedContainer(keyedBy: JSONKey.self, forKey: .window)
    try span.encode(window.start.rfc3339(in: window.zone), forKey: .start)
    try span.encode(window.end.rfc3339(in: window.zone), forKey: .end)
    try span.encode(window.zone.name, forKey: .timeZone)
    try object.encode(options.groupedBy.rawValue, forKey: .groupedBy)
    try object.encode(sections, forKey: .sections)
    try object.encode(warnings, forKey: .warnings)
  }
}

extension AgendaSection: Codable {
  /// The JSON of a section does not contain the key of the grouping. Its id shows whether it is a day,
  /// a week, a month, a year or a name.
  public init(from decoder: any Decoder) throws {
    let record = try SectionRecord(from: decoder)
    guard let entry = record.entries.first else {
      throw try decoder.container(keyedBy: JSONKey.self).corrupted(.entries, "[]")
    }
    let viewer = decoder.viewer ?? entry.viewer
    let key = record.likelyKey
    let value = SectionValue(id: record.id, groupedBy: key) ?? .missing
    let days = try record.entries.compactMap { entry in
      let occurrence = try entry.occurrence(viewer: viewer, zones: decoder.zones)
      return entry.firstListedDay(occurrence, viewer: viewer)
    }
    let window = DateWindow.holding(days, zone: viewer)
    let agenda = Agenda(
      groupedBy: key, in: window,
      [try record.section(value, in: window, zones: decoder.zones)])
    self = agenda.sections[0].at(entry.place?.path?.section ?? 0)
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(id.description, forKey: .id)
    try object.encode(title, forKey: .title)
    try object.encode(indexTitle, forKey: .indexTitle)
    try object.encode(
      entries.enumerated().map { PlacedEntry($1, at: EntryPath(section: index, entry: $0)) },
      forKey: .entries)
  }
}

extension Entry: Codable {
  /// The entry of an agenda of one day. An entry alone has no index path.
  public init(from decoder: any Decoder) throws {
    let record = try EntryRecord(from: decoder)
    let viewer = decoder.viewer ?? record.viewer
    let occurrence = try record.occurrence(viewer: viewer, zones: decoder.zones)
    let day = record.firstListedDay(occurrence, viewer: viewer)
    let agenda = Agenda(
      groupedBy: .day, in: .holding(day.map { [$0] } ?? [], zone: viewer),
      [
        ListedSection(
          day.map { .day($0) } ?? .missing, title: "", indexTitle: "", [.init(occurrence)])
      ])
    self = agenda.sections[0].entries[0]
  }

  public func encode(to encoder: any Encoder) throws {
    try PlacedEntry(self, at: nil).encode(to: encoder)
  }
}

/// An entry at its position in an agenda; an entry alone has none.
private struct PlacedEntry: Encodable {
  let entry: Entry
  let path: EntryPath?

  init(_ entry: Entry, at path: EntryPath?) {
    self.entry = entry
    self.path = path
  }

  func encode(to encoder: any Encoder) throws {
    var context = FieldContext(zone: entry.viewer)
    context.path = path
    context.day = entry.day
    context.days = entry.days
    let fields = EntryField.keys.filter {
      $0.owner < .listing && ($0.owner != .place || path != nil)
    }
    try entry.occurrence.encode(fields, context, to: encoder)
  }
}

/// An entry without the keys that depend on an agenda: `indexPath`, `day` and `days`.
extension Occurrence: Codable {
  public init(from decoder: any Decoder) throws {
    let record = try EntryRecord(from: decoder)
    self = try record.occurrence(
      viewer: decoder.viewer ?? record.viewer, zones: decoder.zones)
  }

  public func encode(to encoder: any Encoder) throws {
    let fields = EntryField.keys.filter { $0.owner < .entry && $0.name != EntryField.days.name }
    try encode(fields, FieldContext(zone: ownZone), to: encoder)
  }

  /// The event's zone; for a floating time, a zone with the offset for the viewer.
  private var ownZone: Zone {
    guard case .floating(let civil) = start else { return start.zone ?? .utc }
    let offset = Instant(utc: civil).secondsSinceEpoch - begin.secondsSinceEpoch
    return ZoneDatabase.shared.zone(fixedOffset: offset) ?? .utc
  }
}

/// The JSON of a section.
private struct SectionRecord: Decodable {
  let id: String
  let title: String
  let indexTitle: String
  let entries: [EntryRecord]

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    id = try object.decode(String.self, forKey: .id)
    title = try object.decode(String.self, forKey: .title)
    indexTitle = try object.decode(String.self, forKey: .indexTitle)
    entries = try object.decode([EntryRecord].self, forKey: .entries)
  }

  /// The key under which the id could be that of a section.
  var likelyKey: SectionKey {
    let keys: [SectionKey] = [.day, .week, .month, .year, .status]
    return keys.first { key in
      switch SectionValue(id: id, groupedBy: key) {
      case nil, .name?, .missing?: false
      default: true
      }
    } ?? .calendar
  }

  func section(
    _ value: SectionValue, in window: DateWindow, zones: ZoneDatabase
  ) throws -> ListedSection {
    ListedSection(
      value, title: title, indexTitle: indexTitle,
      try entries.map { entry in
        var occurrence = try entry.occurrence(viewer: window.zone, zones: zones)
        guard let day = entry.firstListedDay(occurrence, viewer: window.zone) else {
          return ListedSection.Member(occurrence)
        }
        guard occurrence.event.kind == .task else {
          // A section of a program can have any day of an entry.
          if case .name = value, entry.place?.day != 1 {
            return ListedSection.Member(occurrence, on: day)
          }
          return ListedSection.Member(occurrence)
        }
        // An overdue task is listed today, not when it was due.
        if case .day(let date) = value {
          if day != date { occurrence.listing = .on(date) }
        } else if day < window.firstDay {
          occurrence.listing = .on(window.firstDay)
        }
        return ListedSection.Member(occurrence)
      }
    )
  }
}

extension DateWindow {
  /// From the first to the last of these days; without days, the last day of the calendar.
  fileprivate static func holding(_ days: [CivilDate], zone: Zone) -> DateWindow {
    let first = days.min() ?? .last
    let after = days.max()?.adding(days: 1) ?? .afterLast
    return DateWindow(firstDay: first, dayAfterLast: after, zone: zone)
      ?? DateWindow(from: first, zone: zone)
  }
}
