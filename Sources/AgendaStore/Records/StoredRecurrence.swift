internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The recurrence of an event in four columns: its rules as lines of text, its dates packed.
enum StoredRecurrence {
  static func text(_ rules: [Rule]) -> String? {
    rules.isEmpty ? nil : rules.map(\.description).joined(separator: "\n")
  }

  static func rules(_ text: String?) -> [Rule]? {
    guard let text else { return [] }
    var rules: [Rule] = []
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let rule = try? Rule(parsing: line) else { return nil }
      rules.append(rule)
    }
    return rules
  }

  static func bytes(_ times: [EventTime]) -> [UInt8]? {
    guard !times.isEmpty else { return nil }
    var writer = PackedBytesWriter()
    for time in times { writer.add(time) }
    return writer.bytes
  }

  static func times(_ bytes: [UInt8]?, _ zones: (Int) -> Zone?) -> [EventTime]? {
    guard let bytes else { return [] }
    var reader = PackedBytesReader(bytes)
    var times: [EventTime] = []
    while !reader.isAtEnd {
      guard let time = reader.time(zones) else { return nil }
      times.append(time)
    }
    return times
  }

  static func bytes(_ dates: [RecurrenceDate]) -> [UInt8]? {
    guard !dates.isEmpty else { return nil }
    var writer = PackedBytesWriter()
    for date in dates {
      writer.add(date.start)
      writer.add(date.extent ?? .unstated)
    }
    return writer.bytes
  }

  static func dates(_ bytes: [UInt8]?, _ zones: (Int) -> Zone?) -> [RecurrenceDate]? {
    guard let bytes else { return [] }
    var reader = PackedBytesReader(bytes)
    var dates: [RecurrenceDate] = []
    while !reader.isAtEnd {
      guard let start = reader.time(zones), let extent = reader.extent(zones) else { return nil }
      dates.append(RecurrenceDate(start: start, extent: extent == .unstated ? nil : extent))
    }
    return dates
  }
}
