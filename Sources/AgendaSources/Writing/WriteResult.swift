package import AgendaCore
package import CivilTime
internal import ICalendar
package import Recurrence

/// The result of changing an event, or of a dry run.
package struct WriteResult {
  /// The event, read again after the change, with its overrides. If a new series was split off,
  /// that series.
  package var events: [Event] = []
  /// The details of these events.
  package var details: [EventIdentity: EventDetails] = [:]
  /// The RECURRENCE-ID of the changed occurrence, if it moved with its series.
  package var place: EventTime?
  /// The requested start, if the rule of a new series has no such date.
  package var skippedStart: EventTime?
  /// The number of overrides that were removed because a new rule lacks their dates.
  package var droppedOverrides = 0
  /// Which occurrences of a series changed; `nil` for an event that is none. From the first occurrence
  /// on, all did.
  package var scope: SeriesScope?
  /// Alarms with a fixed time, which stay where they are although the event moved.
  package var fixedAlarms: [Instant] = []
  /// If the event was removed: the locations of other sources of its calendar that still have it.
  package var copies: [String] = []
  /// The file or address that still has the event, because agenda hides it only in the store.
  package var unchangedSource: String?
  /// The calendars on servers that the change waits to be sent to.
  package var serverCalendars: [String] = []
  var files: [File] = []

  /// A file before and after; empty if it does not exist.
  struct File {
    let name: String
    let old: [UInt8]
    let new: [UInt8]
  }

  /// Remembers what the changes of the components say about the series.
  mutating func note(_ changes: ComponentChanges) {
    place = changes.place
    droppedOverrides = changes.droppedOverrides
    scope = changes.scope
  }

  /// Whether there was nothing to change.
  package var isUnchanged: Bool { files.allSatisfy { $0.old == $0.new } }

  /// The lines that change, without their folds, below the name of each file:
  /// `-SUMMARY:Lunch`, `+SUMMARY:Dinner`. The definitions of time zones are left out.
  package var diff: [String] {
    files.filter { $0.old != $0.new }.flatMap { file in
      [file.name] + Self.diff(lines(file.old), lines(file.new))
    }
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    var isZone = false
    return ComponentText(bytes).lines.filter { line in
      if line.content.elementsEqual("BEGIN:VTIMEZONE".utf8) { isZone = true }
      defer { if line.content.elementsEqual("END:VTIMEZONE".utf8) { isZone = false } }
      return !isZone
    }.map { String(decoding: $0.content, as: UTF8.self) }
  }

  private static func diff(_ old: [String], _ new: [String]) -> [String] {
    let difference = new.difference(from: old)
    var result: [String] = []
    var removed: [Int: String] = [:]
    var inserted: [Int: String] = [:]
    for change in difference {
      switch change {
      case .remove(let offset, let line, _): removed[offset] = line
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var (from, to) = (0, 0)
    while from < old.count || to < new.count {
      if let line = removed[from] {
        result.append("-\(line)")
        from += 1
      } else if let line = inserted[to] {
        result.append("+\(line)")
        to += 1
      } else {
        from += 1
        to += 1
      }
    }
    return result
  }
}
