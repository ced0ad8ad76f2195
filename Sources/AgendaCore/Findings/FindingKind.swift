package import CivilTime
package import Recurrence

extension Finding {
  /// What is wrong and what was done, as values. `FindingWording.swift` has the words.
  ///
  /// A text from a source is shortened and without its quotes.
  package enum Kind: Hashable, Sendable {
    // The text and its lines.
    case invalidUTF16
    /// Text in another encoding that the user named.
    case invalidText(encoding: String)
    case nulBytes(Int)
    /// Lines of a file.
    case linesNotUTF8
    /// A text whose CHARSET is UTF-8.
    case textNotUTF8
    case unsupportedCharset(String)
    /// The C library has no converter from the charset.
    case missingConverter(String)
    case textNotInCharset(String)
    /// A line that is not a property. `isText` if it continues the text of the line before.
    case strayLine(isText: Bool)
    case openQuote
    case invalidBase64
    /// More problems than are listed.
    case moreProblems(Int)

    // The components.
    /// A VCALENDAR begins in another component.
    case unclosedBeforeCalendar
    /// An event in which the file ends.
    case unclosedAtEnd
    /// A VCALENDAR in which the file ends.
    case unclosedCalendar
    case unclosed
    /// A component within the component.
    case unclosedInner
    case unmatchedEnd(String)
    case tooDeep(limit: Int)
    case outsideCalendar
    case severalCalendars(Int)
    case vCalendar1
    case repeatedProperty

    // Times and lengths.
    case missingStart
    case invalidTime(String, TimeFault, Consequence)
    case repairedTime(String, TimeRepair, readAs: String)
    case timeMarkedAsDate
    /// A time without a zone next to a DTSTART that has one.
    case missingZone(startIsUTC: Bool, MissingZoneReading)
    case zoneNextToLocalStart
    case timeNextToDate
    case dateNextToTime
    case endBeforeStart
    case durationNextToEnd
    case invalidDuration(String)
    case malformedDuration(String, readAs: String)
    case negativeDuration(String)
    case invalidPeriodDuration(String)
    case periodEndBeforeStart(String)
    case notPeriod(String)
    /// A FREEBUSY that should be in UTC.
    case busyTimeNotUTC(String, zone: String)
    case invalidSequence(String)
    case invalidStamp(String)

    // Recurrence.
    case invalidRule(RuleError.Reason, part: String, Consequence)
    case repairedRule([RuleText.Note])
    case tooManyRules(limit: Int)
    case tooManyValues(limit: Int)
    case costlyRules
    case startOutsideTable(CalendarSystem)
    /// An EXDATE removes the only occurrence.
    case excludedStart
    /// A rule in an override. `hasSeries` if the calendar has the series.
    case ruleInOverride(hasSeries: Bool)
    case untilBeforeStart(UntilEffect)
    case ruleWithoutStart(isEmpty: Bool)

    // Time zones.
    case zone(String, readAs: String)
    case zoneOfDefinition(String)
    /// `otherCount` further names are unknown. `floating` is the zone of local times.
    case unknownZone(String, otherCount: Int, OtherTimeUse, floating: String?)
    case unknownCalendarZone(String)
    case invalidZoneDate(String)
    case invalidZoneOffset(String)
    case zoneDefinition(ZoneDefinitionProblem, isUsable: Bool)
    case otherZoneDefinition(String, usedLine: Int)

    // Details.
    case notUnderstood(String, UnreadEffect)
    case malformedCoordinates(String, readAs: String)
    case omittedDetails(Int)

    // Messages (METHOD).
    case ignoredMethod(String)
    /// A CANCEL without effect. `isKept` if it cancels the event when that is imported.
    case cancellation(Message.Outcome, isKept: Bool)
    case reply(Message.Outcome, isKept: Bool)

    // Versions.
    case sharedUID(count: Int, Positions)
    case replacedEvents(count: Int, byStamp: Bool, Positions)
    /// A RECURRENCE-ID or EXDATE at a midnight that the series does not have. `isRead` if it names the
    /// only occurrence of that date.
    case atMidnight(isRead: Bool)
    case staleOverride
    /// So many components have one UID that not all of the work was done.
    case tooMuchWork(WorkBudget.Work)

    // Windows.
    case tooManyOccurrences(limit: Int)
    case tooManyExcluded(limit: Int)
    case tooManySkippedEntries(limit: Int)
    case tooManyEntries(limit: Int, lastDay: String)
    case tooManyEntriesOfDay(limit: Int, day: String)
    case tooManyAlarms(limit: Int)
    case windowOutsideTable(CalendarSystem)
    case repetitionOutsideTable(CalendarSystem)

    // What programs built on libical make of a component.
    case libicalLosesParameters(limit: Int)
    case libicalRefuses
    case libicalChangesText
    case libicalAcceptsInvalidTime(String)
    case libicalReads(String)
    case libicalLosesValues(read: Int, count: Int)
    case libicalIgnoresValue
    case libicalIgnoresKeyword(parameter: String, String)

    // Sources and pictures.
    case skippedFile(reason: String)
    case partOfFolder(String, calendar: String)
    case alsoInRoot(String)
    case alsoSingleFile(String, calendar: String)
    /// Another source's calendar has the name that a source states.
    case nameInUse(String, calendar: String)
    case picture(PictureProblem)
    case thumbnailsNotMade(reason: String)
    case thumbnailsNotStored(reason: String)
    case thumbnailsLeft(ThumbnailObstacle)

    /// A calendar that the store has from the same server under another name; that one's origin.
    case sameCalendar(String, calendar: String)
    /// Calendars of a server that the user has not imported; their names.
    case newOnServer(String)
    /// A server refused to store a change, which waits.
    case changeRefused(title: String, reason: String)
    /// Events that were changed here and on the server.
    case openConflicts(Int)
    /// Changes wait, although the user may only read the calendar now.
    case readOnlyOnServer

    /// Words from JSON, which has no values.
    case words(message: String, action: String)
  }

