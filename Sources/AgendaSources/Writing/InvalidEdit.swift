package import AgendaCore
package import CivilTime
package import Recurrence

/// Why an event does not allow a change.
package struct InvalidEdit: Hashable, Sendable, CustomStringConvertible {
  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  package var description: String { "\(reason)" }

  package enum Reason: Hashable, Sendable {
    // What the change is about.
    case missingEvent(Event.Kind)
    case missingSeries
    case noOccurrences
    case notATask
    case cancelledTask
    case vCalendar1
    case unsupportedEncoding
    /// Other events of the file would disappear, because they have the same UID.
    case sharedUID(file: String)
    /// An entry with the UID would change that was not chosen, or disappear.
    case changesOther(title: String, start: EventTime?)
    /// The text of a conflict.
    case textWithoutEvent
    /// A server accepts only some kinds in a calendar.
    case kindNotOnServer(Event.Kind, calendar: String)
    // A part of a series.
    /// The series is in another file, too. The change would have to be made in both.
    case seriesAlsoIn(String)
    /// The series is in another file, so this one cannot exclude the occurrence from it.
    case seriesIn(String)
    case repetitionOfOneOccurrence
    case textOfFollowing
    case partOfSeriesToOtherCalendar
    /// RANGE=THISANDFUTURE (RFC 5545 3.2.13).
    case overrideOfFollowing
    case exceptionRule
    case dateBeforeFirst
    case dateWithLength
    case dateWithEnd
    case ruleCannotBegin
    case ruleNamesTimes
    case ruleNamesDays
    case alreadyInCalendar(String)
    // Values.
    case status(String, of: Event.Kind)
    case controlCharactersInText(property: String)
    case controlCharacters(property: String)
    /// What the new text would be reported for if it were read.
    case unreadable(reason: String)
    // Times.
    case timeOutOfRange
    case endOutOfRange
    case lengthInHours
    case endWithTime
    case endBeforeStart
    /// The end is a time of day too long before the start to be on the next day.
    case clockBeforeStart
    /// A task without a start would get an end, or else a length. `isDue`: it has a due date.
    case lengthWithoutStart(isEnd: Bool, isDue: Bool)
    case dueOfEvent
    case notDue
    case dueOfSeries
    case dueOfAlarm
    // Repetitions.
    case repetitionWithoutDate(of: Event.Kind)
    case exceptionWithoutOccurrence(on: CivilDate)
    case repetitionWithinDay
    case repetitionEndsBeforeStart
    case repetitionEndsBefore(CivilDate)
    /// The name of a zone that only `TZ` defines.
    case seriesInUnnamedZone(String)
  }
}

extension InvalidEdit.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingEvent(let kind): "the \(kind == .task ? "task" : "event") is missing"
    case .missingSeries: "the series of this occurrence is missing"
    case .noOccurrences: "an event without a date has no occurrences"
    case .notATask: "only a task can be done; this is an event"
    case .cancelledTask: "the task is cancelled"
    case .vCalendar1: "agenda cannot change events in vCalendar 1.0"
    case .unsupportedEncoding: "agenda changes only files that are in UTF-8 and have no NUL bytes"
    case .sharedUID(let file):
      "different events in \(file) have the same UID, and a changed one would replace the others; "
        + "give each event a UID that no other has"
    case .changesOther(let title, let start):
      "the change would also change or hide \"\(title)\""
        + (start.map { " of \($0.civil.date)" } ?? "")
        + ", because the events share a UID; give each event a UID that no other has"
    case .textWithoutEvent: "the text has no event"
    case .kindNotOnServer(let kind, let calendar):
      "the server accepts no \(kind == .event ? "events" : "\(kind.rawValue)s") in calendar \(calendar)"
    case .seriesAlsoIn(let other): "the series is also in \(other)"
    case .seriesIn(let other): "the series is in \(other)"
    case .repetitionOfOneOccurrence: "a repetition changes the whole series"
    case .textOfFollowing: "a text has one occurrence or the whole series"
    case .partOfSeriesToOtherCalendar: "a series moves to another calendar as a whole"
    case .overrideOfFollowing:
      "an override changes all later occurrences (RANGE=THISANDFUTURE)"
    case .exceptionRule: "the series has an EXRULE, which agenda cannot move"
    case .dateBeforeFirst: "the series has an RDATE before its first date"
    case .dateWithLength: "the RDATE of this occurrence states a length"
    case .dateWithEnd: "the series has an RDATE with a fixed end, which agenda cannot move"
    case .ruleCannotBegin: "the rule of the series cannot begin on this date"
    case .ruleNamesTimes:
      "the rule names times (BYHOUR, BYMINUTE or BYSECOND) that agenda cannot move"
    case .ruleNamesDays: "the rule names days that agenda cannot move"
    case .alreadyInCalendar(let calendar): "calendar \(calendar) already has this event"
    case .status(let status, let kind):
      "\(kind == .task ? "a task" : "an event") can be "
        + Self.statuses(of: kind).map(\.rawValue).joined(separator: ", ") + "; got \"\(status)\""
    case .controlCharactersInText(let property):
      "\(property): a text cannot contain control characters"
    case .controlCharacters(let property):
      "\(property): the value cannot contain control characters"
    case .unreadable(let reason): reason
    case .timeOutOfRange: "the new time is outside of the years 1 to 9999"
    case .endOutOfRange: "the end is after the year 9999"
    case .lengthInHours: "expected days for an all-day event, such as 2d"
    case .endWithTime: "expected a date, because the event is all-day"
    case .endBeforeStart: "the event ends before it begins"
    case .clockBeforeStart:
      "the end is before the start; add the date of the end if it is on another day"
    case .lengthWithoutStart: "a task without a start has no length"
    case .dueOfEvent: "an event has no due date"
    case .notDue: "the task has no due date"
    case .dueOfSeries: "a task that repeats needs a date"
    case .dueOfAlarm: "an alarm counts from the due date"
    case .repetitionWithoutDate: "the first date is missing"
    case .exceptionWithoutOccurrence(let date):
      "the rule has no occurrence on \(date), so it needs no exception"
    case .repetitionWithinDay: "an all-day event cannot repeat within a day"
    case .repetitionEndsBeforeStart: "the repetition ends before the event begins"
    case .repetitionEndsBefore(let first):
      "the repetition ends before its first date, \(first): choose a later end"
    case .seriesInUnnamedZone(let name):
      "other programs do not know the time zone of TZ, \(name), so a series cannot be in it"
    }
  }

  /// The statuses that a component of this kind can have (RFC 5545 3.8.1.11).
  static func statuses(of kind: Event.Kind) -> [Event.Status] {
    kind == .task
      ? [.needsAction, .inProcess, .completed, .cancelled] : [.tentative, .confirmed, .cancelled]
  }
}

extension WritingError {
  package static func invalid(because reason: InvalidEdit.Reason) -> WritingError {
    .invalid(InvalidEdit(reason))
  }
}
