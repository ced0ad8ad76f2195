extension Words {
  /// The full screen of `agenda browse`. What keys do is in small letters, without a verb where a noun is
  /// enough, because a line has many of them.
  package struct Browser: Sendable {
    /// Keys: one entry back, one entry on.
    package let entries: String
    package let days: String
    package let months: String
    package let pages: String
    /// The first and the last entry of the day.
    package let ends: String
    /// The keys 1 to 6, in this order.
    package let views: String
    /// To go to a date that is typed; also before the input.
    package let goTo: String
    /// Of an entry.
    package let details: String
    /// A page or an input.
    package let close: String
    /// To search; also before the input.
    package let search: String
    /// Search, the next match, the previous one.
    package let searches: String
    package let calendars: String
    /// A calendar in the legend.
    package let onOff: String
    /// To add an entry; also before the input.
    package let add: String
    /// A key that chooses the calendar of a new entry.
    package let otherCalendar: String
    package let edit: String
    package let editor: String
    package let remove: String
    /// To move an entry by a quarter of an hour.
    package let quarters: String
    package let dayShifts: String
    /// Of a task.
    package let done: String
    /// An invitation.
    package let reply: String
    package let explain: String
    /// The link of an entry.
    package let open: String
    package let undo: String
    package let undoAndRedo: String
    package let refresh: String
    /// To choose a version of an event that was changed here and on the server.
    package let settle: String
    /// The list of keys.
    package let help: String
    package let quit: String
    /// The letters o, f and a stay as they are.
    package let scopeQuestion: String
    /// The same for an answer to an invitation.
    package let replyScopeQuestion: String
    /// First the question, because what would be removed can be long. The letter y stays as it is.
    package let removalQuestion: Phrase1
    /// The letters a, d and t stay as they are.
    package let replyQuestion: String
    /// Before the name of the file for the message to the organizer.
    package let replyFile: String
    /// Of a change that waits for the server of its calendar.
    package let unsent: String
    /// Of an event that was changed here and on its server.
    package let conflict: String
    /// The letters m and t stay as they are.
    package let conflictQuestion: String
    package let noConflict: String
    /// Their number, and the key.
    package let openConflicts: Phrase2
    /// The user's version of a property, and the server's.
    package let mine: String
    package let theirs: String
    /// The keys of the fields of an entry.
    package let formHint: String
    /// Of an entry: how long it takes.
    package let length: String
    /// There are no more entries.
    package let nothingLater: String
    package let nothingEarlier: String
    package let noEntry: String
    package let noTask: String
    /// Sources that are named on the command line cannot be changed. The value is the command that
    /// imports them.
    package let onlyShown: Phrase1
    /// A question was not answered with its key.
    package let nothingDone: String
    package let loading: String
  }
}