  /// What a problem that cannot be repaired leads to.
  package enum Consequence: String, Sendable {
    case ignored
    case rejected
    /// The rule is ignored; the event is shown once.
    case noRepetition = "no-repetition"
  }

  /// What a text is not.
  package enum TimeFault: String, Sendable {
    case notDate = "not-date"
    case noSuchDate = "no-such-date"
    case notTime = "not-time"
  }

  /// The deviation from the RFC in a time that could be read nevertheless.
  package enum TimeRepair: String, Sendable {
    case extendedForm = "extended-form"
    case noSeconds = "no-seconds"
    case hour24 = "hour-24"
    case dateInUTC = "date-in-utc"
  }

  /// The zone of a time that lacks one.
  package enum MissingZoneReading: String, Sendable {
    case startZone = "start"
    /// The zone of the series, which may be another one than that of an override.
    case seriesZone = "series"
  }

  /// How many of the times with an unknown zone are next to one with a known zone, in which they are
  /// read.
  package enum OtherTimeUse: String, Sendable {
    case none, some, all
  }

  /// What remains of a series if a rule ends before it begins.
  package enum UntilEffect: String, Sendable {
    case otherRules = "other-rules"
    case dates
    case nothing
  }

  /// What happens without a value that is not understood.
  package enum UnreadEffect: String, Sendable {
    case notShown = "not-shown"
    case ignored
    /// Times without a zone are local times.
    case localTimes = "local-times"
  }

  /// Where the events of a finding are. Of more than `most` only the first are kept.
  package enum Positions: Hashable, Sendable {
    case lines([Int])
    /// Files with their lines: `a.ics:12`.
    case files([String])

    /// The number of positions that a finding names.
    package static let most = 10
  }
}

extension Finding {
  /// Whether it is about different events with one UID.
  package var isAboutSharedUID: Bool {
    if case .sharedUID = kind { true } else { false }
  }

  /// Whether it is about an override with a rule whose series is missing. A finding that counts
  /// several problems is not corrected.
  package var isAboutMissingSeries: Bool { count == 1 && kind == .ruleInOverride(hasSeries: false) }

  /// Whether it is about the name of a time zone: `TZID "Romance Standard Time"`.
  package var isAboutZoneName: Bool {
    switch kind {
    case .zone, .zoneOfDefinition, .unknownZone: true
    default: false
    }
  }
}

extension Finding.Kind {
  /// Whether a listing ends before its window does, because it has too many entries.
  package var cutsListing: Bool {
    switch self {
    case .tooManyEntries, .tooManyEntriesOfDay: true
    default: false
    }
  }

  /// Changes the names of the files of events.
  package mutating func renameFiles(_ name: (String) -> String) {
    switch self {
    case .sharedUID(let count, .files(let files)):
      self = .sharedUID(count: count, .files(files.map(name)))
    case .replacedEvents(let count, let byStamp, .files(let files)):
      self = .replacedEvents(count: count, byStamp: byStamp, .files(files.map(name)))
    default: break
    }
  }
}
