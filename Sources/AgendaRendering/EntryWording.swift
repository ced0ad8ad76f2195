internal import AgendaCore
internal import CivilTime

/// What text and Markdown say of an entry: its times and the notes beside its title.
struct EntryWording {
  let wording: DateWording
  let window: DateWindow
  /// Whether the entry stands under the heading of its day, on each of its days.
  let isUnderItsDay: Bool

  init(_ wording: DateWording, for agenda: Agenda) {
    self.wording = wording
    window = agenda.window
    isUnderItsDay = agenda.options.groupedBy == .day && !agenda.options.once
  }

  /// When an entry begins and ends, on the day under which it stands.
  enum Times: Hashable {
    case allDay
    /// No length.
    case at(TimeOfDay)
    case span(TimeOfDay, TimeOfDay)
    /// Begins on this day and goes on for more than the next one.
    case from(TimeOfDay)
    /// Began on another day and ends on this one.
    case until(TimeOfDay)
  }

  func times(of entry: Entry) -> Times {
    if entry.isAllDay { return .allDay }
    let zone = window.zone
    let begin = zone.civil(at: entry.begin).time
    if entry.finish <= entry.begin { return .at(begin) }
    let finish = zone.civil(at: entry.finish).time
    let days = entry.days
    switch entry.day {
    // What goes on into the next day shows both times on its first.
    case 1 where days <= 2: return .span(begin, finish)
    case 1: return .from(begin)
    case days: return .until(finish)
    default: return .allDay
    }
  }

  /// `day 2 of 3`, `until Mon 23 Nov`, `tentative`, in that order.
  func notes(of entry: Entry) -> [String] {
    var notes: [String] = []
    let days = entry.days
    if days > 1 {
      let day = entry.day
      if isUnderItsDay || day > 1 { notes.append("day \(day) of \(days)") }
      if !isUnderItsDay, day < days {
        notes.append("until \(wording.shortDateWithoutYear(lastDay(of: entry)))")
      }
    }
    switch entry.event.status {
    case .cancelled: notes.append("cancelled")
    case .tentative: notes.append("tentative")
    case .draft: notes.append("draft")
    case .inProcess: notes.append("in process")
    case .confirmed, .needsAction, .completed, .final, nil: break
    }
    return notes
  }

  /// Its last day, in or out of the window.
  private func lastDay(of entry: Entry) -> CivilDate {
    if let days = entry.occurrence.allDay {
      return max(days.lowerBound, days.upperBound.adding(days: -1) ?? days.lowerBound)
    }
    return window.zone.civil(at: entry.finish.adding(seconds: -1)).date
  }

  /// When it is in the zone that it was written in, where clocks there show another time:
  /// `10:00 America/New_York`.
  func timeInOwnZone(of entry: Entry) -> String? {
    guard let zone = entry.occurrence.start.zone, !entry.isAllDay else { return nil }
    let begin = entry.begin
    guard zone.utcOffset(at: begin) != window.zone.utcOffset(at: begin) else { return nil }
    return "\(wording.time(zone.civil(at: begin).time)) \(SafeText.line(zone.name))"
  }

  /// One friendly line for a window that holds nothing.
  var nothing: String {
    let last = window.dayAfterLast.adding(days: -1) ?? window.firstDay
    if last == window.firstDay { return "Nothing on \(wording.fullDate(last))." }
    return "Nothing from \(wording.fullDate(window.firstDay)) to \(wording.fullDate(last))."
  }
}
