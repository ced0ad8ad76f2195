package import AgendaCore
package import AgendaSources

/// What was changed here and on a server.
extension StoreWriter {
  /// The events that were changed here and on their server, and that are not settled.
  package func conflicts() throws -> [ServerConflict] {
    guard try store.opened() != nil else { return [] }
    return try session().conflicts()
  }

  /// Both versions of an event, as text to edit.
  package func editableText(of conflict: ServerConflict) throws -> String {
    try session().editableText(ofConflict: conflict.number)
  }

  /// The title that the event has once it is settled in this way.
  package func title(
    of conflict: ServerConflict, after choice: ServerConflict.Choice
  ) throws -> String {
    try session().title(ofConflict: conflict.number, after: choice)
  }

  /// Settles a conflict. Returns the calendars on servers that the change waits to be sent to.
  package func resolve(
    _ conflict: ServerConflict, _ choice: ServerConflict.Choice
  ) throws -> [String] {
    try session().resolve(conflict: conflict.number, choice).serverCalendars
  }
}

extension ServerConflict {
  /// The identifier of the event: that of its first occurrence.
  package func id(in store: CalendarStore) throws -> OccurrenceID? {
    let first = try occurrences(in: store)
    return (first.theirs ?? first.mine).map { OccurrenceID(of: $0) }
  }

  /// The first occurrence of both versions; `nil` if a side removed the event.
  package func occurrences(
    in store: CalendarStore
  ) throws -> (mine: Occurrence?, theirs: Occurrence?) {
    let zone = try store.configuration.zone()
    return (
      StoreWriter.Written.first(of: mine, zone: zone),
      StoreWriter.Written.first(of: theirs, zone: zone)
    )
  }
}
