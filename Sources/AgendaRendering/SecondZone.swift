package import AgendaCore
package import CivilTime

/// A second zone whose times are shown next to those of the window (`--also`).
package struct SecondZone {
  private let wording: DateWording
  private let zone: Zone
  private let window: DateWindow
  /// The usual name of the zone: `New York` for `America/New_York`.
  package let name: String

  /// Further changes are left out, because a window of a thousand years has four thousand of them.
  private static let mostChanges = 8

  package init(_ zone: Zone, _ wording: DateWording, window: DateWindow) {
    self.wording = wording
    self.zone = zone
    self.window = window
    let city = zone.name.split(separator: "/").last.map(String.init) ?? zone.name
    name = SafeText.line(zone.name.hasPrefix("Etc/") ? zone.name : city.replacing("_", with: " "))
  }

  /// The times of an entry in the second zone.
  package struct Times {
    /// The short name of the weekday if the date differs from that in the window's zone.
    let weekday: String?
    let times: EntryWording.Times
  }

  /// `nil` for all-day entries, which have the same date in every zone.
  package func times(of entry: Entry, shownAs times: EntryWording.Times) -> Times? {
    switch times {
    case .allDay, .unstated: nil
    case .at: Times(weekday: weekday(at: entry.begin), times: .at(time(at: entry.begin)))
    case .span:
      Times(
        weekday: weekday(at: entry.begin),
        times: .span(time(at: entry.begin), time(at: entry.finish)))
    case .from: Times(weekday: weekday(at: entry.begin), times: .from(time(at: entry.begin)))
    case .until: Times(weekday: weekday(at: entry.finish), times: .until(time(at: entry.finish)))
    }
  }

  /// `Sat 19:00–20:00`
  package func text(of times: Times) -> String {
    let text = wording.text(of: times.times)
    return times.weekday.map { "\($0) \(text)" } ?? text
  }

  private func time(at moment: Instant) -> TimeOfDay { zone.civil(at: moment).time }

  private func weekday(at moment: Instant) -> String? {
    let date = zone.civil(at: moment).date
    return date == window.zone.civil(at: moment).date ? nil : wording.shortWeekday(date.weekday)
  }

  /// `New York: 6 h behind; from Sun, 14 Mar 2027: 5 h behind`; `nil` if the difference between the
  /// zones is the same in the whole window.
  var note: String? {
    let lists = wording.words.lists
    var difference = difference(at: window.start)
    var parts = [wording.zoneDifference(seconds: difference)]
    var moment = window.start
    while let next = nextTransition(after: moment), next < window.end {
      moment = next
      let changed = self.difference(at: moment)
      guard changed != difference else { continue }
      difference = changed
      if parts.count > Self.mostChanges {
        parts.append("…")
        break
      }
      let date = wording.shortDate(window.zone.civil(at: moment).date)
      let change = wording.zoneDifference(seconds: difference)
      parts.append(wording.words.time.from(date) + lists.colon + change)
    }
    return parts.count > 1 ? name + lists.colon + parts.joined(separator: lists.semicolon) : nil
  }

  /// The next change of the clocks in either zone.
  private func nextTransition(after moment: Instant) -> Instant? {
    [zone, window.zone].compactMap { $0.nextTransition(after: moment)?.instant }.min()
  }

  private func difference(at moment: Instant) -> Int {
    zone.utcOffset(at: moment) - window.zone.utcOffset(at: moment)
  }
}
