package import AgendaStore

/// Which calendars are the user's, so that events can be added to them, and which belong to others.
package struct CalendarOwners: Hashable, Sendable {
  package let own: [String]
  package let others: [String]

  package init(own: [String], others: [String]) {
    self.own = own
    self.others = others
  }
}

extension CalendarOwners: CustomStringConvertible {
  /// `you can add events to home and local; work belongs to others`
  package var description: String {
    let own = "you can add events to \(Self.list(own))"
    if others.isEmpty { return own }
    return "\(own); \(Self.list(others)) \(others.count == 1 ? "belongs" : "belong") to others"
  }

  /// The number of names of each kind.
  private static let mostNames = 10

  private static func list(_ names: [String]) -> String {
    var parts = Array(names.prefix(mostNames))
    if names.count > parts.count { parts.append("\(names.count - parts.count) more") }
    guard let last = parts.popLast() else { return "none" }
    return parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
  }
}

extension StoreReader {
  /// The calendar that only the store has of this name, if there is one, or can be.
  package func ownCalendar(named name: String) throws(StoreError) -> String? {
    let own = try presentSources().map(\.source).filter { $0.kind == .local }
    let hasLocal = own.contains { $0.location == ImportedSource.local.location }
    let names = hasLocal ? [] : [ImportedSource.local.calendar]
    return (own.map(\.calendar) + names).first { $0.lowercased() == name.lowercased() }
  }

  /// The first own calendar can be written although it is not there yet.
  package func calendarOwners() throws(StoreError) -> CalendarOwners {
    let states = try calendarStates()
    var own = states.filter(\.isWritable).map(\.name)
    if try store.sourceID(at: ImportedSource.local.location) == nil {
      own.append(ImportedSource.local.calendar)
    }
    return CalendarOwners(
      own: own.sorted(), others: states.filter { !$0.isWritable }.map(\.name).sorted())
  }
}
