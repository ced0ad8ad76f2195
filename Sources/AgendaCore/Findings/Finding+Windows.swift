internal import CivilTime
internal import Recurrence

// Limits of what a window lists.

extension Finding {
  static func tooManyOccurrences(limit: Int) -> Finding {
    Finding(
      .warning, "too-many-occurrences",
      "more than \(varying: limit) occurrences in the window", "the rest is not shown")
  }

  static func tooManyExcluded(limit: Int) -> Finding {
    Finding(
      .warning, "too-many-excluded",
      "almost all of more than \(varying: limit) occurrences are excluded or duplicates",
      "the rest is not shown")
  }

  static func tooManySkippedEntries(limit: Int) -> Finding {
    Finding(
      .warning, "too-many-skipped-entries",
      "more than \(varying: limit) occurrences are excluded or duplicates",
      "the rest of this event is not shown")
  }

  /// `day` is the last one of the listing, which may end before the end of its first day.
  static func tooManyEntries(limit: Int, day: CivilDate, isFirst: Bool) -> Finding {
    Finding(
      .error, "too-many-entries", "more than \(varying: limit) entries in the window",
      end(day, isFirst))
  }

  static func tooMuchText(day: CivilDate, isFirst: Bool) -> Finding {
    Finding(
      .error, "too-much-text", "too much text in the entries of the window", end(day, isFirst))
  }

  private static func end(_ day: CivilDate, _ isFirst: Bool) -> Sentence {
    isFirst ? "the listing ends during its first day, \(day)" : "the listing ends with \(day)"
  }

  /// Whether a listing ends before its window does, because it has too many entries.
  package var cutsListing: Bool { ["too-many-entries", "too-much-text"].contains(code) }

  package static func tooManyAlarms(limit: Int) -> Finding {
    Finding(
      .warning, "too-many-alarms",
      "more than \(varying: limit) alarms and repetitions in the calendars",
      "only the first ones of this event are listed")
  }

  static func windowOutsideTable(_ calendar: CalendarSystem) -> Finding {
    Finding(
      .warning, "window-outside-table",
      "the window goes beyond the known dates of \(calendar.withTableDates)",
      "no dates shown there")
  }

  static func repetitionOutsideTable(_ calendar: CalendarSystem, of kind: Event.Kind) -> Finding {
    Finding(
      .warning, "repetition-outside-table",
      "DTSTART is outside the known dates of \(calendar.withTableDates)",
      "the \(kind.noun) is shown without this repetition")
  }
}

extension CalendarSystem {
  /// `RSCALE=CHINESE (1900-01-31 to 2101-01-28)`
  package var withTableDates: String {
    let dates = tableDates.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
    return "RSCALE=\(rawValue)\(dates)"
  }
}
