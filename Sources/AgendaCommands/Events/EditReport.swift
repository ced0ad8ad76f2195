internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import Recurrence

/// What an edit changed, in words.
struct EditReport {
  /// `all occurrences: Mon, 23 Nov 2026, 09:00 → Tue, 24 Nov 2026, 09:00`; `nil` if nothing that is shown
  /// changed.
  let line: String?
  /// The rule before and after, if a move of all occurrences changed its days.
  let otherWeekdays: (old: String, new: String)?

  /// An entry before its edit. It is read before anything is written.
  struct Previous {
    let occurrence: Occurrence
    /// `nil` for an event that does not recur.
    let master: Event?
    private let details: EventDetails
    private let masterDetails: EventDetails?

    init(_ found: FoundEntry) throws {
      occurrence = found.entry.occurrence
      master = occurrence.recurrenceID == nil ? nil : try found.series.master
      details = found.calendars.details(of: occurrence.event)
      masterDetails = master.map { found.calendars.details(of: $0) }
    }

    func details(of event: Event) -> EventDetails {
      event.reference == master?.reference ? masterDetails ?? details : details
    }
  }

  init(
    _ written: StoreWriter.Written, _ previous: Previous, _ words: TimeWords,
    hasNewRule: Bool = false
  ) {
    let occurrence = previous.occurrence
    let master = previous.master
    let newMaster = written.events.first { $0.identity.recurrenceID == nil }
    let isSplit = newMaster.map { $0.identity.uid != occurrence.event.identity.uid } ?? false
    let taken = written.scope
    guard !written.isUnchanged, let changed = written.occurrence else {
      (line, otherWeekdays) = (nil, nil)
      return
    }
    var before = (taken == .all || taken == .following ? master : nil) ?? occurrence.event
    // What the new series leaves to the old one did not change.
    if isSplit, let place = occurrence.recurrenceID {
      before.keepDates(from: place, viewer: words.zone)
    }
    var after = (taken == .all || taken == .following ? newMaster : nil) ?? changed.event
    // The chosen occurrence had its own values, and has changed, too.
    if before.reference != occurrence.event.reference, changed.event.identity.recurrenceID != nil {
      let rules = (before.recurrence, after.recurrence)
      (before, after) = (occurrence.event, changed.event)
      (before.recurrence, after.recurrence) = rules
    }
    let isOne = taken == .only
    let old = Self.event(before, at: occurrence, isOne: isOne)
    let new = Self.event(after, at: changed, isOne: isOne)
    let details = after.ownDetails.map {
      (before: previous.details(of: before), after: $0)
    }
    var change = Change(from: old, to: new, details: details, others: [], viewer: words.zone)
    var texts: [String] = []
    if isSplit, !hasNewRule, Self.parts(of: before) == Self.parts(of: after) {
      change?.properties.removeAll { $0 == "RRULE" }
    }
    if let change, change.kind != .changed || !change.properties.isEmpty {
      let list = ChangeList([change], [], .text, words, columns: nil)
      texts.append(list.sentence(change, new))
    }
    if before.calendar != after.calendar {
      let label = words.words.labels.calendar + words.words.lists.colon
      texts.append("\(label)\(before.calendar) → \(after.calendar)")
    }
    let text = texts.joined(separator: words.words.lists.semicolon)
    if let taken {
      line = SafeText.line(taken.description + (text.isEmpty ? "" : ": \(text)"))
    } else {
      line = text.isEmpty ? nil : SafeText.line(text)
    }
    otherWeekdays =
      taken == .all || taken == .following ? Self.otherWeekdays(before, after, words) : nil
  }

  /// The parts of the rules without COUNT: the new series of a split has the rest of the occurrences.
  private static func parts(of event: Event) -> [[Substring]] {
    (event.recurrence?.rules ?? []).map { rule in
      "\(rule)".split(separator: ";").filter { !$0.hasPrefix("COUNT=") }
    }
  }

  /// The event with the times of one of its occurrences.
  private static func event(_ event: Event, at occurrence: Occurrence, isOne: Bool) -> Event {
    var placed = event
    if let place = occurrence.recurrenceID, event.identity.recurrenceID == nil {
      // A task is listed when it is due.
      placed.takeTimes(of: event, movedTo: event.kind == .task ? place : occurrence.start)
    }
    if isOne { placed.recurrence = nil }
    return placed
  }

  private static func otherWeekdays(
    _ before: Event, _ after: Event, _ words: TimeWords
  ) -> (old: String, new: String)? {
    guard let old = before.recurrence?.rules.first, let new = after.recurrence?.rules.first,
      Set(old.byDay.map(\.weekday)) != Set(new.byDay.map(\.weekday))
        || old.frequency == .weekly && old.byDay.isEmpty
          && before.start?.civil.date.weekday != after.start?.civil.date.weekday
    else { return nil }
    let (oldText, newText) = (words.words(for: old, of: before), words.words(for: new, of: after))
    return oldText == newText ? nil : (oldText, newText)
  }
}

extension Event {
  /// Without the exclusions and additional dates before a time.
  fileprivate mutating func keepDates(from first: EventTime, viewer: Zone) {
    func isLater(_ time: EventTime) -> Bool {
      time.isDate || first.isDate
        ? time.civil.date >= first.civil.date
        : time.instant(for: viewer) >= first.instant(for: viewer)
    }
    recurrence?.exceptionDates.removeAll { !isLater($0) }
    recurrence?.dates.removeAll { !isLater($0.start) }
  }
}

extension SeriesScope {
  /// Which occurrences a change was for.
  var description: String {
    switch self {
    case .only: "only this occurrence"
    case .following: "this occurrence and all later ones"
    case .all: "all occurrences"
    }
  }
}
