internal import AgendaCore
public import AgendaSources

extension CalendarStore {
  /// The events that were changed here and on their CalDAV server in ways that cannot be merged, the
  /// oldest first. ``StoreWriter/resolve(_:_:)`` settles one.
  public func conflicts() throws(CalendarError) -> [ServerConflict] {
    try asking { reader in
      guard let reader else { return [] }
      return try EditSession(try editing(now: configuration.clock()), store: reader.store)
        .conflicts()
    }
  }
}

extension StoreWriter {
  /// Both versions of an event as one text for a person to edit: the lines of your version, and in
  /// comments what the server has in their place.
  public func editableText(of conflict: ServerConflict) throws(CalendarError) -> String {
    try CalendarError.catching { try session().editableText(ofConflict: conflict.number) }
  }

  /// The title that the event has once it is settled in this way.
  package func title(
    of conflict: ServerConflict, after choice: ServerConflict.Choice
  ) throws(CalendarError) -> String {
    try CalendarError.catching { try session().title(ofConflict: conflict.number, after: choice) }
  }

  /// Settles a conflict. A version that takes the place of the server's waits to be sent, by the next
  /// refresh or by ``exchange(calendars:)``. ``undo()`` opens the question again.
  @discardableResult
  public func resolve(
    _ conflict: ServerConflict, _ choice: ServerConflict.Choice
  ) throws(CalendarError) -> Written {
    try writing { try $0.resolve(conflict: conflict.number, choice) }
  }
}
