internal import AgendaStore
internal import CivilTime
internal import Recurrence

/// Writes the values of events one after the other.
struct ListingWriter {
  private var writer: PackedBytesWriter
  private var zones: [Zone: Int] = [:]

  init(capacity: Int) { writer = PackedBytesWriter(capacity: capacity) }

  var bytes: [UInt8] { writer.bytes }

  mutating func add(_ number: Int) { writer.add(number) }
  mutating func add(_ text: String) { writer.add(text) }
  mutating func add(_ text: String?) { writer.add(text) }

  mutating func add(_ rules: [Rule]) {
    writer.add(rules.count)
    for rule in rules { writer.add(rule.description) }
  }

  mutating func add(_ time: EventTime?) {
    writer.add(time == nil ? 0 : 1)
    if let time { add(time) }
  }

  mutating func add(_ time: EventTime) {
    writer.add(TimeForm(time).rawValue)
    switch time {
    case .date(let date): writer.add(Int(date.dayNumber))
    case .floating(let civil), .utc(let civil): writer.add(civil.civilSeconds)
    case .zoned(let civil, let zone):
      writer.add(civil.civilSeconds)
      add(zone)
    }
  }

  mutating func add(_ extent: Extent) {
    switch extent {
    case .unstated: writer.add(ExtentForm.none.rawValue)
    case .end(let time):
      writer.add(ExtentForm.end.rawValue)
      add(time)
    case .duration(let duration):
      writer.add(ExtentForm.duration.rawValue)
      writer.add(duration.days)
      writer.add(duration.seconds)
    }
  }

  /// The number of a zone, and what it is if it is written for the first time.
  private mutating func add(_ zone: Zone) {
    if let number = zones[zone] { return writer.add(number) }
    writer.add(zones.count)
    zones[zone] = zones.count
    writer.add(ZoneForm(zone.origin).rawValue)
    writer.add(zone.name)
    switch zone.origin {
    case .fixedOffset: writer.add(zone.utcOffset(at: Instant(secondsSinceEpoch: 0)))
    case .definition: addChanges(of: zone)
    case .utc, .database, .posixRule: break
    }
  }

  /// The clock changes of a zone that a source defined itself, up to the last year in which anybody
  /// looks.
  private mutating func addChanges(of zone: Zone) {
    var changes: [(instant: Instant, after: LocalTimeType)] = []
    var moment = ListingBytes.firstChange
    writer.add(type: zone.localTimeType(at: moment))
    while let change = zone.nextTransition(after: moment),
      change.instant.utc.date.year <= ListingBytes.lastYear
    {
      changes.append((change.instant, change.after))
      moment = change.instant
    }
    writer.add(changes.count)
    for change in changes {
      writer.add(change.instant.secondsSinceEpoch)
      writer.add(type: change.after)
    }
  }
}

/// Reads what `ListingWriter` wrote. If the bytes are damaged, it returns `nil`, and never traps.
struct ListingReader {
  private var reader: PackedBytesReader
  private let database: ZoneDatabase
  private var zones: [Zone] = []
  private var parsed: [String: Rule] = [:]
  private let length: Int

  init(_ bytes: [UInt8], zones: ZoneDatabase) {
    reader = PackedBytesReader(bytes)
    length = bytes.count
    database = zones
  }

  var isAtEnd: Bool { reader.isAtEnd }

  mutating func number() -> Int? { reader.number() }
  mutating func text() -> String? { reader.text() }
  mutating func optionalText() -> String?? { reader.optionalText() }

  /// A number of values that can be there.
  private mutating func count() -> Int? {
    reader.number().flatMap { (0...length).contains($0) ? $0 : nil }
  }

