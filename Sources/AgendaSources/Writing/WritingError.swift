/// The reason why an event can't be written.
package enum WritingError: Error, Hashable, CustomStringConvertible {
  /// The event is a series, and the change needs a ``SeriesScope``.
  case needsScope
  /// agenda does not write to this source, because it is not a folder.
  case foreign(source: String)
  /// The user may only read this calendar on a server.
  case readOnly(calendar: String)
  /// The event was changed here and on its server, and both versions are kept until that is settled.
  case openConflict
  /// Another program has changed the event since the store read it.
  case conflict(file: String, stored: String, present: String)
  /// The event changed while a person edited its text. The texts are the first lines that differ: of
  /// the event at present, and of the text that the person received; `nil` if one of them ends before.
  case changedWhileEdited(present: String?, received: String?)
  /// Another program removed the file of the event.
  case missing(file: String)
  /// The event does not allow this change.
  case invalid(InvalidEdit)
  /// A line of an edited text cannot be read. Lines count from 0.
  case invalidLine(number: Int, reason: String)
  /// A property of the event cannot be read, so it cannot be changed.
  case damaged(property: String)
  /// The file cannot be written as it is.
  case unwritable(file: String, reason: String)
  /// An undo was refused, because the file was changed after agenda wrote it.
  case changedSinceWritten(file: String)
  /// A redo was refused, because the file was changed after the undo.
  case changedSinceUndone(file: String)
  /// The file has the change, but the store does not, and an obstacle prevents that the file gets its
  /// previous content again.
  case writtenButNotStored(file: String, reason: String, obstacle: String)
  /// No calendar has this name.
  case unknownCalendar(String, CalendarOwners)
  /// The calendar belongs to others, or has several folders, and agenda does not choose between them.
  case notOwn(calendar: String, folders: [String], CalendarOwners)
  /// A source cannot be imported into a calendar of the user's own.
  case ownCalendar(String)
  /// A calendar cannot get this name.
  case unusableName(String, reason: String)

  package var description: String {
    switch self {
    case .needsScope: "this is a series, and the change needs a scope"
    case .foreign(let source):
      "\(source) is a single file or an address, and agenda does not change those"
    case .openConflict:
      "the event was changed here and on the server, and that is not settled yet"
    case .readOnly(let calendar):
      "you may only read calendar \(calendar) on its server; nothing written"
    case .conflict(let file, let stored, let present):
      "\(file): the event was changed by another program, nothing written: "
        + "the store has \(stored), the file has \(present)"
    case .changedWhileEdited(let present, let received):
      "the event was changed while you edited it, so your text was not used: the event has "
        + "\(present ?? "no more lines"), your editor had \(received ?? "no such line")"
    case .missing(let file):
      "\(file): another program removed the file, nothing written"
    case .invalid(let edit): "\(edit)"
    case .invalidLine(let number, let reason): "line \(number + 1): \(reason)"
    case .damaged(let property): "the event's \(property) is damaged and cannot be changed"
    case .unwritable(let file, let reason): "\(file): \(reason)"
    case .changedSinceWritten(let file):
      "\(file): changed since agenda wrote it, so nothing was undone"
    case .changedSinceUndone(let file):
      "\(file): changed since agenda undid its change, so nothing was brought back"
    case .writtenButNotStored(let file, let reason, let obstacle):
      "\(file): the file has the change, but the store does not (\(reason)), and the file cannot be "
        + "restored (\(obstacle))"
    case .unknownCalendar(let name, let owners):
      "no calendar is called \"\(name)\"; \(owners)"
    case .notOwn(let calendar, let folders, let owners):
      folders.isEmpty
        ? "calendar \(calendar) takes no new events; \(owners)"
        : "calendar \(calendar) has several folders: \(folders.joined(separator: ", "))"
    case .ownCalendar(let name):
      "calendar \(name) is your own, so a source cannot be imported into it"
    case .unusableName(let name, let reason):
      "a calendar cannot be called \"\(name)\": \(reason)"
    }
  }
}
