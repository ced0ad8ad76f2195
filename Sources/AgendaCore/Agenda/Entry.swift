public import CivilTime

/// One line of an agenda: an occurrence, on one of its days.
public struct Entry: Sendable, Identifiable {
  let storage: AgendaStorage
  /// Its position in the whole agenda, counted over all sections.
  let place: Int
  /// The day of its section, if sections are days.
  let sectionDay: Int32?

  var occurrenceIndex: Int { Int(storage.places[place]) }

  /// The occurrence that this entry lists.
  public var occurrence: Occurrence {
    _read { yield storage.occurrences[occurrenceIndex] }
  }

  /// Where the details of its event are stored.
  package var reference: EventReference { storage.occurrences[occurrenceIndex].event.reference }

  /// The event that occurs: the override if one replaces this occurrence, otherwise the series
  /// itself.
  public var event: Event { storage.occurrences[occurrenceIndex].event }
  /// Whether the entry covers whole days and has no times.
  public var isAllDay: Bool { storage.occurrences[occurrenceIndex].allDay != nil }
  /// When the occurrence begins. An all-day entry begins with its first day in the agenda's zone.
  public var begin: Instant { storage.occurrences[occurrenceIndex].begin }
  /// When the occurrence ends. An all-day entry ends when the day after its last one begins.
  public var finish: Instant { storage.occurrences[occurrenceIndex].finish }

  /// The identifier of the occurrence. It is the same in every run, and for each day of the occurrence.
  public var id: OccurrenceID { OccurrenceID(of: storage.occurrences[occurrenceIndex]) }

  /// The day under which the entry is listed. In sections that are not days, this is the first day of
  /// the window that the entry touches.
  public var date: CivilDate {
    CivilDate(dayNumber: Int(dayNumber)) ?? storage.window.firstDay
  }

  /// The number of that day among the days of the occurrence, from 1. It counts from the first day of
  /// the occurrence, even if that day is before the window.
  public var day: Int { storage.ordinal(of: dayNumber, ofOccurrence: occurrenceIndex) }

  /// The number of days that the occurrence touches, including those outside of the window.
  public var days: Int { storage.dayCount(ofOccurrence: occurrenceIndex) }

  /// Its position in its agenda.
  package var path: EntryPath {
    let (path, first) = (storage.path(ofPlace: place), storage.firstPath)
    return EntryPath(section: first.section + path.section, entry: first.entry + path.entry)
  }

  /// The zone in which the days of its agenda begin.
  package var viewer: Zone { storage.window.zone }

  var dayNumber: Int32 {
    sectionDay ?? storage.firstShownDay(of: occurrenceIndex)
  }

  /// Whether both are the same position of the same agenda. The comparison is quick.
  package func isIdentical(to other: Entry) -> Bool {
    storage === other.storage && place == other.place && sectionDay == other.sectionDay
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
