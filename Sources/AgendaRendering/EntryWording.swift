package import AgendaCore
package import CivilTime

/// The times and notes next to the title of an entry, in text and Markdown.
package struct EntryWording {
  let wording: DateWording
  private let words: Words
  let window: DateWindow
  /// Whether the entry is listed under the heading of its day, on each of its days.
  let isUnderItsDay: Bool
  private let omission: Omission
  private let unanswered: Set<EventReference>
  private let declined: Set<EventReference>

  init(_ wording: DateWording, for agenda: Agenda) {
    self.init(wording, window: agenda.window, options: agenda.options)
  }

  package init(_ wording: DateWording, window: DateWindow, options: Agenda.Options) {
    self.wording = wording
    words = wording.words
    self.window = window
    omission = options.omission
    unanswered = options.unanswered
    declined = options.declined
    isUnderItsDay = options.groupedBy == .day && !options.once
  }

  /// When an entry begins and ends, on the day under which it is listed.
  package enum Times: Hashable {
    case allDay
    /// It has no length.
    case at(TimeOfDay)
    case span(TimeOfDay, TimeOfDay)
    /// It begins on this day and lasts longer than 24 hours.
    case from(TimeOfDay)
    /// It began on another day and ends on this one.
    case until(TimeOfDay)
    /// A task without a date, or due on another day.
    case unstated

    /// Whether a grid shows it above the hours.
    package var isWholeDay: Bool { self == .allDay || self == .unstated }
  }

  package func times(of entry: Entry) -> Times {
    if entry.occurrence.listing != .onItsDays { return .unstated }
    if entry.isAllDay { return .allDay }
    let zone = window.zone
    let begin = zone.civil(at: entry.begin).time
    if entry.finish <= entry.begin { return .at(begin) }
    let finish = zone.civil(at: entry.finish).time
    let days = entry.days
    switch entry.day {
    // An entry that ends in the night after its first day shows both times there: `22:00–01:00`.
    // Of a longer one the time of its end would look like that of the same day.
    case 1 where days == 1 || days == 2 && finish <= begin: return .span(begin, finish)
    case 1: return .from(begin)
    case days: return .until(finish)
    default: return .allDay
    }
  }

  /// `overdue: Fri, 20 Nov 2026`, `day 2 of 3`, `until Mon 23 Nov`, `tentative`, `not answered`,
  /// `declined`, in that order.
  package func notes(of entry: Entry) -> [String] {
    var notes: [String] = []
    if case .on = entry.occurrence.listing {
      notes.append(words.entries.overdue + words.lists.colon + due(entry.occurrence))
    }
    let days = entry.days
    if days > 1 {
      let day = entry.day
      if isUnderItsDay || day > 1 {
        notes.append(words.entries.dayOfDays(wording.number(day), wording.number(days)))
      }
      if !isUnderItsDay, day < days {
        notes.append(words.entries.until(wording.shortDateWithoutYear(lastDay(of: entry))))
      }
    }
    switch entry.event.status {
    case .cancelled, .tentative, .draft, .inProcess:
      if let status = entry.event.status { notes.append(words.statuses.text(of: status)) }
    case .confirmed, .needsAction, .completed, .final, nil: break
    }
    if unanswered.contains(entry.event.reference) { notes.append(words.statuses.notAnswered) }
    if declined.contains(entry.event.reference) { notes.append(words.statuses.declined) }
    return notes
  }

  /// The date, and the time if there is one.
  private func due(_ occurrence: Occurrence) -> String {
    if let days = occurrence.allDay { return wording.shortDate(days.lowerBound) }
    let civil = window.zone.civil(at: occurrence.begin)
    return wording.dateAndTime(wording.shortDate(civil.date), wording.time(civil.time))
  }

  /// Its last day, in or out of the window.
  private func lastDay(of entry: Entry) -> CivilDate {
    if let days = entry.occurrence.allDay {
      return max(days.lowerBound, days.upperBound.adding(days: -1) ?? days.lowerBound)
    }
    return window.zone.civil(at: entry.finish.adding(seconds: -1)).date
  }

  /// Its time in its own zone, if clocks there show another time: `10:00 America/New_York`.
  package func timeInOwnZone(of entry: Entry) -> String? {
    guard let zone = entry.occurrence.start.zone, !entry.isAllDay, !entry.occurrence.isUndated
    else { return nil }
    let begin = entry.begin
    guard zone.utcOffset(at: begin) != window.zone.utcOffset(at: begin) else { return nil }
    return "\(wording.time(zone.civil(at: begin).time)) \(SafeText.line(zone.name))"
  }

  /// One sentence for a window without entries.
  var nothing: String {
    let last = window.dayAfterLast.adding(days: -1) ?? window.firstDay
    let first = wording.fullDate(window.firstDay)
    guard omission == .nothing else {
      let days = last == window.firstDay ? first : "\(first) – \(wording.fullDate(last))"
      return wording.noEntries(on: days, leavingOut: omission)
    }
    if last == window.firstDay { return words.entries.nothingOn(first) }
    return words.entries.nothingBetween(first, wording.fullDate(last))
  }
}

