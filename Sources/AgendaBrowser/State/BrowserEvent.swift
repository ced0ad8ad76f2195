package import CivilTime

/// What happens to a browser.
package enum BrowserEvent: Sendable {
  case input(InputEvent)
  case resized(columns: Int, rows: Int)
  /// A minute has passed.
  case time(Instant)
  case loaded(DaysPart, generation: Int)
  case loadedBusy(BusyPart, generation: Int)
  case tasks([BrowserTask], generation: Int)
  case calendars([BrowserCalendar])
  /// The calendars may be others now.
  case changed
  case answered(BrowserAnswer, to: Int)
  /// A line about work that goes on beside the screen; `nil` when it has ended.
  case progress(String?)
  /// What is asked is on the screen, and all keys before it were handed over.
  case drawn
  /// The calendars cannot be read.
  case failed(String)
  /// The calendars are damaged, and there is nothing left to show or to change.
  case lost(String)
}

/// What a browser wants to be done.
package enum BrowserRequest: Hashable, Sendable {
  /// Read these days, without some calendars; if there is a limit, only the first entries of each.
  case load(DateWindow, hidden: Set<String>, generation: Int, atMost: Int? = nil)
  /// Read the busy times of these days.
  case loadBusy(DateWindow, hidden: Set<String>, generation: Int)
  case loadTasks(hidden: Set<String>, generation: Int)
  case run(BrowserCommand, number: Int)
  /// Stop until the user continues.
  case suspend
  /// Write the whole screen again.
  case redraw
  case quit
}
