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

  package init(name: String, color: String?) { (self.name, self.color) = (name, color) }
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
