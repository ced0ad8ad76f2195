internal import CivilTime
internal import Recurrence

// The words of all findings. Errors of rules and time zone definitions have their own.

extension Finding {
  /// What is wrong: `invalid DTSTART "20260230T090000": no such date`.
  public var message: String {
    let message = words.message
    guard !otherValues.isEmpty else { return message }
    let others = otherValues.map { "\"\($0)\"" }.joined(separator: ", ")
    return message + " (also \(others)\(hasMoreValues ? " and others" : ""))"
  }

  /// What was done: `event rejected`, `read as Europe/Berlin`.
  public var action: String { words.action }

  /// The message with its property: `DTEND: is before DTSTART`, `missing DTSTART`.
  package var reason: String {
    guard let property else { return "the event: \(message)" }
    return namesProperty ? message : "\(property): \(message)"
  }

  /// Whether the message names the property.
  package var namesProperty: Bool {
    switch kind {
    case .missingStart, .invalidTime, .sharedUID: true
    case .repairedRule(let notes):
      notes.contains { if case .repeatedName(let name) = $0 { name == property } else { false } }
    default: false
    }
  }

  /// Whether the message and the action are one sentence: `TZID "…" read as Europe/Berlin`.
  package var isOneSentence: Bool {
    switch kind {
    case .zone, .zoneOfDefinition: true
    default: false
    }
  }

  private var eventKind: Event.Kind {
    Event.Kind.allCases.first { $0.component == component } ?? .event
  }

  private var noun: String { eventKind.noun }

  private func words(of consequence: Consequence) -> String {
    switch consequence {
    case .ignored: "ignored"
    case .rejected: "\(noun) rejected"
    case .noRepetition: "ignored; the \(noun) is shown without this repetition"
    }
  }

