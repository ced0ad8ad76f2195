/// The reason why a whole source was refused although it can be read.
package enum SourceRefusal: Error, Hashable {
  /// The source is empty, or has less than half of its previous events.
  case shrunk(from: Int, to: Int)
  /// A strict import accepts no rejected component.
  case rejectedComponents(Int)
}

extension SourceRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .shrunk(let before, 0):
      "the source has no entries left; it had \(before)"
    case .shrunk(let before, let after):
      "the source has only \(after) of \(before) entries left"
    case .rejectedComponents(let count):
      "rejected components: \(count), which a strict import refuses"
    }
  }
}

/// What the user can do about the error of a source.
package enum SourceRemedy: Hashable, Sendable {
  /// The file is missing. This removes its events from the store, too.
  case remove(location: String)
  /// The calendar is gone from its server. This removes it from the store, too.
  case removeCalendar(String)
  /// The calendar is gone from its server, and entries that were never sent are only in the store.
  case moveOut(calendar: String, count: Int)
  /// The folder has no calendars. One can begin there.
  case beginCalendar(path: String)
  /// The user can be named apart from the address.
  case nameUser
  /// Several accounts have the address, so that the user must be named.
  case chooseUser
  /// Some calendars of a server can be chosen by their names.
  case chooseCalendars
  /// The store can be checked.
  case checkStore
  /// The advice of the program that fetches addresses.
  case words(String)
}
