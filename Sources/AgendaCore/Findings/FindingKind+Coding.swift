internal import CivilTime
internal import Recurrence

/// Codes and values of findings. A store keeps them, so a code never gets another meaning.
extension Finding.Kind {
  /// A short identifier of the case.
  package var code: String { content.code.rawValue }

  /// The values of the case, as text.
  package var values: [String] { content.values.map(\.text) }

  /// `nil` for an unknown code, or if the values do not fit it.
  package init?(code: String, values: [String]) {
    guard let code = Code(rawValue: code) else { return nil }
    var values = FindingValues(values)
    guard let kind = try? Self(code, &values), values.isAtEnd else { return nil }
    self = kind
  }
}

extension Finding.Kind: FindingCoding {
  enum Code: String, CaseIterable {
    case invalidUTF16 = "invalid-utf16"
    case invalidText = "invalid-text"
    case nulBytes = "nul-bytes"
    case linesNotUTF8 = "lines-not-utf8"
    case textNotUTF8 = "text-not-utf8"
    case unsupportedCharset = "unsupported-charset"
    case missingConverter = "missing-converter"
    case textNotInCharset = "text-not-in-charset"
    case strayLine = "stray-line"
    case openQuote = "open-quote"
    case invalidBase64 = "invalid-base64"
    case moreProblems = "more-problems"
    case unclosedBeforeCalendar = "unclosed-before-calendar"
    case unclosedAtEnd = "unclosed-at-end"
    case unclosedCalendar = "unclosed-calendar"
    case unclosed
    case unclosedInner = "unclosed-inner"
    case unmatchedEnd = "unmatched-end"
    case tooDeep = "too-deep"
    case outsideCalendar = "outside-calendar"
    case severalCalendars = "several-calendars"
    case vCalendar1 = "vcalendar-1"
    case repeatedProperty = "repeated-property"
    case missingStart = "missing-start"
    case invalidTime = "invalid-time"
    case repairedTime = "repaired-time"
    case timeMarkedAsDate = "time-marked-as-date"
    case missingZone = "missing-zone"
    case zoneNextToLocalStart = "zone-next-to-local-start"
    case timeNextToDate = "time-next-to-date"
    case dateNextToTime = "date-next-to-time"
    case endBeforeStart = "end-before-start"
    case durationNextToEnd = "duration-next-to-end"
    case invalidDuration = "invalid-duration"
    case malformedDuration = "malformed-duration"
    case negativeDuration = "negative-duration"
    case invalidPeriodDuration = "invalid-period-duration"
    case periodEndBeforeStart = "period-end-before-start"
    case notPeriod = "not-a-period"
    case busyTimeNotUTC = "busy-time-not-utc"
    case invalidSequence = "invalid-sequence"
    case invalidStamp = "invalid-stamp"
    case invalidRule = "invalid-rule"
    case repairedRule = "repaired-rule"
    case tooManyRules = "too-many-rules"
    case tooManyValues = "too-many-values"
    case costlyRules = "costly-rules"
    case startOutsideTable = "start-outside-table"
    case excludedStart = "excluded-start"
    case ruleInOverride = "rule-in-override"
    case untilBeforeStart = "until-before-start"
    case ruleWithoutStart = "rule-without-start"
    case zone
    case zoneOfDefinition = "zone-of-definition"
    case unknownZone = "unknown-zone"
    case unknownCalendarZone = "unknown-calendar-zone"
    case invalidZoneDate = "invalid-zone-date"
    case invalidZoneOffset = "invalid-zone-offset"
    case zoneDefinition = "zone-definition"
    case otherZoneDefinition = "other-zone-definition"
    case notUnderstood = "not-understood"
    case malformedCoordinates = "malformed-coordinates"
    case omittedDetails = "omitted-details"
    case ignoredMethod = "ignored-method"
    case cancellation
    case reply
    case sharedUID = "shared-uid"
    case replacedEvents = "replaced-events"
    case atMidnight = "at-midnight"
    case staleOverride = "stale-override"
    case tooMuchWork = "too-much-work"
    case tooManyOccurrences = "too-many-occurrences"
    case tooManyExcluded = "too-many-excluded"
    case tooManyEntries = "too-many-entries"
    case tooManyEntriesOfDay = "too-many-entries-of-day"
    case tooManySkippedEntries = "too-many-skipped-entries"
    case tooManyAlarms = "too-many-alarms"
    case windowOutsideTable = "window-outside-table"
    case repetitionOutsideTable = "repetition-outside-table"
    case libicalLosesParameters = "libical-loses-parameters"
    case libicalRefuses = "libical-refuses"
    case libicalChangesText = "libical-changes-text"
    case libicalAcceptsInvalidTime = "libical-accepts-invalid-time"
    case libicalReads = "libical-reads"
    case libicalLosesValues = "libical-loses-values"
    case libicalIgnoresValue = "libical-ignores-value"
    case libicalIgnoresKeyword = "libical-ignores-keyword"
    case skippedFile = "skipped-file"
    case partOfFolder = "part-of-folder"
    case alsoInRoot = "also-in-root"
    case alsoSingleFile = "also-single-file"
    case nameInUse = "name-in-use"
    case picture
    case thumbnailsNotMade = "thumbnails-not-made"
    case thumbnailsNotStored = "thumbnails-not-stored"
    case thumbnailsLeft = "thumbnails-left"
    case sameCalendar = "same-calendar"
    case newOnServer = "new-on-server"
    case changeRefused = "change-refused"
    case openConflicts = "open-conflicts"
    case readOnlyOnServer = "read-only-on-server"
    case words
  }

