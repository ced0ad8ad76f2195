package import AgendaCore
package import CivilTime

/// What a person asks for, beyond looking at days.
package enum BrowserCommand: Hashable, Sendable {
  /// A page about the entry, so many columns wide.
  case details(BrowserTarget, columns: Int)
  case explanation(BrowserTarget, columns: Int)
  /// The address to open.
  case link(BrowserTarget)
  /// Opens an address, maybe on the terminal.
  case launch(String)
  /// What the words of a new entry mean.
  case preview(NewEntry)
  case add(NewEntry)
  /// Whether an entry can be changed.
  case check(BrowserTarget)
  /// The fields of an entry, if it can be changed.
  case fields(BrowserTarget)
  case edit(BrowserTarget, [FormField.Name: String], SeriesScope?)
  /// In the editor, which uses the terminal.
  case editText(BrowserTarget, SeriesScope?)
  case move(BrowserTarget, days: Int, minutes: Int, SeriesScope?)
  /// `isTrial` only says what would be removed.
  case remove(BrowserTarget, SeriesScope?, isTrial: Bool)
  case complete(BrowserTarget)
  /// Whether the user is invited and can answer.
  case invitation(BrowserTarget)
  /// `file` gets the message for the organizer; without one, the answer is only recorded. The scope is
  /// never `following`.
  case reply(BrowserTarget, BrowserReply, SeriesScope?, file: String)
  /// Of several occurrences that come back, the one nearest to the day is selected.
  /// The import of a whole calendar is only undone if a person has agreed to it.
  case undo(near: CivilDate, isAgreed: Bool = false)
  case redo(near: CivilDate)
  case refresh
  /// Both versions of an event that was changed here and on its server.
  case conflict(BrowserTarget?)
  case resolve(OpenConflict, isMine: Bool)
  /// The next entry with these words after a moment of a day, or the last one before it.
  case find(EntrySearch)
}

package struct EntrySearch: Hashable, Sendable {
  package let words: String
  package let date: CivilDate
  /// `nil` to begin with the first entry of the day.
  package let target: BrowserTarget?
  package let forward: Bool
  /// The calendars that are switched off.
  package let hidden: Set<String>
}

/// A new entry as a person describes it.
package struct NewEntry: Hashable, Sendable {
  package let words: String
  /// The day of words without a date; `nil` for a task.
  package let date: CivilDate?
  /// `nil` for the one that `agenda add` takes.
  package let calendar: String?
}

/// An event that was changed here and on its server.
package struct OpenConflict: Hashable, Sendable {
  package let uid: String
  package let calendar: String

  package init(uid: String, calendar: String) { (self.uid, self.calendar) = (uid, calendar) }
}

package enum BrowserReply: String, Hashable, Sendable {
  case accept, decline, tentative
}

/// A property of an entry that a person can edit, as text.
package struct FormField: Hashable, Sendable {
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case title, start, length, due, location, note, link, categories, repetition, status, calendar
  }

  package let name: Name
  package let label: String
  package let text: String

  package init(_ name: Name, label: String, text: String) {
    (self.name, self.label, self.text) = (name, label, text)
  }
}

/// What became of a command.
package struct BrowserAnswer: Sendable {
  package enum Content: Sendable {
    /// One line that says what happened.
    case message
    case page(BrowserPage)
    case form([FormField])
    case found(BrowserTarget, on: CivilDate)
    case foundNothing
    case link(String)
    /// The user can answer. `needsFile` unless the server of the calendar sends the answer.
    case invitation(needsFile: Bool)
    case conflict(OpenConflict, BrowserPage)
    /// What would be undone is an import.
    case isImport
  }

  package var content: Content
  /// Without control characters.
  package var text: String
  package var hasFailed: Bool
  /// The lines of a text with several.
  package var lines: [String] = []
  /// What a command that was done warns of.
  package var warnings: [String] = []
  /// The entry that was added or changed.
  package var target: BrowserTarget?

  package init(
    _ content: Content = .message, text: String = "", hasFailed: Bool = false
  ) {
    (self.content, self.text, self.hasFailed) = (content, text, hasFailed)
  }
}

/// Lines about an entry.
package struct BrowserPage: Sendable {
  package enum Line: Sendable {
    case text(String)
    case heading(String)
    /// Two rows of a picture in one line.
    case picture([PixelPair])
  }

  package struct PixelPair: Hashable, Sendable {
    package let upper: Pixel
    package let lower: Pixel

    package init(upper: Pixel, lower: Pixel) { (self.upper, self.lower) = (upper, lower) }
  }

  package struct Pixel: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  package var lines: [Line]

  package init(_ lines: [Line]) { self.lines = lines }
}