extension DateWording {
  /// `Today: no entries`, or what is true if a selection leaves entries out: `Today: nothing more`,
  /// `Today: nothing that matches`.
  func noEntries(on days: String, leavingOut omission: Omission) -> String {
    days.prefix(1).uppercased() + days.dropFirst() + words.lists.colon
      + words.entries.noEntries(leavingOut: omission)
  }
}

extension Words.Entries {
  /// After the name of a day without entries.
  package func noEntries(leavingOut omission: Omission) -> String {
    switch omission {
    case .nothing: noEntries
    case .started: nothingMore
    case .unmatched: nothingThatMatches
    case .startedAndUnmatched: nothingMoreThatMatches
    }
  }
}

extension DateWording {
  /// `09:30–10:15`
  package func text(of times: EntryWording.Times) -> String {
    switch times {
    case .allDay: words.entries.allDay
    case .at(let time): self.time(time)
    case .span(let from, let to): timeRange(from, to)
    case .from(let time): "\(self.time(time))\(dash)…"
    case .until(let time): "…\(dash)\(self.time(time))"
    case .unstated: ""
    }
  }
}

extension Words.Statuses {
  package func text(of status: Event.Status) -> String {
    switch status {
    case .confirmed: confirmed
    case .tentative: tentative
    case .cancelled: cancelled
    case .needsAction: needsAction
    case .inProcess: inProcess
    case .completed: completed
    case .draft: draft
    case .final: final
    }
  }

  /// PARTSTAT in lower case. A value that is not in RFC 5545 is no answer (3.2.12).
  package func text(ofParticipation participation: String) -> String {
    switch participation {
    case "accepted": accepted
    case "declined": declined
    case "tentative": tentative
    case "delegated": delegated
    case "in-process": inProcess
    case "completed": completed
    default: notAnswered
    }
  }
}

extension Words.Keywords {
  /// ACTION in lower case. A value that is not in RFC 5545 stays as it is.
  package func text(ofAction action: String) -> String {
    switch action {
    case "display": display
    case "audio": audio
    case "email": email
    default: action
    }
  }

  /// CLASS in lower case. A value that is not in RFC 5545 is private (3.8.1.3).
  package func text(ofClass classification: String) -> String {
    switch classification {
    case "public": isPublic
    case "confidential": isConfidential
    default: isPrivate
    }
  }

  /// CUTYPE in lower case; `nil` for individuals and for UNKNOWN, which other types count as (RFC 5545
  /// 3.2.3).
  package func text(ofUserType type: String) -> String? {
    switch type {
    case "group": group
    case "resource": resource
    case "room": room
    default: nil
    }
  }
}
