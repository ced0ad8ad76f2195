package import AgendaCore
package import AgendaStore

/// What a person needs to know of a calendar before changing its entries.
package struct CalendarState: Sendable {
  package let name: String
  /// Whether agenda writes entries into one of its sources.
  package var isWritable = false
  /// The sources, as messages name them.
  package var sources: [ImportedSource] = []
  /// The number of changes that wait to be sent to the server of the calendar.
  package var waiting = 0
  /// The number of events that were changed here and on the server, and that are not settled.
  package var conflicts = 0
  /// The components that the changes and the conflicts are about. What was removed has none.
  package var waitingEvents: Set<EventReference> = []
  package var conflictingEvents: Set<EventReference> = []
}

extension StoreReader {
  /// The states of all calendars, without counts of their entries, which take long in a large store.
  package func calendarStates() throws(StoreError) -> [CalendarState] {
    try store.reading { () throws(StoreError) in
      let servers = try store.serverCalendars()
      let conflicts = servers.isEmpty ? [] : try openConflicts()
      var states: [CalendarState] = []
      for calendar in try calendars() {
        var state = CalendarState(name: calendar.name)
        for var summary in calendar.sources {
          let number = summary.number
          state.sources.append(summary.source)
          summary.isServerWritable = servers[number]?.isWritable == true
          if summary.isWritable { state.isWritable = true }
          if summary.source.kind == .server, servers[number] != nil {
            try add(conflicts.filter { $0.source == number }, of: number, to: &state)
          }
        }
        states.append(state)
      }
      return states
    }
  }

  private func add(
    _ conflicts: [ConflictRow], of source: Int, to state: inout CalendarState
  ) throws(StoreError) {
    state.conflicts += conflicts.count
    for conflict in conflicts {
      state.conflictingEvents.formUnion(try references(toDocument: conflict.name, of: source))
    }
    let waiting = try store.waitingDocuments(ofSource: source)
    state.waiting += waiting.count
    for document in waiting where document.revision != nil {
      state.waitingEvents.formUnion(try references(toDocument: document.name, of: source))
    }
  }

  private func references(
    toDocument name: String, of source: Int
  ) throws(StoreError) -> [EventReference] {
    guard let document = try store.document(source: source, name: name) else { return [] }
    return try store.knownComponents(ofDocument: document.id)
      .map { EventReference(source: source, component: $0.id) }
  }
}
