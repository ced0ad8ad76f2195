internal import AgendaKit
internal import CivilTime

extension CommandRun {
  /// Prints one warning if calendars of the store were not refreshed for so long.
  func warnOfCalendars(olderThan age: Age, _ request: AgendaRequest) throws {
    let viewer = request.viewer
    let store = try store(request.input.store, for: viewer)
    let names = try store.staleCalendars(since: viewer.now.adding(seconds: -age.seconds))
    guard let first = names.first else { return }
    messages.warn(
      names.count == 1
        ? "\(first) was not refreshed for \(age.text)"
        : "\(names.count) calendars were not refreshed for \(age.text): "
          + names.joined(separator: ", "))
  }
}