  private var words: (message: String, action: String) {
    switch kind {
    // The text and its lines.
    case .invalidUTF16:
      ("the file is not valid UTF-16", "invalid characters read as U+FFFD")
    case .invalidText(let encoding):
      ("the file is not valid \(encoding)", "invalid bytes read as U+FFFD")
    case .nulBytes(let count):
      (count == 1 ? "a NUL byte" : "\(count) NUL bytes", "dropped")
    case .linesNotUTF8:
      ("bytes in this line are not UTF-8", "read as Windows-1252")
    case .textNotUTF8:
      ("bytes in this text are not UTF-8", "read as Windows-1252")
    case .unsupportedCharset(let name):
      ("CHARSET=\(name) is not supported", "read as Windows-1252")
    case .missingConverter(let name):
      (
        "no converter for CHARSET=\(name) is installed (glibc has it in a package named "
          + "libc-gconv-modules-extra or glibc-gconv-extra)", "read as Windows-1252"
      )
    case .textNotInCharset(let name):
      ("bytes in this text are not \(name)", "read as U+FFFD")
    case .strayLine(let isText):
      (
        "this line is not a property",
        isText ? "added to the text of the line before" : "ignored"
      )
    case .openQuote:
      ("a quote is not closed", "read without it")
    case .invalidBase64:
      ("invalid Base64", "invalid characters skipped")
    case .moreProblems(let count):
      ("\(count) more problems", "counted, not listed")

    // The components.
    case .unclosedBeforeCalendar:
      ("begins before the previous component is closed", "previous component closed here")
    case .unclosedAtEnd:
      ("is not closed: the file ends within it", words(of: .rejected))
    case .unclosedCalendar:
      ("is not closed: the file may be cut off", "complete components read")
    case .unclosed:
      ("is not closed", "closed where the next begins")
    case .unclosedInner:
      ("holds a component that is not closed", "closed where the next begins")
    case .unmatchedEnd(let name):
      ("END:\(name) without its BEGIN", "ignored")
    case .tooDeep(let limit):
      ("is nested deeper than \(limit) components", words(of: .rejected))
    case .outsideCalendar:
      ("is outside any VCALENDAR", "read anyway")
    case .severalCalendars(let count):
      ("\(count) calendars are in one source", "read as one")
    case .vCalendar1:
      ("is vCalendar 1.0", "read by the rules of that format")
    case .repeatedProperty:
      ("occurs more than once", "the first one is used")

    // Times and lengths.
    case .missingStart:
      ("missing DTSTART", words(of: .rejected))
    case .invalidTime(let text, let fault, let consequence):
      (
        "invalid \(property ?? "time") \"\(text)\": \(Self.words(of: fault))",
        words(of: consequence)
      )
    case .repairedTime(let text, let repair, let readAs):
      ("\"\(text)\" \(Self.words(of: repair))", "read as \(readAs)")
    case .timeMarkedAsDate:
      ("VALUE=DATE, but this is a time", "read as a time")
    case .missingZone(let startIsUTC, let reading):
      (
        "has no TZID, but DTSTART \(startIsUTC ? "is in UTC" : "has one")",
        reading == .seriesZone
          ? "read in the zone of the series" : "read in \(startIsUTC ? "UTC" : "the same zone")"
      )
    case .zoneNextToLocalStart:
      ("has a time zone, but DTSTART has none", "DTSTART read as local time")
    case .timeNextToDate:
      ("is a time, but DTSTART is a date", "read as the end of that day")
    case .dateNextToTime:
      ("is a date, but DTSTART is a time", "read as the start of that date")
    case .endBeforeStart:
      ("is before DTSTART", "ignored")
    case .durationNextToEnd:
      ("is set in addition to \(eventKind == .task ? "DUE" : "DTEND")", "ignored")
    case .invalidDuration(let text):
      ("invalid duration \"\(text)\"", "ignored")
    case .malformedDuration(let text, let readAs):
      ("\"\(text)\" is malformed", "read as \(readAs)")
    case .negativeDuration(let text):
      ("\"\(text)\" is negative", "sign ignored")
    case .invalidPeriodDuration(let text):
      ("invalid duration \"\(text)\" of a period", "ignored")
    case .periodEndBeforeStart(let text):
      ("\"\(text)\" is before the start of its period", "ignored")
    case .notPeriod(let text):
      ("\"\(text)\" is not a period", "ignored")
    case .busyTimeNotUTC(let text, let zone):
      ("\"\(text)\" is not in UTC", "read as \(zone)")
    case .invalidSequence(let text):
      ("invalid sequence number \"\(text)\"", "read as 0")
    case .invalidStamp(let text):
      ("invalid date and time \"\(text)\"", "ignored")

    // Recurrence.
    case .invalidRule(let reason, let part, let consequence):
      (RuleError(reason, part: part).description, words(of: consequence))
    case .repairedRule(let notes):
      (
        notes.map(\.description).joined(separator: ", "),
        notes.map(\.action).joined(separator: ", ")
      )
    case .tooManyRules(let limit):
      ("more than \(limit) rules in one event", "the rest ignored")
    case .tooManyValues(let limit):
      ("more than \(limit) values", "the rest ignored")
    case .costlyRules:
      ("the rules of the source take too long to expand", words(of: .noRepetition))
    case .startOutsideTable(let calendar):
      ("DTSTART is outside the known dates of \(calendar.withTableDates)", words(of: .noRepetition))
    case .excludedStart:
      ("excludes DTSTART, the only occurrence", "\(noun) not shown")
    case .ruleInOverride(hasSeries: true):
      ("is in an override, which cannot repeat", "ignored")
    case .ruleInOverride(hasSeries: false):
      (
        "is next to RECURRENCE-ID, but the series with this UID is missing",
        "read as a separate series"
      )
    case .untilBeforeStart(let effect):
      ("UNTIL is before DTSTART", Self.words(of: effect))
    case .ruleWithoutStart(isEmpty: true):
      ("has no occurrences", "only DTSTART is shown")
    case .ruleWithoutStart(isEmpty: false):
      ("has no occurrence on DTSTART", "DTSTART is shown too")

    // Time zones.
    case .zone(let name, let readAs):
      ("TZID \"\(name)\"", "read as \(readAs)")
    case .zoneOfDefinition(let name):
      ("TZID \"\(name)\"", "read with the VTIMEZONE of the file")
    case .unknownZone(let name, let otherCount, let use, let floating):
      (
        "unknown TZID \"\(name)\"\(otherCount > 0 ? " and \(otherCount) others" : "")",
        Self.words(of: use, otherwise: floating ?? "local time")
      )
    case .unknownCalendarZone(let name):
      ("\"\(name)\" is not a known time zone", "ignored")
    case .invalidZoneDate(let text):
      ("invalid date \"\(text)\"", "ignored")
    case .invalidZoneOffset(let text):
      ("invalid offset \"\(text)\"", "ignored")
    case .zoneDefinition(let problem, let isUsable):
      (
        "\(problem)",
        problem.isHarmless
          ? "read as a zone without daylight saving time"
          : isUsable ? "the valid parts are used" : "VTIMEZONE ignored"
      )
    case .otherZoneDefinition(let name, let usedLine):
      (
        "\"\(name)\" is already defined with different rules",
        "the definition on line \(usedLine) is used"
      )

    // Details.
    case .notUnderstood(let text, let effect):
      ("\"\(text)\" is not understood", Self.words(of: effect))
    case .malformedCoordinates(let text, let readAs):
      ("\"\(text)\" is malformed", "read as \"\(readAs)\"")
    case .omittedDetails(let count):
      (
        "\(count) of its properties and alarms are too long or too many",
        "not shown in the details"
      )

    // Messages.
    case .ignoredMethod(let method):
      ("\(method) messages do not change events", "ignored")
    case .cancellation(let outcome, let isKept):
      (
        Self.words(ofCancellation: outcome),
        isKept
          ? "nothing cancelled; if the event is imported later, it is cancelled then"
          : "nothing cancelled"
      )
    case .reply(let outcome, let isKept):
      (
        Self.words(ofReply: outcome),
        isKept ? "kept, in case the event is imported later" : Self.action(ofReply: outcome)
      )

    // Versions.
    case .sharedUID(let count, let positions):
      (
        "\(count) different \(eventKind.plural) have the same UID"
          + Self.words(of: positions, count: count),
        "all kept"
      )
    case .replacedEvents(let count, let byStamp, let positions):
      (
        "is \(byStamp ? "later" : "higher") than that of \(count) different"
          + " \(eventKind.plural) with the same UID\(byStamp ? " and start" : "")"
          + Self.words(of: positions, count: count),
        "they are not shown"
      )
    case .atMidnight(let isRead):
      (
        "is midnight, but the series has its occurrence of that date at another time",
        isRead ? "read as that occurrence" : "there are several, so all are shown"
      )
    case .staleOverride:
      ("a newer version of the series has removed this occurrence", "override not shown")
    case .tooMuchWork(let work):
      ("more components with this UID than can be compared", Self.words(of: work))

    // Windows.
    case .tooManyOccurrences(let limit):
      ("more than \(limit) occurrences in the window", "the rest is not shown")
    case .tooManyExcluded(let limit):
      (
        "almost all of more than \(limit) occurrences are excluded or duplicates",
        "the rest is not shown"
      )
    case .tooManyEntries(let limit, let day):
      ("more than \(limit) entries in the window", "the listing ends with \(day)")
    case .tooManyEntriesOfDay(let limit, let day):
      (
        "more than \(limit) entries in the window", "the listing ends during its first day, \(day)"
      )
    case .tooManySkippedEntries(let limit):
      (
        "more than \(limit) occurrences are excluded or duplicates",
        "the rest of this event is not shown"
      )
    case .tooManyAlarms(let limit):
      (
        "more than \(limit) alarms and repetitions in the calendars",
        "only the first ones of this event are listed"
      )
    case .windowOutsideTable(let calendar):
      (
        "the window goes beyond the known dates of \(calendar.withTableDates)",
        "no dates shown there"
      )
    case .repetitionOutsideTable(let calendar):
      (
        "DTSTART is outside the known dates of \(calendar.withTableDates)",
        "the \(noun) is shown without this repetition"
      )

    // What programs built on libical make of a component.
    case .libicalLosesParameters(let limit):
      (
        "libical reads only the first \(limit) parameters",
        "programs built on libical lose the others"
      )
    case .libicalRefuses:
      ("libical does not accept this property", "programs built on libical leave it out")
    case .libicalChangesText:
      (
        "libical reads a backslash that does not begin an escape as a space",
        "programs built on libical change the text"
      )
    case .libicalAcceptsInvalidTime(let text):
      (
        "\"\(text)\" is not a date, but libical accepts it",
        "programs built on libical show another date"
      )
    case .libicalReads(let value):
      ("libical reads this value as \(value)", "programs built on libical show that")
    case .libicalLosesValues(let read, let count):
      (
        "libical reads only the first \(read) of \(count) values",
        "programs built on libical lose the others"
      )
    case .libicalIgnoresValue:
      ("libical does not know this value", "programs built on libical may ignore it")
    case .libicalIgnoresKeyword(let parameter, let text):
      (
        "libical does not know the \(parameter) \"\(text)\"",
        "programs built on libical may ignore it"
      )

    // Sources and pictures.
    case .skippedFile(let reason):
      (reason, "file skipped")
    case .partOfFolder(let folder, let calendar):
      (
        "part of the folder \(folder), which is the calendar \(calendar)",
        "not imported, because the whole folder is imported with its calendar"
      )
    case .alsoInRoot(let root):
      ("also a calendar of the folder \(root)", "imported once")
    case .nameInUse(let name, let calendar):
      (
        "another source's calendar is called \(name)",
        "imported as \(calendar)"
      )
    case .alsoSingleFile(let file, let calendar):
      (
        "\(file) was also imported as a single file, calendar \(calendar)",
        "kept as part of the folder only"
      )
    case .picture(let problem):
      (Self.words(of: problem), "no thumbnail made")
    case .thumbnailsNotMade(let reason):
      ("thumbnails could not be made: \(reason)", Self.remainingThumbnails)
    case .thumbnailsNotStored(let reason):
      ("thumbnails could not be stored: \(reason)", Self.remainingThumbnails)
    case .thumbnailsLeft(let obstacle):
      ("\(obstacle)", Self.remainingThumbnails)

    case .sameCalendar(let origin, let calendar):
      ("the same calendar as \(calendar) of \(origin)", "not imported again")
    case .newOnServer(let names):
      ("new on the server: \(names)", "not imported")
    case .changeRefused(let title, let reason):
      ("\(title): \(reason)", "the change waits, and each refresh sends it again")
    case .openConflicts(let count):
      (
        "\(count) \(count == 1 ? "event was" : "events were") changed here and on the server",
        "both versions are kept"
      )
    case .readOnlyOnServer:
      ("you may only read this calendar", "what you changed earlier waits")

    case .words(let message, let action):
      (message, action)
    }
  }
}