  mutating func rules() -> [Rule]? {
    guard let count = count() else { return nil }
    var rules: [Rule] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      if parsed[text] == nil { parsed[text] = try? Rule(parsing: text.utf8) }
      guard let rule = parsed[text] else { return nil }
      rules.append(rule)
    }
    return rules
  }

  mutating func times() -> [EventTime]? {
    guard let count = count() else { return nil }
    var times: [EventTime] = []
    for _ in 0..<count {
      guard let time = time() else { return nil }
      times.append(time)
    }
    return times
  }

  mutating func dates() -> [RecurrenceDate]? {
    guard let count = count() else { return nil }
    var dates: [RecurrenceDate] = []
    for _ in 0..<count {
      guard let start = time(), let extent = extent() else { return nil }
      dates.append(RecurrenceDate(start: start, extent: extent == .unstated ? nil : extent))
    }
    return dates
  }

  /// The outer optional is `nil` if the bytes are damaged, the inner one if no time was written.
  mutating func optionalTime() -> EventTime?? {
    switch number() {
    case 0: .some(nil)
    case 1: time().map { .some($0) }
    default: nil
    }
  }

  mutating func time() -> EventTime? {
    guard let form = number().flatMap(TimeForm.init), let value = number() else { return nil }
    switch form {
    case .date: return CivilDate(dayNumber: value).map { .date($0) }
    case .floating: return CivilDateTime(civilSeconds: value).map { .floating($0) }
    case .utc: return CivilDateTime(civilSeconds: value).map { .utc($0) }
    case .zoned:
      guard let civil = CivilDateTime(civilSeconds: value), let zone = zone() else { return nil }
      return .zoned(civil, zone)
    }
  }

  mutating func extent() -> Extent? {
    switch number().flatMap(ExtentForm.init) {
    case ExtentForm.none?: return .unstated
    case .end?: return time().map { .end($0) }
    case .duration?:
      guard let days = number(), let seconds = number() else { return nil }
      return .duration(EventDuration(days: days, seconds: seconds))
    case nil: return nil
    }
  }

  private mutating func zone() -> Zone? {
    guard let number = number(), (0...zones.count).contains(number) else { return nil }
    if number < zones.count { return zones[number] }
    guard let form = self.number().flatMap(ZoneForm.init), let name = text() else { return nil }
    let zone: Zone?
    switch form {
    case .utc: zone = .utc
    case .database: zone = database.zone(named: name)
    case .fixedOffset: zone = self.number().flatMap { Zone(name: name, fixedOffset: $0) }
    case .definition: zone = definedZone(name)
    case .posixRule: zone = nil
    }
    if let zone { zones.append(zone) }
    return zone
  }

  private mutating func definedZone(_ name: String) -> Zone? {
    guard let initial = reader.type(), let count = count() else { return nil }
    var types = [initial]
    var changes: [(instant: Instant, type: Int)] = []
    for _ in 0..<count {
      guard let seconds = number(), let type = reader.type() else { return nil }
      let instant = Instant(secondsSinceEpoch: seconds)
      if let last = changes.last, instant <= last.instant { return nil }
      if !types.contains(type) { types.append(type) }
      changes.append((instant, types.firstIndex(of: type) ?? 0))
    }
    return Zone(
      name: name, origin: .definition, types: types, initial: 0, changes: changes)
  }
}

private enum ListingBytes {
  static let firstChange = Instant(utc: CivilDateTime(.first, .midnight))
  static let lastYear = 2200
}

private enum TimeForm: Int {
  case date, floating, zoned, utc

  init(_ time: EventTime) {
    switch time {
    case .date: self = .date
    case .floating: self = .floating
    case .zoned: self = .zoned
    case .utc: self = .utc
    }
  }
}

private enum ExtentForm: Int {
  case none, end, duration
}

private enum ZoneForm: Int {
  case utc, fixedOffset, database, posixRule, definition

  init(_ origin: Zone.Origin) {
    switch origin {
    case .utc: self = .utc
    case .fixedOffset: self = .fixedOffset
    case .database: self = .database
    case .posixRule: self = .posixRule
    case .definition: self = .definition
    }
  }
}

extension PackedBytesWriter {
  fileprivate mutating func add(type: LocalTimeType) {
    add(type.utcOffset)
    add(type.isDaylight ? 1 : 0)
    add(type.abbreviation)
  }
}

extension PackedBytesReader {
  fileprivate mutating func type() -> LocalTimeType? {
    guard let offset = number(), LocalTimeType.possibleOffsets.contains(offset),
      let isDaylight = number(), let abbreviation = text()
    else { return nil }
    return LocalTimeType(
      utcOffset: offset, isDaylight: isDaylight == 1, abbreviation: abbreviation)
  }
}
