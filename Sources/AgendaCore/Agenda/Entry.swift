public import CivilTime

/// One line of an agenda: an occurrence, on one of its days.
public struct Entry: Sendable, Identifiable {
  let listed: ListedOccurrences
  /// The position of its occurrence in `listed`.
  let number: Int32
  /// The number of the day under which it is listed.
  let dayNumber: Int32

  var occurrenceIndex: Int { Int(number) }

  /// The occurrence that this entry lists.
  public var occurrence: Occurrence {
    _read { yield listed.occurrences[occurrenceIndex] }
  }

  /// Where the details of its event are stored.
  package var reference: EventReference { listed.occurrences[occurrenceIndex].event.reference }

  /// The event that occurs: the override if one replaces this occurrence, otherwise the series
  /// itself.
  public var event: Event { listed.occurrences[occurrenceIndex].event }
  /// Whether the entry covers whole days and has no times.
  public var isAllDay: Bool { listed.occurrences[occurrenceIndex].allDay != nil }
  /// When the occurrence begins. An all-day entry begins with its first day in the agenda's zone.
  public var begin: Instant { listed.occurrences[occurrenceIndex].begin }
  /// When the occurrence ends. An all-day entry ends when the day after its last one begins.
  public var finish: Instant { listed.occurrences[occurrenceIndex].finish }

  /// The identifier of the occurrence. It is the same in every run, and for each day of the occurrence.
  public var id: OccurrenceID { OccurrenceID(of: listed.occurrences[occurrenceIndex]) }

  /// The day under which the entry is listed. If it is listed once, this is the first day of the window
  /// that the entry touches.
  public var date: CivilDate {
    CivilDate(dayNumber: Int(dayNumber)) ?? listed.window.firstDay
  }

  /// The number of that day among the days of the occurrence, from 1. It counts from the first day of
  /// the occurrence, even if that day is before the window.
  public var day: Int { listed.days.ordinal(of: dayNumber, of: occurrenceIndex) }

  /// The number of days that the occurrence touches, including those outside of the window.
  public var days: Int { listed.days.count(of: occurrenceIndex) }

  /// The zone in which the days of its agenda begin.
  package var viewer: Zone { listed.window.zone }

  /// The days that its occurrence touches.
  var span: DaySpan { listed.days.spans[occurrenceIndex] }

  /// Whether both are the same occurrence and day of the same agenda. The comparison is quick.
  package func isIdentical(to other: Entry) -> Bool {
    listed === other.listed && number == other.number && dayNumber == other.dayNumber
  }
}

extension ArraySlice<Entry> {
  /// The number of entries at the start that are identical to those at the start of another list.
  /// In this module, comparing two entries takes about a nanosecond.
  package func countOfShared(with other: ArraySlice<Entry>) -> Int {
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { others in
        let shorter = Swift.min(mine.count, others.count)
        var count = 0
        while count < shorter, mine[count].isIdentical(to: others[count]) { count += 1 }
        return count
      }
    }
  }

  /// The number of entries at the end that are identical to those at the end of another list.
  package func countOfSharedAtEnd(with other: ArraySlice<Entry>) -> Int {
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { others in
        let shorter = Swift.min(mine.count, others.count)
        var count = 0
        while count < shorter,
          mine[mine.count - 1 - count].isIdentical(to: others[others.count - 1 - count])
        {
          count += 1
        }
        return count
      }
    }
  }
}

/// Properties to sort and group by, as key paths: `\.calendar`, `\.duration`.
extension Entry {
  /// The event's title (SUMMARY); empty if it has none.
  public var title: String { event.title }
  /// The name of the event's calendar.
  public var calendar: String { event.calendar }
  /// The event's location; `nil` if it has none.
  public var location: String? { event.location }
  /// The event's status; `nil` if its source does not state one.
  public var status: Event.Status? { event.status }
  /// Whether this is an event, a task or a journal.
  public var kind: Event.Kind { event.kind }
  /// The event's categories, in the order of its source.
  public var categories: [String] { event.categories }
  /// The time from `begin` to `finish` in seconds.
  public var duration: Int { finish.secondsSinceEpoch - begin.secondsSinceEpoch }
}

extension Entry: Hashable {
  /// Whether both are the same occurrence with the same content, on the same day.
  public static func == (left: Entry, right: Entry) -> Bool {
    left.isIdentical(to: right)
      || left.occurrence == right.occurrence && left.date == right.date
        && left.day == right.day && left.days == right.days
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(occurrence)
    hasher.combine(date)
  }
}
