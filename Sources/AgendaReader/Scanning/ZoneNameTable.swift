internal import AgendaCore
internal import ICalendar

/// The TZIDs of a source, numbered in the order in which they are found.
struct ZoneNameTable {
  /// A TZID, its first line, and the number of times that use it.
  struct Entry {
    var name: String
    var line: Int
    /// The next lines that use it, as many as a finding lists.
    var laterLines: [Int] = []
    var place: Range<Int>
    var component: String
    var property: String
    var uid: String?
    /// The VCALENDAR that names it, because each VCALENDAR may define the name differently.
    var calendar: Int
    var uses: Int
    /// The zone of another time of an event whose times have different ones.
    var otherName: String?
    /// How many of the uses are next to a time with another zone.
    var usesNearOther = 0
  }

  private(set) var entries: [Entry] = []
  private var numbers: [Key: Int32] = [:]
  private var lastBytes: [UInt8] = []
  private var last: (calendar: Int, number: Int32)?

  private struct Key: Hashable {
    var name: String
    var calendar: Int
  }

  /// The number of a name. `entry` makes the entry of a new one.
  mutating func number(
    of name: Bytes, calendar: Int, line: Int, entry: (String) -> Entry
  ) -> Int32 {
    if let last, last.calendar == calendar,
      lastBytes.withUnsafeBufferPointer({ $0.equals(name) })
    {
      addUse(of: last.number, line)
      return last.number
    }
    let text = ParameterValue.text(name)
    let key = Key(name: text, calendar: calendar)
    let number: Int32
    if let known = numbers[key] {
      number = known
      addUse(of: known, line)
    } else {
      number = Int32(truncatingIfNeeded: entries.count)
      entries.append(entry(text))
      numbers[key] = number
    }
    lastBytes.removeAll(keepingCapacity: true)
    lastBytes.append(contentsOf: name)
    last = (calendar, number)
    return number
  }

  private mutating func addUse(of number: Int32, _ line: Int, count: Int = 1) {
    entries[Int(number)].uses += count
    if entries[Int(number)].laterLines.count + 1 < FindingGroups<Int>.mostLines {
      entries[Int(number)].laterLines.append(line)
    }
  }

  /// Notes that DTSTART and the end of an event have different zones.
  mutating func note(_ one: LocalTime, _ other: LocalTime) {
    note(one, near: other)
    note(other, near: one)
  }

  /// Notes the zone in which `time` is read if its own zone is unknown.
  mutating func note(_ time: LocalTime, near other: LocalTime) {
    guard time.form == .zoned else { return }
    let otherName: String
    switch other.form {
    case .utc: otherName = "UTC"
    case .zoned: otherName = entries[Int(other.zone)].name
    case .date, .floating: return
    }
    entries[Int(time.zone)].usesNearOther += 1
    if entries[Int(time.zone)].otherName == nil { entries[Int(time.zone)].otherName = otherName }
  }

  /// Adds an entry from another part of the source.
  mutating func add(_ entry: Entry) {
    let key = Key(name: entry.name, calendar: entry.calendar)
    if let known = numbers[key] {
      addUse(of: known, entry.line, count: entry.uses)
      let otherName = entries[Int(known)].otherName ?? entry.otherName
      entries[Int(known)].otherName = otherName
      entries[Int(known)].usesNearOther += entry.usesNearOther
      for line in entry.laterLines { addUse(of: known, line, count: 0) }
    } else {
      numbers[key] = Int32(truncatingIfNeeded: entries.count)
      entries.append(entry)
    }
  }
}
