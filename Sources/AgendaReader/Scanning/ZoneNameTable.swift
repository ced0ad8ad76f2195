internal import ICalendar

/// The TZIDs of a source, numbered as they come.
struct ZoneNameTable {
  /// A TZID, where it was first seen, and by how many times.
  struct Entry {
    var name: String
    var line: Int
    var place: Range<Int>
    var component: String
    var property: String
    var uid: String?
    /// The VCALENDAR that names it, as each may define the name anew.
    var calendar: Int
    var uses: Int
  }

  private(set) var entries: [Entry] = []
  private var numbers: [Key: Int32] = [:]
  private var lastBytes: [UInt8] = []
  private var last: (calendar: Int, number: Int32)?

  private struct Key: Hashable {
    var name: String
    var calendar: Int
  }

  /// The number of a name; `entry` gives what to note of one that is new.
  mutating func number(
    of name: Bytes, calendar: Int, entry: (String) -> Entry
  ) -> Int32 {
    if let last, last.calendar == calendar,
      lastBytes.withUnsafeBufferPointer({ $0.equals(name) })
    {
      entries[Int(last.number)].uses += 1
      return last.number
    }
    let text = ParameterValue.text(name)
    let key = Key(name: text, calendar: calendar)
    let number: Int32
    if let known = numbers[key] {
      number = known
      entries[Int(known)].uses += 1
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

  /// Adds what another part of the source found.
  mutating func add(_ entry: Entry) {
    let key = Key(name: entry.name, calendar: entry.calendar)
    if let known = numbers[key] {
      entries[Int(known)].uses += entry.uses
    } else {
      numbers[key] = Int32(truncatingIfNeeded: entries.count)
      entries.append(entry)
    }
  }
}
