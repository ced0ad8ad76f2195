public import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import ICalendar

/// An event that was changed here and on its CalDAV server in ways that cannot be merged. The calendar
/// shows the server's version until the conflict is settled.
public struct ServerConflict: Hashable, Sendable {
  /// Identifies it as long as it is not settled.
  package let number: Int
  /// The name of the calendar.
  public let calendar: String
  package let uid: String
  /// The title of the event.
  public let title: String
  /// The properties that differ.
  public let properties: [Property]
  /// Your version: the event, then its changed occurrences; empty if you removed the event.
  public let mine: [Event]
  /// The version of the server; empty if somebody removed the event there.
  public let theirs: [Event]

  /// A property that differs.
  public struct Property: Hashable, Sendable {
    /// The name of the property, such as `LOCATION`.
    public let name: String
    /// Its value in your version; `nil` if it does not have the property.
    public let mine: String?
    /// Its value on the server; `nil` if the event does not have the property there.
    public let theirs: String?
  }

  /// How a conflict is settled.
  public enum Choice: Hashable, Sendable {
    /// Your version takes the place of the server's.
    case mine
    /// Your version is dropped.
    case theirs
    /// A text takes the place of the server's version. `StoreWriter.editableText(of:)` has both versions
    /// for a person to edit.
    case text(String)
  }
}

extension StoreReader {
  /// The conflicts that are not settled. One is settled by itself when both versions are equal again.
  func openConflicts() throws(StoreError) -> [ConflictRow] {
    var open: [ConflictRow] = []
    for row in try store.conflicts() {
      var theirs: [UInt8]?
      if let document = try store.document(source: row.source, name: row.name) {
        theirs = try StoredText(store: store).document(document, keepsEmpty: false)
      }
      if let mine = row.mine, let theirs {
        if !ObjectText.areEqual(mine, theirs) { open.append(row) }
      } else if row.mine != nil || theirs != nil {
        open.append(row)
      }
    }
    return open
  }
}

extension EditSession {
  /// The conflicts that are not settled, the oldest first.
  package func conflicts() throws -> [ServerConflict] {
    try reader.openConflicts().compactMap { row in
      try conflict(row).map { try described($0) }
    }
  }

  /// A conflict with the texts of both versions.
  private struct Loaded {
    let row: ConflictRow
    let place: ServerPlace
    let theirs: [UInt8]?
  }

  private func conflict(_ row: ConflictRow) throws -> Loaded? {
    guard let source = try reader.source(row.source) else { return nil }
    let document = try store.document(source: row.source, name: row.name)
    return Loaded(
      row: row, place: ServerPlace(source.source),
      theirs: try document.map {
        try StoredText(store: store).document($0, keepsEmpty: false)
      })
  }

  private func described(_ loaded: Loaded) throws -> ServerConflict {
    let (mine, theirs) = (
      ObjectText(loaded.row.mine ?? []), ObjectText(loaded.theirs ?? [])
    )
    let own = try events(loaded.row.mine, loaded.place)
    let others = try events(loaded.theirs, loaded.place)
    let properties = mine.differences(from: theirs).map { key, name in
      ServerConflict.Property(
        name: name, mine: mine.components[key]?.value(of: name),
        theirs: theirs.components[key]?.value(of: name))
    }
    return ServerConflict(
      number: loaded.row.id, calendar: loaded.place.calendar,
      uid: (others.first ?? own.first)?.identity.uid ?? "",
      title: theirs.title ?? mine.title ?? loaded.row.name, properties: properties, mine: own,
      theirs: others)
  }

  private func events(_ text: [UInt8]?, _ place: ServerPlace) throws -> [Event] {
    guard let text else { return [] }
    let file = try read(text, .server(place), "", calendar: place.calendar).file
    return file.allEvents.map { event in
      // No source of the store has the own version.
      var event = event
      event.ownDetails = file.details(of: event.reference)
      return event
    }
  }

