internal import Recurrence

// The values of a finding about a rule, a time zone, an answer, a picture and several events.

extension RuleError.Reason: FindingCoding {
  enum Code: String, CaseIterable {
    case noFrequency = "no-frequency"
    case noValue = "no-value"
    case unknownWord = "unknown-word"
    case noNumber = "no-number"
    case outOfRange = "out-of-range"
    case noWeekday = "no-weekday"
    case noTime = "no-time"
    case repeated
    case otherCalendar = "other-calendar"
    case leapMonth = "leap-month"
    case unknownUnit = "unknown-unit"
    case nested
    case differentMinutes = "different-minutes"
    case tooManyValues = "too-many-values"
  }

  var content: (code: Code, values: [FindingValue]) {
    switch self {
    case .noFrequency: (.noFrequency, [])
    case .noValue: (.noValue, [])
    case .unknownWord(let word): (.unknownWord, [.listed(word)])
    case .noNumber(let text): (.noNumber, [.listed(text)])
    case .outOfRange(let number, let range):
      // Where negative numbers are allowed, 0 is another mistake than a number that is too high.
      (
        .outOfRange,
        [
          number == "0" ? .fixed(number) : .varying(number), .fixed(range.lowerBound),
          .fixed(range.upperBound),
        ]
      )
    case .noWeekday(let text): (.noWeekday, [.listed(text)])
    case .noTime(let text): (.noTime, [.listed(text)])
    case .repeated: (.repeated, [])
    case .otherCalendar(let name): (.otherCalendar, [.fixed(name)])
    case .leapMonth(let text): (.leapMonth, [.numbered(text)])
    case .unknownUnit: (.unknownUnit, [])
    case .nested(let unit): (.nested, [.numbered(unit)])
    case .differentMinutes: (.differentMinutes, [])
    case .tooManyValues: (.tooManyValues, [])
    }
  }

  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed) {
    switch code {
    case .noFrequency: self = .noFrequency
    case .noValue: self = .noValue
    case .unknownWord: self = .unknownWord(try values.value())
    case .noNumber: self = .noNumber(try values.value())
    case .outOfRange:
      let number: String = try values.value()
      let (low, high): (Int, Int) = (try values.value(), try values.value())
      guard low <= high else { throw FindingValues.Malformed(index: values.index - 1) }
      self = .outOfRange(number: number, low...high)
    case .noWeekday: self = .noWeekday(try values.value())
    case .noTime: self = .noTime(try values.value())
    case .repeated: self = .repeated
    case .otherCalendar: self = .otherCalendar(try values.value())
    case .leapMonth: self = .leapMonth(try values.value())
    case .unknownUnit: self = .unknownUnit
    case .nested: self = .nested(try values.value())
    case .differentMinutes: self = .differentMinutes
    case .tooManyValues: self = .tooManyValues
    }
  }
}

extension RuleText.Note: FindingCoding {
  enum Code: String, CaseIterable {
    case unknownPart = "unknown-part"
    case repeatedPart = "repeated-part"
    case emptyPart = "empty-part"
    case unreadablePart = "unreadable-part"
    case unreadableValue = "unreadable-value"
    case otherForm = "other-form"
    case countAndUntil = "count-and-until"
    case skipWithoutCalendar = "skip-without-calendar"
    case misplacedPart = "misplaced-part"
    case misplacedOrdinals = "misplaced-ordinals"
    case repeatedName = "repeated-name"
    case countBelowOne = "count-below-one"
  }

  var content: (code: Code, values: [FindingValue]) {
    switch self {
    case .unknownPart(let part): (.unknownPart, [.numbered(part)])
    case .repeatedPart(let part): (.repeatedPart, [.numbered(part)])
    case .emptyPart(let part): (.emptyPart, [.fixed(part)])
    case .unreadablePart(let error):
      (.unreadablePart, [.numbered(error.part)] + error.reason.coded)
    case .unreadableValue(let error, let others):
      (.unreadableValue, [.numbered(error.part), .varying(others)] + error.reason.coded)
    case .otherForm(let part, let readAs): (.otherForm, [.numbered(part), .numbered(readAs)])
    case .countAndUntil: (.countAndUntil, [])
    case .skipWithoutCalendar: (.skipWithoutCalendar, [])
    case .misplacedPart(let part): (.misplacedPart, [.fixed(part)])
    case .misplacedOrdinals: (.misplacedOrdinals, [])
    case .repeatedName(let name): (.repeatedName, [.listed(name)])
    case .countBelowOne(let part): (.countBelowOne, [.numbered(part)])
    }
  }

  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed) {
    switch code {
    case .unknownPart: self = .unknownPart(try values.value())
    case .repeatedPart: self = .repeatedPart(try values.value())
    case .emptyPart: self = .emptyPart(try values.value())
    case .unreadablePart:
      let part: String = try values.value()
      self = .unreadablePart(RuleError(try values.coded(), part: part))
    case .unreadableValue:
      let (part, others): (String, Int) = (try values.value(), try values.value())
      self = .unreadableValue(RuleError(try values.coded(), part: part), others: others)
    case .otherForm:
      self = .otherForm(try values.value(), readAs: try values.value())
    case .countAndUntil: self = .countAndUntil
    case .skipWithoutCalendar: self = .skipWithoutCalendar
    case .misplacedPart: self = .misplacedPart(try values.value())
    case .misplacedOrdinals: self = .misplacedOrdinals
    case .repeatedName: self = .repeatedName(try values.value())
    case .countBelowOne: self = .countBelowOne(try values.value())
    }
  }
}