  var content: (code: Code, values: [FindingValue]) {
    switch self {
    case .invalidUTF16: (.invalidUTF16, [])
    case .invalidText(let encoding): (.invalidText, [.fixed(encoding)])
    case .nulBytes(let count): (.nulBytes, [.varying(count)])
    case .linesNotUTF8: (.linesNotUTF8, [])
    case .textNotUTF8: (.textNotUTF8, [])
    case .unsupportedCharset(let name): (.unsupportedCharset, [.fixed(name)])
    case .missingConverter(let name): (.missingConverter, [.fixed(name)])
    case .textNotInCharset(let name): (.textNotInCharset, [.fixed(name)])
    case .strayLine(let isText): (.strayLine, [.fixed(isText)])
    case .openQuote: (.openQuote, [])
    case .invalidBase64: (.invalidBase64, [])
    case .moreProblems(let count): (.moreProblems, [.varying(count)])
    case .unclosedBeforeCalendar: (.unclosedBeforeCalendar, [])
    case .unclosedAtEnd: (.unclosedAtEnd, [])
    case .unclosedCalendar: (.unclosedCalendar, [])
    case .unclosed: (.unclosed, [])
    case .unclosedInner: (.unclosedInner, [])
    case .unmatchedEnd(let name): (.unmatchedEnd, [.fixed(name)])
    case .tooDeep(let limit): (.tooDeep, [.varying(limit)])
    case .outsideCalendar: (.outsideCalendar, [])
    case .severalCalendars(let count): (.severalCalendars, [.varying(count)])
    case .vCalendar1: (.vCalendar1, [])
    case .repeatedProperty: (.repeatedProperty, [])
    case .missingStart: (.missingStart, [])
    case .invalidTime(let text, let fault, let consequence):
      (.invalidTime, [.listed(text), .fixed(fault), .fixed(consequence)])
    case .repairedTime(let text, let repair, let readAs):
      (.repairedTime, [.listed(text), .fixed(repair), .numbered(readAs)])
    case .timeMarkedAsDate: (.timeMarkedAsDate, [])
    case .missingZone(let startIsUTC, let reading):
      (.missingZone, [.fixed(startIsUTC), .fixed(reading)])
    case .zoneNextToLocalStart: (.zoneNextToLocalStart, [])
    case .timeNextToDate: (.timeNextToDate, [])
    case .dateNextToTime: (.dateNextToTime, [])
    case .endBeforeStart: (.endBeforeStart, [])
    case .durationNextToEnd: (.durationNextToEnd, [])
    case .invalidDuration(let text): (.invalidDuration, [.listed(text)])
    case .malformedDuration(let text, let readAs):
      (.malformedDuration, [.listed(text), .numbered(readAs)])
    case .negativeDuration(let text): (.negativeDuration, [.listed(text)])
    case .invalidPeriodDuration(let text): (.invalidPeriodDuration, [.listed(text)])
    case .periodEndBeforeStart(let text): (.periodEndBeforeStart, [.listed(text)])
    case .notPeriod(let text): (.notPeriod, [.listed(text)])
    case .busyTimeNotUTC(let text, let zone): (.busyTimeNotUTC, [.listed(text), .fixed(zone)])
    case .invalidSequence(let text): (.invalidSequence, [.listed(text)])
    case .invalidStamp(let text): (.invalidStamp, [.listed(text)])
    case .invalidRule(let reason, let part, let consequence):
      (.invalidRule, [.numbered(part), .fixed(consequence)] + reason.coded)
    case .repairedRule(let notes): (.repairedRule, notes.flatMap(\.coded))
    case .tooManyRules(let limit): (.tooManyRules, [.varying(limit)])
    case .tooManyValues(let limit): (.tooManyValues, [.varying(limit)])
    case .costlyRules: (.costlyRules, [])
    case .startOutsideTable(let calendar): (.startOutsideTable, [.fixed(calendar)])
    case .excludedStart: (.excludedStart, [])
    case .ruleInOverride(let hasSeries): (.ruleInOverride, [.fixed(hasSeries)])
    case .untilBeforeStart(let effect): (.untilBeforeStart, [.fixed(effect)])
    case .ruleWithoutStart(let isEmpty): (.ruleWithoutStart, [.fixed(isEmpty)])
    case .zone(let name, let readAs): (.zone, [.fixed(name), .fixed(readAs)])
    case .zoneOfDefinition(let name): (.zoneOfDefinition, [.fixed(name)])
    case .unknownZone(let name, let otherCount, let use, let floating):
      (.unknownZone, [.fixed(name), .fixed(otherCount), .fixed(use), .fixed(floating ?? "")])
    case .unknownCalendarZone(let name): (.unknownCalendarZone, [.fixed(name)])
    case .invalidZoneDate(let text): (.invalidZoneDate, [.listed(text)])
    case .invalidZoneOffset(let text): (.invalidZoneOffset, [.listed(text)])
    case .zoneDefinition(let problem, let isUsable):
      (.zoneDefinition, [.fixed(isUsable)] + problem.coded)
    case .otherZoneDefinition(let name, let line):
      (.otherZoneDefinition, [.listed(name), .position(line)])
    case .notUnderstood(let text, let effect): (.notUnderstood, [.listed(text), .fixed(effect)])
    case .malformedCoordinates(let text, let readAs):
      (.malformedCoordinates, [.listed(text), .varying(readAs)])
    case .omittedDetails(let count): (.omittedDetails, [.varying(count)])
    case .ignoredMethod(let method): (.ignoredMethod, [.fixed(method)])
    case .cancellation(let outcome, let isKept): (.cancellation, [.fixed(outcome), .fixed(isKept)])
    case .reply(let outcome, let isKept): (.reply, [.fixed(outcome), .fixed(isKept)])
    case .sharedUID(let count, let positions): (.sharedUID, [.varying(count)] + positions.coded)
    case .replacedEvents(let count, let byStamp, let positions):
      (.replacedEvents, [.varying(count), .fixed(byStamp)] + positions.coded)
    case .atMidnight(let isRead): (.atMidnight, [.fixed(isRead)])
    case .staleOverride: (.staleOverride, [])
    case .tooMuchWork(let work): (.tooMuchWork, [.fixed(work)])
    case .tooManyOccurrences(let limit): (.tooManyOccurrences, [.varying(limit)])
    case .tooManyExcluded(let limit): (.tooManyExcluded, [.varying(limit)])
    case .tooManyEntries(let limit, let day): (.tooManyEntries, [.varying(limit), .fixed(day)])
    case .tooManyEntriesOfDay(let limit, let day):
      (.tooManyEntriesOfDay, [.varying(limit), .fixed(day)])
    case .tooManySkippedEntries(let limit): (.tooManySkippedEntries, [.varying(limit)])
    case .tooManyAlarms(let limit): (.tooManyAlarms, [.varying(limit)])
    case .windowOutsideTable(let calendar): (.windowOutsideTable, [.fixed(calendar)])
    case .repetitionOutsideTable(let calendar): (.repetitionOutsideTable, [.fixed(calendar)])
    case .libicalLosesParameters(let limit): (.libicalLosesParameters, [.varying(limit)])
    case .libicalRefuses: (.libicalRefuses, [])
    case .libicalChangesText: (.libicalChangesText, [])
    case .libicalAcceptsInvalidTime(let text): (.libicalAcceptsInvalidTime, [.listed(text)])
    case .libicalReads(let value): (.libicalReads, [.numbered(value)])
    case .libicalLosesValues(let read, let count):
      (.libicalLosesValues, [.varying(read), .varying(count)])
    case .libicalIgnoresValue: (.libicalIgnoresValue, [])
    case .libicalIgnoresKeyword(let parameter, let text):
      (.libicalIgnoresKeyword, [.fixed(parameter), .listed(text)])
    case .skippedFile(let reason): (.skippedFile, [.numbered(reason)])
    case .partOfFolder(let folder, let calendar):
      (.partOfFolder, [.fixed(folder), .fixed(calendar)])
    case .alsoInRoot(let root): (.alsoInRoot, [.fixed(root)])
    case .alsoSingleFile(let file, let calendar):
      (.alsoSingleFile, [.fixed(file), .fixed(calendar)])
    case .nameInUse(let name, let calendar): (.nameInUse, [.fixed(name), .fixed(calendar)])
    case .picture(let problem): (.picture, problem.coded)
    case .thumbnailsNotMade(let reason): (.thumbnailsNotMade, [.fixed(reason)])
    case .thumbnailsNotStored(let reason): (.thumbnailsNotStored, [.fixed(reason)])
    case .thumbnailsLeft(let obstacle): (.thumbnailsLeft, [.fixed(obstacle)])
    case .sameCalendar(let origin, let calendar):
      (.sameCalendar, [.fixed(origin), .fixed(calendar)])
    case .newOnServer(let names): (.newOnServer, [.fixed(names)])
    case .changeRefused(let title, let reason):
      (.changeRefused, [.fixed(title), .fixed(reason)])
    case .openConflicts(let count): (.openConflicts, [.fixed(count)])
    case .readOnlyOnServer: (.readOnlyOnServer, [])
    case .words(let message, let action): (.words, [.fixed(message), .fixed(action)])
    }
  }

  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed) {
    switch code {
    case .invalidUTF16: self = .invalidUTF16
    case .invalidText: self = .invalidText(encoding: try values.value())
    case .nulBytes: self = .nulBytes(try values.value())
    case .linesNotUTF8: self = .linesNotUTF8
    case .textNotUTF8: self = .textNotUTF8
    case .unsupportedCharset: self = .unsupportedCharset(try values.value())
    case .missingConverter: self = .missingConverter(try values.value())
    case .textNotInCharset: self = .textNotInCharset(try values.value())
    case .strayLine: self = .strayLine(isText: try values.value())
    case .openQuote: self = .openQuote
    case .invalidBase64: self = .invalidBase64
    case .moreProblems: self = .moreProblems(try values.value())
    case .unclosedBeforeCalendar: self = .unclosedBeforeCalendar
    case .unclosedAtEnd: self = .unclosedAtEnd
    case .unclosedCalendar: self = .unclosedCalendar
    case .unclosed: self = .unclosed
    case .unclosedInner: self = .unclosedInner
    case .unmatchedEnd: self = .unmatchedEnd(try values.value())
    case .tooDeep: self = .tooDeep(limit: try values.value())
    case .outsideCalendar: self = .outsideCalendar
    case .severalCalendars: self = .severalCalendars(try values.value())
    case .vCalendar1: self = .vCalendar1
    case .repeatedProperty: self = .repeatedProperty
    case .missingStart: self = .missingStart
    case .invalidTime: self = .invalidTime(try values.value(), try values.word(), try values.word())
    case .repairedTime:
      self = .repairedTime(try values.value(), try values.word(), readAs: try values.value())
    case .timeMarkedAsDate: self = .timeMarkedAsDate
    case .missingZone: self = .missingZone(startIsUTC: try values.value(), try values.word())
    case .zoneNextToLocalStart: self = .zoneNextToLocalStart
    case .timeNextToDate: self = .timeNextToDate
    case .dateNextToTime: self = .dateNextToTime
    case .endBeforeStart: self = .endBeforeStart
    case .durationNextToEnd: self = .durationNextToEnd
    case .invalidDuration: self = .invalidDuration(try values.value())
    case .malformedDuration:
      self = .malformedDuration(try values.value(), readAs: try values.value())
    case .negativeDuration: self = .negativeDuration(try values.value())
    case .invalidPeriodDuration: self = .invalidPeriodDuration(try values.value())
    case .periodEndBeforeStart: self = .periodEndBeforeStart(try values.value())
    case .notPeriod: self = .notPeriod(try values.value())
    case .busyTimeNotUTC: self = .busyTimeNotUTC(try values.value(), zone: try values.value())
    case .invalidSequence: self = .invalidSequence(try values.value())
    case .invalidStamp: self = .invalidStamp(try values.value())
    case .invalidRule:
      let (part, consequence): (String, Finding.Consequence) = (
        try values.value(), try values.word()
      )
      self = .invalidRule(try values.coded(), part: part, consequence)
    case .repairedRule:
      var notes: [RuleText.Note] = []
      while !values.isAtEnd { notes.append(try values.coded()) }
      self = .repairedRule(notes)
    case .tooManyRules: self = .tooManyRules(limit: try values.value())
    case .tooManyValues: self = .tooManyValues(limit: try values.value())
    case .costlyRules: self = .costlyRules
    case .startOutsideTable: self = .startOutsideTable(try values.word())
    case .excludedStart: self = .excludedStart
    case .ruleInOverride: self = .ruleInOverride(hasSeries: try values.value())
    case .untilBeforeStart: self = .untilBeforeStart(try values.word())
    case .ruleWithoutStart: self = .ruleWithoutStart(isEmpty: try values.value())
    case .zone: self = .zone(try values.value(), readAs: try values.value())
    case .zoneOfDefinition: self = .zoneOfDefinition(try values.value())
    case .unknownZone:
      self = .unknownZone(
        try values.value(), otherCount: try values.value(), try values.word(),
        floating: try values.optional())
    case .unknownCalendarZone: self = .unknownCalendarZone(try values.value())
    case .invalidZoneDate: self = .invalidZoneDate(try values.value())
    case .invalidZoneOffset: self = .invalidZoneOffset(try values.value())
    case .zoneDefinition:
      let isUsable: Bool = try values.value()
      self = .zoneDefinition(try values.coded(), isUsable: isUsable)
    case .otherZoneDefinition:
      self = .otherZoneDefinition(try values.value(), usedLine: try values.value())
    case .notUnderstood: self = .notUnderstood(try values.value(), try values.word())
    case .malformedCoordinates:
      self = .malformedCoordinates(try values.value(), readAs: try values.value())
    case .omittedDetails: self = .omittedDetails(try values.value())
    case .ignoredMethod: self = .ignoredMethod(try values.value())
    case .cancellation: self = .cancellation(try values.word(), isKept: try values.value())
    case .reply: self = .reply(try values.word(), isKept: try values.value())
    case .sharedUID: self = .sharedUID(count: try values.value(), try values.coded())
    case .replacedEvents:
      self = .replacedEvents(
        count: try values.value(), byStamp: try values.value(), try values.coded())
    case .atMidnight: self = .atMidnight(isRead: try values.value())
    case .staleOverride: self = .staleOverride
    case .tooMuchWork: self = .tooMuchWork(try values.word())
    case .tooManyOccurrences: self = .tooManyOccurrences(limit: try values.value())
    case .tooManyExcluded: self = .tooManyExcluded(limit: try values.value())
    case .tooManyEntries:
      self = .tooManyEntries(limit: try values.value(), lastDay: try values.value())
    case .tooManyEntriesOfDay:
      self = .tooManyEntriesOfDay(limit: try values.value(), day: try values.value())
    case .tooManySkippedEntries: self = .tooManySkippedEntries(limit: try values.value())
    case .tooManyAlarms: self = .tooManyAlarms(limit: try values.value())
    case .windowOutsideTable: self = .windowOutsideTable(try values.word())
    case .repetitionOutsideTable: self = .repetitionOutsideTable(try values.word())
    case .libicalLosesParameters: self = .libicalLosesParameters(limit: try values.value())
    case .libicalRefuses: self = .libicalRefuses
    case .libicalChangesText: self = .libicalChangesText
    case .libicalAcceptsInvalidTime: self = .libicalAcceptsInvalidTime(try values.value())
    case .libicalReads: self = .libicalReads(try values.value())
    case .libicalLosesValues:
      self = .libicalLosesValues(read: try values.value(), count: try values.value())
    case .libicalIgnoresValue: self = .libicalIgnoresValue
    case .libicalIgnoresKeyword:
      self = .libicalIgnoresKeyword(parameter: try values.value(), try values.value())
    case .skippedFile: self = .skippedFile(reason: try values.value())
    case .partOfFolder: self = .partOfFolder(try values.value(), calendar: try values.value())
    case .alsoInRoot: self = .alsoInRoot(try values.value())
    case .alsoSingleFile: self = .alsoSingleFile(try values.value(), calendar: try values.value())
    case .nameInUse: self = .nameInUse(try values.value(), calendar: try values.value())
    case .picture: self = .picture(try values.coded())
    case .thumbnailsNotMade: self = .thumbnailsNotMade(reason: try values.value())
    case .thumbnailsNotStored: self = .thumbnailsNotStored(reason: try values.value())
    case .thumbnailsLeft: self = .thumbnailsLeft(try values.word())
    case .sameCalendar: self = .sameCalendar(try values.value(), calendar: try values.value())
    case .newOnServer: self = .newOnServer(try values.value())
    case .changeRefused:
      self = .changeRefused(title: try values.value(), reason: try values.value())
    case .openConflicts: self = .openConflicts(try values.value())
    case .readOnlyOnServer: self = .readOnlyOnServer
    case .words: self = .words(message: try values.value(), action: try values.value())
    }
  }
}