  /// Both versions as text for a person: the own lines, and what the server has in comments.
  package func editableText(ofConflict number: Int) throws -> String {
    let loaded = try loaded(number)
    let (mine, theirs) = (
      ObjectText(loaded.row.mine ?? loaded.theirs ?? []), ObjectText(loaded.theirs ?? [])
    )
    var lines: [String] = []
    for key in mine.order {
      guard let component = mine.components[key] else { continue }
      let other = theirs.components[key]
      var noted: Set<String> = []
      for line in component.text.lines {
        let name = PropertyLine(line.content).name
        if line.depth == 1, !line.isProperty("BEGIN"), !line.isProperty("END"),
          !ObjectText.stamps.contains(name), !component.hasSame(name, as: other),
          noted.insert(name).inserted
        {
          let others = other?.lines[name] ?? []
          lines += others.map { "# the server has: \(EditedText.shown($0))" }
          if others.isEmpty { lines.append("# the server does not have \(name)") }
        }
        if line.depth == 1, line.isProperty("END") {
          for (name, values) in (other?.lines ?? [:]).sorted(by: { $0.key < $1.key })
          where component.lines[name] == nil && !ObjectText.stamps.contains(name) {
            lines += values.map { "# the server has: \(EditedText.shown($0))" }
          }
        }
        lines.append(EditedText.shown(line.content))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func loaded(_ number: Int) throws -> Loaded {
    guard let row = try reader.openConflicts().first(where: { $0.id == number }),
      let loaded = try conflict(row)
    else { throw StoreError.unknown(what: "conflict", name: "\(number)") }
    return loaded
  }

  /// Settles a conflict, as one change that `undo` reverts. A version that takes the place of the server's
  /// waits to be sent.
  package func resolve(conflict number: Int, _ choice: ServerConflict.Choice) throws -> WriteResult
  {
    let loaded = try loaded(number)
    let target = EditTarget.server(loaded.place)
    let versions = [loaded.row.mine, loaded.theirs].compactMap(\.self)
    let texts = try versions.map { try read($0, target, "", calendar: loaded.place.calendar) }
    let event = texts.lazy.compactMap(\.file.allEvents.first).first
    var edit = PlannedEdit(
      .resolve, kind: event?.kind ?? .event, uid: event?.identity.uid ?? "")
    edit.known = KnownFindings(texts.flatMap(\.file.findings))
    edit.settledConflict = number
    let new: [UInt8]?
    switch choice {
    case .theirs:
      edit.changes = try partsToDrop(with: loaded.row)
      return try commit(edit)
    case .mine: new = loaded.row.mine
    case .text(let text): new = try self.text(EditedText(text), of: versions)
    }
    try checkWritable(target)
    edit.changes = [
      DocumentChange(target: target, name: loaded.row.name, old: loaded.theirs, new: new)
    ]
    return try commit(edit)
  }

  /// The other part of a change whose first part is dropped: where an event was moved to, or the series
  /// that goes on where the old one ended. The server does not have it yet.
  private func partsToDrop(with conflict: ConflictRow) throws -> [DocumentChange] {
    let part = LinkedChanges.Part(source: conflict.source, name: conflict.name)
    return try LinkedChanges(reader).links(toOld: part).compactMap { link in
      guard let source = try reader.source(link.new.source),
        let document = try store.document(source: link.new.source, name: link.new.name)
      else { return nil }
      return DocumentChange(
        target: .server(ServerPlace(source.source)), name: link.new.name,
        old: try StoredText(store: store).document(document, keepsEmpty: false), new: nil)
    }
  }

  /// The title that the event has after a conflict was settled in this way. A removed event keeps the
  /// title that it had.
  package func title(ofConflict number: Int, after choice: ServerConflict.Choice) throws -> String {
    let loaded = try loaded(number)
    let versions = [loaded.row.mine, loaded.theirs]
    let chosen: [UInt8]?
    switch choice {
    case .mine: chosen = loaded.row.mine
    case .theirs: chosen = loaded.theirs
    case .text(let text):
      chosen = try self.text(EditedText(text), of: versions.compactMap(\.self))
    }
    for text in [chosen] + versions {
      let events = try events(text, loaded.place)
      if let event = events.first(where: { $0.identity.recurrenceID == nil }) ?? events.first {
        return event.title
      }
    }
    return loaded.row.name
  }

  /// A calendar of edited components, with the zones of both versions.
  private func text(_ edited: EditedText, of versions: [[UInt8]]) throws -> [UInt8] {
    let components = try edited.components().map { lines in
      lines.flatMap { FileLines.folded(Array($0.text.utf8)) }
    }
    guard !components.isEmpty else { throw WritingError.invalid(because: .textWithoutEvent) }
    var zones: [String: [UInt8]] = [:]
    for version in versions { zones.merge(ObjectText(version).zones) { first, _ in first } }
    let new = NewDefinitions(zones: options.zones)
    let missing = new.names(in: components).subtracting(zones.keys)
    let definitions =
      zones.sorted { $0.key < $1.key }.flatMap(\.value) + new.definitions(of: missing)
    return CalendarText.wrapping(components, definitions: definitions)
  }
}
