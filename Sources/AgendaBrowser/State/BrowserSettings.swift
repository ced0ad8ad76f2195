package import AgendaCore
package import AgendaRendering
package import CivilTime

/// What does not change while a browser runs.
package struct BrowserSettings: Sendable {
  package var zone: Zone
  package var wording: DateWording
  package var secondZone: Zone?
  package var color: ColorDepth
  package var keys = KeyBindings.usual
  package var view = BrowserView.list
  /// The day at the start.
  package var firstDay: CivilDate?
  /// Whether a store is shown, which can be changed; otherwise named sources.
  package var isStore: Bool
  /// What is said until the first key.
  package var notice: String?
  /// Whether days also have the tasks.
  package var showsTasks = false
  /// The calendar of new entries, until a person chooses another one.
  package var calendarOfNewEntries = localCalendar

  /// The calendar of the store itself.
  package static let localCalendar = "local"

  package init(
    zone: Zone, wording: DateWording, secondZone: Zone? = nil, color: ColorDepth, isStore: Bool
  ) {
    self.zone = zone
    self.wording = wording
    self.secondZone = secondZone
    self.color = color
    self.isStore = isStore
  }
}

package enum BrowserView: String, CaseIterable, Sendable {
  case list, day, week, month, year, tasks
}

/// A calendar in the legend.
package struct BrowserCalendar: Hashable, Sendable {
  package let name: String
  package let color: String?
  /// Whether entries can be added to it.
  package var isWritable: Bool
  /// The number of changes that wait for its server, and of events that were changed on both sides.
  package var waiting = 0
  package var conflicts = 0
  /// What they are about, as far as it is shown.
  package var waitingEvents: Set<EventReference> = []
  package var conflictingEvents: Set<EventReference> = []

  package init(name: String, color: String?, isWritable: Bool = false) {
    (self.name, self.color, self.isWritable) = (name, color, isWritable)
  }
}

/// A task in the view of tasks.
package struct BrowserTask: Hashable, Sendable {
  package let target: BrowserTarget
  /// Its urgency, date, and priority, in words.
  package let heading: String
  package let time: String
  package let isOverdue: Bool

  package init(_ target: BrowserTarget, heading: String, time: String, isOverdue: Bool) {
    self.target = target
    self.heading = heading
    self.time = time
    self.isOverdue = isOverdue
  }
}
