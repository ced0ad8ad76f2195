public import CivilTime

/// One line of an agenda: an occurrence, on one of its days.
public struct Entry: Sendable, Identifiable {
  let storage: AgendaStorage
  /// Its place in the whole agenda, counted over all sections.
  let place: Int
  /// The day of its section, if sections are days.
  let sectionDay: Int32?

  var occurrenceIndex: Int { Int(storage.places[place]) }

  public var occurrence: Occurrence {
    _read { yield storage.occurrences[occurrenceIndex] }
  }

  /// Where its details are to be asked for.
  package var reference: EventReference { storage.occurrences[occurrenceIndex].event.reference }

  public var event: Event { storage.occurrences[occurrenceIndex].event }
  public var isAllDay: Bool { storage.occurrences[occurrenceIndex].allDay != nil }
  public var begin: Instant { storage.occurrences[occurrenceIndex].begin }
  public var finish: Instant { storage.occurrences[occurrenceIndex].finish }

  /// The same for the same occurrence in every run and on each of its days.
  public var id: OccurrenceID { OccurrenceID(of: storage.occurrences[occurrenceIndex]) }

  /// The day under which it is listed: that of its section, otherwise the first day of the window
  /// that it touches.
  public var date: CivilDate {
    CivilDate(dayNumber: Int(dayNumber)) ?? storage.window.firstDay
  }

  /// Which of its days that is, from 1 for its own first day, also where that is before the window.
  public var day: Int { storage.ordinal(of: dayNumber, ofOccurrence: occurrenceIndex) }

  /// How many days it touches in all, in or out of the window.
  public var days: Int { storage.dayCount(ofOccurrence: occurrenceIndex) }

  var dayNumber: Int32 {
    sectionDay ?? storage.firstShownDay(of: occurrenceIndex)
  }

  /// Whether both are the same place of the same agenda, which is quickly compared.
  package func isIdentical(to other: Entry) -> Bool {
    storage === other.storage && place == other.place && sectionDay == other.sectionDay
  }
}

/// What programs sort and group by, as key paths: `\.calendar`, `\.duration`.
extension Entry {
  public var title: String { event.title }
  public var calendar: String { event.calendar }
  public var location: String? { event.location }
  public var status: Event.Status? { event.status }
  public var kind: Event.Kind { event.kind }
  public var categories: [String] { event.categories }
  /// From begin to finish, in seconds.
  public var duration: Int { finish.secondsSinceEpoch - begin.secondsSinceEpoch }
}

extension Entry: Hashable {
  /// The same occurrence with the same content, on the same day.
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
