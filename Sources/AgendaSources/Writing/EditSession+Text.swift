package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import ICalendar

extension EditSession {
  /// The event as text for a person to edit: one property per line.
  package func editableText(of occurrence: Occurrence, _ scope: SeriesScope?) throws -> String {
    let loaded = try load(occurrence)
    // This is checked before the person begins to write.
    if let path = try ownTarget(of: loaded).path { try FolderWriter.check(path) }
    let (name, _) = try store.nameAndMail(ofDocument: loaded.home.document)
    try checkConflicts([(loaded.source.id, name)])
    let members = loaded.members(of: loaded.current + loaded.overridesFromMessages)
    return try editor(members, occurrence).editableText(scope)
  }

  /// Changes an event to an edited text. `received` is the text that the person began with: if the
  /// event changed since then, nothing is written.
  package func rewrite(
    _ occurrence: Occurrence, as text: String, replacing received: String, _ scope: SeriesScope?
  ) throws -> WriteResult {
    let edited = EditedText(text)
    let loaded = try load(occurrence)
    return try change(loaded, .edit) { editor in
      try editor.checkUnchanged(received, scope)
      let (named, text) = try editor.namingZones(in: edited)
      var changes = try named.rewrite(text, scope)
      if changes.isEmpty { return changes }
      changes.add(named, from: editor)
      try check(text, of: loaded)
      return changes
    }
  }

  /// Reads the edited lines separately, so that a problem names its line.
  private func check(_ text: EditedText, of loaded: LoadedSeries) throws {
    let own = loaded.versions.filter { $0.document == loaded.home.document }
    let calendar = reader(loaded.event.calendar)
    let stored = try CalendarText(try loaded.text(of: own, store), reader: calendar, name: "")
    var known = KnownFindings(stored.file.findings)
    let lines = text.lines.map { Array($0.text.utf8) + Array("\r\n".utf8) }
    let definitions = stored.definitions(of: stored.definedZones)
    let bytes = CalendarText.wrapping([lines.flatMap(\.self)], definitions: definitions)
    let first = FileLines(CalendarText.wrapping([], definitions: definitions)).lines.count
    let read = try CalendarText(bytes, reader: calendar, name: "")
    for finding in read.file.findings where finding.isMistake && !known.remove(finding) {
      // END:VCALENDAR is the last line outside of the components.
      let place = finding.line.map { $0 - first } ?? 0
      let line = text.lines.indices.contains(place) ? text.lines[place].number : 0
      throw WritingError.invalidLine(number: line, reason: finding.reason)
    }
  }
}
