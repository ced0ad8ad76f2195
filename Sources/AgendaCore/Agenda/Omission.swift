/// What a selection can leave out of a day, so that a sentence about a day without entries does not
/// claim that nothing is there.
package enum Omission: Hashable, Sendable {
  case nothing
  /// Entries that have started.
  case started
  /// Entries that do not match.
  case unmatched
  /// Both.
  case startedAndUnmatched
}

extension Selection {
  package var omission: Omission {
    let isFiltered =
      !keepsWholeDays || !calendars.isEmpty || !excludedCalendars.isEmpty || notDeclinedBy != nil
    if notStartedAt != nil { return isFiltered ? .startedAndUnmatched : .started }
    return isFiltered ? .unmatched : .nothing
  }
}