// MARK: Parts

extension Finding {
  private static let remainingThumbnails = "the next import makes the remaining thumbnails"

  private static func words(of fault: TimeFault) -> String {
    switch fault {
    case .notDate: "not a date"
    case .noSuchDate: "no such date"
    case .notTime: "not a date and time"
    }
  }

  private static func words(of repair: TimeRepair) -> String {
    switch repair {
    case .extendedForm: "is written with separators"
    case .noSeconds: "has no seconds"
    case .hour24: "has hour 24"
    case .dateInUTC: "is a date with a Z"
    }
  }

  private static func words(of work: WorkBudget.Work) -> String {
    switch work {
    case .ruleChecks: "some overrides are assigned by their dates, without a look at the rules"
    case .comparisons, .answeredOccurrences: "some messages not applied"
    case .cancelledOccurrences:
      "some cancelled occurrences are shown without a check that the series has them"
    case .copies: "some occurrences that messages change are not completed from their series"
    }
  }

  private static func words(of effect: UntilEffect) -> String {
    switch effect {
    case .otherRules: "this rule has no occurrences"
    case .dates: "only the dates of RDATE are shown"
    case .nothing: "no occurrences shown"
    }
  }

  private static func words(of use: OtherTimeUse, otherwise local: String) -> String {
    switch use {
    case .none: "read as \(local)"
    case .some: "read in the zone of the event's other time, otherwise as \(local)"
    case .all: "read in the zone of the event's other time"
    }
  }

