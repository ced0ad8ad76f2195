internal import AgendaKit
internal import CivilTime

extension CommandRun {
  /// Prints one warning if calendars of the store were not refreshed for so long.
  func warnOfCalendars(olderThan age: Age, _ request: AgendaRequest) throws {
    let viewer = request.viewer
    let store = try store(request.input.store, for: viewer)
    let names = try store.calendarNames(notReadSince: viewer.now.adding(seconds: -age.seconds))
    guard let first = names.first else { return }
    messages.warn(
      names.count == 1
        ? "\(first) was not refreshed for \(age.text)"
        : "\(names.count) calendars were not refreshed for \(age.text): "
          + names.joined(separator: ", "))
  }
}

extension CalendarStore {
  /// The names of the calendars with a source that was not read successfully since a moment.
  fileprivate func calendarNames(notReadSince moment: Instant) throws -> [String] {
    let states = try subscriptions()
    let stale = try calendars().filter { calendar in
      calendar.sources.contains { source in
        guard [.url, .file, .folder, .server].contains(source.source.kind) else { return false }
        let success = states[source.source.location]?.lastSuccess
        guard let last = [success, source.lastImport].compactMap(\.self).max() else { return true }
        return last < moment
      }
    }
    return stale.map(\.name)
  }
}