extension ZoneDefinitionProblem: FindingCoding {
  enum Code: String, CaseIterable {
    case noObservance = "no-observance"
    case tooManyObservances = "too-many-observances"
    case missingStart = "missing-start"
    case missingOffsetTo = "missing-offset-to"
    case missingOffsetFrom = "missing-offset-from"
    case offsetOutOfRange = "offset-out-of-range"
    case tooManyOnsets = "too-many-onsets"
    case onlyDaylight = "only-daylight"
    case identicalOffsets = "identical-offsets"
  }

  var content: (code: Code, values: [FindingValue]) {
    switch self {
    case .noObservance: (.noObservance, [])
    case .tooManyObservances(let count): (.tooManyObservances, [.varying(count)])
    case .missingStart(let number, let name): (.missingStart, [.varying(number), .fixed(name)])
    case .missingOffsetTo(let number, let name):
      (.missingOffsetTo, [.varying(number), .fixed(name)])
    case .missingOffsetFrom(let number, let name):
      (.missingOffsetFrom, [.varying(number), .fixed(name)])
    case .offsetOutOfRange(let number, let name, let offset):
      (.offsetOutOfRange, [.varying(number), .fixed(name), .varying(offset)])
    case .tooManyOnsets(let number, let name): (.tooManyOnsets, [.varying(number), .fixed(name)])
    case .onlyDaylight: (.onlyDaylight, [])
    case .identicalOffsets(let offset): (.identicalOffsets, [.varying(offset)])
    }
  }

  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed) {
    switch code {
    case .noObservance: self = .noObservance
    case .tooManyObservances: self = .tooManyObservances(try values.value())
    case .missingStart:
      self = .missingStart(observance: try values.value(), component: try values.value())
    case .missingOffsetTo:
      self = .missingOffsetTo(observance: try values.value(), component: try values.value())
    case .missingOffsetFrom:
      self = .missingOffsetFrom(observance: try values.value(), component: try values.value())
    case .offsetOutOfRange:
      self = .offsetOutOfRange(
        observance: try values.value(), component: try values.value(), offset: try values.value())
    case .tooManyOnsets:
      self = .tooManyOnsets(observance: try values.value(), component: try values.value())
    case .onlyDaylight: self = .onlyDaylight
    case .identicalOffsets: self = .identicalOffsets(try values.value())
    }
  }
}

extension PictureProblem: FindingCoding {
  enum Code: String, CaseIterable {
    case tooManyBytes = "too-many-bytes"
    case tooLarge = "too-large"
    case unreadable
    case decoderEnded = "decoder-ended"
    case tookTooLong = "took-too-long"
  }

  var content: (code: Code, values: [FindingValue]) {
    switch self {
    case .tooManyBytes(let count): (.tooManyBytes, [.varying(count)])
    case .tooLarge(let width, let height): (.tooLarge, [.varying(width), .varying(height)])
    case .unreadable: (.unreadable, [])
    case .decoderEnded: (.decoderEnded, [])
    case .tookTooLong: (.tookTooLong, [])
    }
  }

  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed) {
    switch code {
    case .tooManyBytes: self = .tooManyBytes(try values.value())
    case .tooLarge: self = .tooLarge(width: try values.value(), height: try values.value())
    case .unreadable: self = .unreadable
    case .decoderEnded: self = .decoderEnded
    case .tookTooLong: self = .tookTooLong
    }
  }
}

extension Finding.Positions: FindingCoding {
  enum Code: String, CaseIterable {
    case lines, files
  }

  /// Events of several files are named, and so not combined with those of other files.
  var content: (code: Code, values: [FindingValue]) {
    switch self {
    case .lines(let lines): (.lines, lines.map { .position($0) })
    case .files(let files): (.files, files.map { .fixed($0) })
    }
  }

  init(_ code: Code, _ values: inout FindingValues) throws(FindingValues.Malformed) {
    switch code {
    case .lines: self = .lines(try values.rest())
    case .files: self = .files(try values.rest())
    }
  }
}
