internal import AgendaCore
internal import CivilTime
internal import Recurrence

// Times, lengths and time zones.

extension Finding {
  /// What a problem that cannot be repaired leads to.
  enum Consequence {
    case ignored
    case rejected
    /// The rule is ignored; the event is shown once.
    case noRepetition

    func text(_ kind: ComponentKind) -> Sentence {
      switch self {
      case .ignored: "ignored"
      case .rejected: "\(kind.eventKind.noun) rejected"
      case .noRepetition:
        "ignored; the \(kind.eventKind.noun) is shown without this repetition"
      }
    }
  }

  static func missingStart(_ kind: ComponentKind) -> Finding {
    Finding(.error, "missing-start", "missing DTSTART", Consequence.rejected.text(kind))
  }

  /// `fault` says what is wrong with the text.
  static func invalidTime(
    _ text: String, of property: String, _ fault: String, _ action: Sentence
  ) -> Finding {
    Finding(.error, "invalid-time", "invalid \(property) \"\(listed: text)\": \(fault)", action)
  }

  /// `repair` is the deviation from the RFC.
  static func repairedTime(_ text: String, _ repair: String, readAs: String) -> Finding {
    Finding(
      .warning, "repaired-time", "\"\(listed: text)\" \(repair)", "read as \(numbered: readAs)")
  }

  static let timeMarkedAsDate = Finding(
    .warning, "time-marked-as-date", "VALUE=DATE, but this is a time", "read as a time")

  /// A time without a zone next to a DTSTART that has one. The zone of the series may be another one than
  /// that of an override.
  static func missingZone(startIsUTC: Bool, isOfSeries: Bool = false) -> Finding {
    Finding(
      .warning, "missing-zone",
      "has no TZID, but DTSTART \(startIsUTC ? "is in UTC" : "has one")",
      isOfSeries
        ? "read in the zone of the series"
        : startIsUTC ? "read in UTC" : "read in the same zone")
  }

  static let zoneNextToLocalStart = Finding(
    .warning, "zone-next-to-local-start", "has a time zone, but DTSTART has none",
    "DTSTART read as local time")

  static let timeNextToDate = Finding(
    .warning, "time-next-to-date", "is a time, but DTSTART is a date",
    "read as the end of that day")

  static let dateNextToTime = Finding(
    .warning, "date-next-to-time", "is a date, but DTSTART is a time",
    "read as the start of that date")

  static let endBeforeStart = Finding(
    .warning, "end-before-start", "is before DTSTART", "ignored")

  static func durationNextToEnd(_ kind: ComponentKind) -> Finding {
    Finding(
      .warning, "duration-next-to-end",
      "is set in addition to \(kind == .task ? "DUE" : "DTEND")", "ignored")
  }

  static func invalidDuration(_ text: String) -> Finding {
    Finding(.error, "invalid-duration", "invalid duration \"\(listed: text)\"", "ignored")
  }

  static func malformedDuration(_ text: String, readAs: String) -> Finding {
    Finding(
      .warning, "malformed-duration", "\"\(listed: text)\" is malformed",
      "read as \(numbered: readAs)")
  }

  static func negativeDuration(_ text: String) -> Finding {
    Finding(.warning, "negative-duration", "\"\(listed: text)\" is negative", "sign ignored")
  }

  static func invalidPeriodDuration(_ text: String) -> Finding {
    Finding(
      .error, "invalid-period-duration", "invalid duration \"\(listed: text)\" of a period",
      "ignored")
  }

  static func periodEndBeforeStart(_ text: String) -> Finding {
    Finding(
      .warning, "period-end-before-start",
      "\"\(listed: text)\" is before the start of its period", "ignored")
  }

  static func notPeriod(_ text: String) -> Finding {
    Finding(.warning, "not-period", "\"\(listed: text)\" is not a period", "ignored")
  }

  /// A FREEBUSY that should be in UTC.
  static func busyTimeNotUTC(_ text: String, zone: Zone) -> Finding {
    Finding(
      .warning, "busy-time-not-utc", "\"\(listed: text)\" is not in UTC", "read as \(zone.name)")
  }

  /// A negative number is older than all versions, as 0 is.
  static func invalidSequence(_ text: String, isNegative: Bool) -> Finding {
    Finding(
      isNegative ? .note : .warning, "invalid-sequence",
      "invalid sequence number \"\(listed: text)\"", "read as 0")
  }

  static func invalidStamp(_ text: String) -> Finding {
    Finding(
      .warning, "invalid-stamp", "invalid date and time \"\(listed: text)\"", "ignored")
  }
}

// MARK: Zones

extension Finding {
  static func zone(_ name: String, readAs zone: Zone) -> Finding {
    Finding(.warning, "zone", "TZID \"\(name)\"", "read as \(zone.name)")
  }

  static func zoneOfDefinition(_ name: String) -> Finding {
    Finding(
      .warning, "zone-of-definition", "TZID \"\(name)\"", "read with the VTIMEZONE of the file")
  }

  /// `inOtherZone` is the number of its uses next to a time with a known zone, in which they are read.
  /// `floating` is the zone of local times.
  static func unknownZone(
    _ name: String, uses: Int, inOtherZone count: Int, floating: Zone?
  ) -> Finding {
    let local = floating?.name ?? "local time"
    return Finding(
      .warning, "unknown-zone", "unknown TZID \"\(name)\"",
      count == 0
        ? "read as \(local)"
        : count < uses
          ? "read in the zone of the event's other time, otherwise as \(local)"
          : "read in the zone of the event's other time")
  }

  static func unknownCalendarZone(_ name: String) -> Finding {
    Finding(
      .warning, "unknown-calendar-zone", "\"\(name)\" is not a known time zone", "ignored")
  }

  static func invalidZoneDate(_ text: String) -> Finding {
    Finding(.warning, "invalid-zone-date", "invalid date \"\(listed: text)\"", "ignored")
  }

  static func invalidZoneOffset(_ text: String) -> Finding {
    Finding(.warning, "invalid-zone-offset", "invalid offset \"\(listed: text)\"", "ignored")
  }

  static func zoneDefinition(_ problem: ZoneDefinitionProblem, isUsable: Bool) -> Finding {
    Finding(
      problem.isHarmless ? .note : .warning, "zone-definition", problem.sentence,
      problem.isHarmless
        ? "read as a zone without daylight saving time"
        : isUsable ? "the valid parts are used" : "VTIMEZONE ignored")
  }

  static func otherZoneDefinition(_ name: String, usedLine: Int) -> Finding {
    Finding(
      .warning, "other-zone-definition",
      "\"\(listed: name)\" is already defined with different rules",
      "the definition on line \(position: usedLine) is used")
  }
}
