internal import AgendaCore
internal import AgendaReader
internal import Recurrence

// Sources, thumbnails and servers.

extension Finding {
  /// A file of a folder that cannot be read.
  static func skippedFile(_ error: ReaderError) -> Finding {
    Finding(.error, "skipped-file", "\(numbered: "\(error)")", "file skipped")
  }

  var isAboutSkippedFile: Bool { code == "skipped-file" }

  static func partOfFolder(_ folder: String, calendar: String) -> Finding {
    Finding(
      .warning, "part-of-folder",
      "part of the folder \(folder), which is the calendar \(calendar)",
      "not imported, because the whole folder is imported with its calendar")
  }

  static func alsoInRoot(_ root: String) -> Finding {
    Finding(
      .warning, "also-in-root", "also a calendar of the folder \(root)", "imported once")
  }

  /// A source that is part of the imported one now, or has moved there; its location.
  static func takenIn(_ location: String, calendar: String) -> Finding {
    Finding(
      .warning, "taken-in", "\(location) was imported before, calendar \(calendar)",
      "kept here only, with what you decided about its events")
  }

  /// Another source that has only events of the imported one; its location.
  static func sameEvents(_ location: String, calendar: String) -> Finding {
    Finding(
      .warning, "same-events", "\(listed: location), calendar \(calendar), has the same events",
      "listed twice")
  }

  /// Another source's calendar has the name that a source states.
  static func nameInUse(_ name: String, calendar: String) -> Finding {
    Finding(
      .note, "name-in-use", "another source's calendar is called \(name)",
      "imported as \(calendar)")
  }
}

// MARK: Thumbnails

extension Finding {
  static func thumbnailsNotMade(_ error: any Error) -> Finding {
    thumbnails("thumbnails could not be made: \("\(error)")")
  }

  static func thumbnailsNotStored(_ error: any Error) -> Finding {
    thumbnails("thumbnails could not be stored: \("\(error)")")
  }

  static func thumbnailsLeft(_ obstacle: ThumbnailObstacle) -> Finding {
    thumbnails("\(obstacle)")
  }

  private static func thumbnails(_ message: Sentence) -> Finding {
    Finding(
      .warning, "thumbnails-left", message, "the next import makes the remaining thumbnails")
  }
}

// MARK: Servers

extension Finding {
  /// A calendar that the store has from the same server under another name; that one's origin.
  static func sameCalendar(_ origin: String, calendar: String) -> Finding {
    Finding(
      .warning, "same-calendar", "the same calendar as \(listed: calendar) of \(origin)",
      "not imported again")
  }

  /// Calendars of a server that the user has not imported.
  static func newOnServer(_ names: [String]) -> Finding {
    Finding(
      .warning, "new-on-server", "new on the server: \(names.joined(separator: ", "))",
      "not imported")
  }

  /// A server refused to store a change, which waits.
  static func changeRefused(title: String, reason: String) -> Finding {
    Finding(
      .error, "change-refused", "\(title): \(reason)",
      "the change waits, and each refresh sends it again")
  }

  /// A move to another calendar of a server that waits, because one of the two cannot be changed now.
  static func moveWaits(title: String, from: String, to: String) -> Finding {
    Finding(
      .error, "move-waits", "\(title): not yet moved from \(from) to \(to) on the server",
      "the move waits as a whole")
  }

  /// Objects that a server lists and did not send.
  static func notDelivered(_ titles: String, reason: String) -> Finding {
    Finding(
      .warning, "not-delivered", "the server did not send \(titles): \(reason)",
      "kept as it was; each refresh asks for it again")
  }

  /// Events that were changed here and on the server.
  static func openConflicts(_ count: Int) -> Finding {
    Finding(
      .warning, "open-conflicts",
      "\(count) \(count == 1 ? "event was" : "events were") changed here and on the server",
      "both versions are kept")
  }

  /// Changes wait, although the user may only read the calendar now.
  static let readOnlyOnServer = Finding(
    .error, "read-only-on-server", "you may only read this calendar",
    "what you changed earlier waits")
}
