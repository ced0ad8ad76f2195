package import AgendaStore

extension ImportedSource {
  /// The user's first own calendar. Own calendars have no source outside the store. It is there once it
  /// has an entry.
  package static let local = ImportedSource(
    kind: .local, location: "local:", calendar: "local", hasExplicitName: true)

  /// A new calendar of the user's own. `number` tells it from one that has got another name since.
  static func own(_ name: String, _ number: Int = 1) -> ImportedSource {
    ImportedSource(
      kind: .local, location: local.location + name + (number == 1 ? "" : " \(number)"),
      calendar: name, hasExplicitName: true)
  }

  /// What the user decided about events of sources that agenda does not write.
  package static let decisions = ImportedSource(
    kind: .decisions, location: "decisions:", calendar: "")
}

/// The document of some decisions: where their events were when the user decided. Their UIDs and
/// RECURRENCE-IDs say which events they are about, and `StoreReader` says where these are now.
struct DecisionPlace {
  /// The location of the source.
  let location: String
  /// The calendar of the events.
  let calendar: String?

  init(location: String, calendar: String) {
    self.location = location
    self.calendar = calendar
  }

  init(document name: String) {
    let parts = name.split(
      separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
    location = String(parts[0])
    calendar = parts.count > 1 ? String(parts[1]) : nil
  }

  var document: String { location + (calendar.map { "\(Self.separator)\($0)" } ?? "") }

  /// The separator of units in ASCII, which is in no path or address that people use.
  private static let separator: Character = "\u{1F}"
}
