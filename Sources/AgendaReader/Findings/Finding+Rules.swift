package import AgendaCore
internal import CivilTime
internal import Recurrence

// Rules, dates and exceptions.

extension Finding {
  static func invalidRule(
    _ error: RuleError, _ action: Sentence, _ severity: Severity = .error
  ) -> Finding {
    // The event itself is complete. RFC 7529 4.1 allows a program to ignore such a rule.
    let isForeign = if case .otherCalendar = error.reason { true } else { false }
    return Finding(isForeign ? .warning : severity, "invalid-rule", error.sentence, action)
  }

  static func repairedRule(_ notes: [RuleText.Note]) -> Finding {
    Finding(
      .warning, "repaired-rule", notes.map(\.sentence).joined(separator: ", "),
      notes.map(\.action).joined(separator: ", "))
  }

  static func tooManyRules(limit: Int) -> Finding {
    Finding(
      .error, "too-many-rules", "more than \(varying: limit) rules in one event",
      "the rest ignored")
  }

  static func tooManyValues(limit: Int) -> Finding {
    Finding(.error, "too-many-values", "more than \(varying: limit) values", "the rest ignored")
  }

  static func costlyRules(_ kind: ComponentKind) -> Finding {
    Finding(
      .error, "costly-rules", "the rules of the source take too long to expand",
      Consequence.noRepetition.text(kind))
  }

  static func startOutsideTable(_ calendar: CalendarSystem, _ kind: ComponentKind) -> Finding {
    Finding(
      .warning, "start-outside-table",
      "DTSTART is outside the known dates of \(calendar.withTableDates)",
      Consequence.noRepetition.text(kind))
  }

  /// An EXDATE removes the only occurrence.
  static func excludedStart(_ kind: ComponentKind) -> Finding {
    Finding(
      .warning, "excluded-start", "excludes DTSTART, the only occurrence",
      "\(kind.eventKind.noun) not shown")
  }

  /// A rule in an override whose series is in the source.
  package static let ruleInOverride = Finding(
    .warning, "rule-in-override", "is in an override, which cannot repeat", "ignored")

  /// A rule in an override whose series is missing.
  static let ruleWithoutSeries = Finding(
    .warning, "rule-without-series",
    "is next to RECURRENCE-ID, but the series with this UID is missing",
    "read as a separate series")

  /// Whether it is about an override with a rule whose series is missing. A finding that counts
  /// several problems is not corrected.
  package var isAboutMissingSeries: Bool { count == 1 && code == Self.ruleWithoutSeries.code }

  /// `action` is what remains of a series if a rule ends before it begins.
  static func untilBeforeStart(_ action: Sentence) -> Finding {
    Finding(.note, "until-before-start", "UNTIL is before DTSTART", action)
  }

  package var isAboutUntilBeforeStart: Bool { code == "until-before-start" }

  static func ruleWithoutStart(isEmpty: Bool) -> Finding {
    Finding(
      .note, "rule-without-start",
      isEmpty ? "has no occurrences" : "has no occurrence on DTSTART",
      isEmpty ? "only DTSTART is shown" : "DTSTART is shown too")
  }
}