  private static func words(of effect: UnreadEffect) -> String {
    switch effect {
    case .notShown: "not shown in the details"
    case .ignored: "ignored"
    case .localTimes: "times without a zone read as local time"
    }
  }

  private static func words(ofCancellation outcome: Message.Outcome) -> String {
    switch outcome {
    case .missingEvent: "cancels an event that is missing"
    case .missingOccurrence: "cancels an occurrence that the series does not have"
    case .laterVersion: "cancels an event that has a later version"
    case .tooMany: "too many cancellations of events with this UID"
    case .notInvited, .appliedToListed, .effective: "cancels an event"
    }
  }

  private static func words(ofReply outcome: Message.Outcome) -> String {
    switch outcome {
    case .effective: "REPLY to an event"
    case .appliedToListed: "REPLY also for a person whom the event does not list"
    case .missingEvent: "REPLY to an event that is missing"
    case .laterVersion: "REPLY to an earlier version of the event"
    case .notInvited: "REPLY from a person whom the event does not list"
    case .missingOccurrence: "REPLY to an occurrence that the series does not have"
    case .tooMany: "too many answers to events or occurrences with this UID"
    }
  }

  private static func action(ofReply outcome: Message.Outcome) -> String {
    switch outcome {
    case .effective: "answer applied"
    case .appliedToListed: "only the answers of the others applied"
    case .missingEvent, .laterVersion, .notInvited, .missingOccurrence, .tooMany: "ignored"
    }
  }

  /// ` (lines 12, 40)`, ` (a.ics:12, b.ics:3)`
  private static func words(of positions: Positions, count: Int) -> String {
    let list: String
    switch positions {
    case .lines(let lines):
      if lines.isEmpty { return "" }
      list = "lines " + lines.map(String.init).joined(separator: ", ")
    case .files(let files):
      if files.isEmpty { return "" }
      list = files.joined(separator: ", ")
    }
    return " (\(list)\(count > Positions.most ? ", …" : ""))"
  }

  private static func words(of problem: PictureProblem) -> String {
    switch problem {
    case .tooManyBytes(let count): "the picture has \(count) bytes"
    case .tooLarge(let width, let height): "the picture claims \(width) × \(height) pixels"
    case .unreadable: "the picture cannot be read"
    case .decoderEnded: "the picture crashed its decoder"
    case .tookTooLong: "decoding the picture takes too long"
    }
  }
}

extension ThumbnailObstacle: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noProgram: "the decoder cannot be started"
    case .noLibrary: "libgd is not installed"
    case .tooManyLosses: "too many pictures crashed their decoder"
    case .tooMuchTime: "decoding the pictures takes too long"
    }
  }
}

extension CalendarSystem {
  /// `RSCALE=CHINESE (1900-01-31 to 2101-01-28)`
  fileprivate var withTableDates: String {
    let dates = tableDates.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
    return "RSCALE=\(rawValue)\(dates)"
  }
}
