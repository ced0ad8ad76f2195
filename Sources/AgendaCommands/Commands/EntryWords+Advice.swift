internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import Phrases

/// What `agenda add` says about words that it did not read.
///
/// `propose` gives the command with these words, as a task if the second value says so, and `nil` if it would fail.
extension EntryWords {
  typealias Proposal = (_ words: [String], _ asTask: Bool) -> String?

  /// Why there is no event without a time.
  func missingTime(_ propose: Proposal) -> String {
    let found = unread.first
    let reason = found.map { "\"\($0.text)\" is part of the title:" } ?? "the time is missing:"
    let example =
      found.flatMap(moving).flatMap { propose($0, false) }
      ?? "tomorrow 12:30 or every tuesday 18:00"
    return "\(reason) begin with the time, such as \(example), or give --at 2026-11-24T12:30"
  }

  /// Why the words would probably make a wrong event; `nil` if they would not.
  func mistake(isTask: Bool, _ propose: Proposal) -> String? {
    guard phrase != nil else { return nil }
    if let (text, words) = severalDays {
      return "\"\(text)\" is more than one date: for a repetition write every \(text)"
        + (words.flatMap { propose($0, false) }.map { ", such as \($0)" } ?? "")
        + ", otherwise add each event by itself"
    }
    if !isTask, let dueWords {
      return "\"\(dueWords)\" says when a task is due: use --task"
        + (taskWords.flatMap { propose($0, true) }.map { ", such as \($0)" } ?? "")
        + ", or give the time with --at"
    }
    guard let obstacle else { return nil }
    if obstacle.isZone {
      let name = knowsZone(obstacle.text) ? obstacle.text : "and a name such as America/New_York"
      return
        "\"\(obstacle.text)\" looks like a time zone: set it with --in-zone \(name), or give the time "
        + "of such a title with --at"
    }
    if let command = moving(obstacle).flatMap({ propose($0, false) }) {
      return
        "\"\(obstacle.text)\" is part of the title: write \(command), or give the time with --at"
    }
    return
      "\"\(obstacle.text)\" looks like a part of the time, and agenda does not understand it there: "
      + "write the time in other words, or give it with --at"
  }

  /// About words of the title that look like a part of the time.
  func warnings(isTask: Bool, _ propose: Proposal) -> [String] {
    var all = unread.map { words in
      "\"\(words.text)\" is part of the title; "
        + (moving(words).flatMap { propose($0, false) }
          .map { "to have it read as a time, write: \($0)" }
          ?? "if it is a part of the time, write all of the time before the title")
    }
    if !isTask, phrase != nil, let first = title.first, title.count > 1, Self.isTask(first) {
      all.append(
        "\"\(first)\" is part of the title; to add a task"
          + (taskWords.flatMap { propose($0, true) }.map { ", write: \($0)" } ?? ", use --task"))
    }
    return all
  }
}

extension Viewer {
  /// What the locale and the zones decide about words for a time.
  func dialect(_ wording: DateWording) -> TimeLikeWords.Dialect {
    let days = (-1...1).compactMap { today.adding(days: $0) }
      .compactMap { wording.relativeDay($0, today: today) }
    let names =
      Weekday.allCases.map(wording.weekdayName) + (1...12).map { wording.monthName($0) } + days
    let database = database
    return TimeLikeWords.Dialect(
      datesHaveDots: wording.datesHaveDots, names: Set(names.map { $0.lowercased() })
    ) { name in
      if name.hasSuffix(" time") {
        return ZoneAbbreviations.likelyZone(of: String(name.dropLast(5)), among: database.names)
          != nil
      }
      // Names such as Cuba and Japan belong to titles.
      return (name.contains("/") || name == name.uppercased())
        && (try? Viewer.zone(named: name, option: Options.eventZone, in: database)) != nil
    }
  }

  /// A warning if the clocks skip this time.
  func skippedTime(_ when: EventEdit.When, zone typed: Zone?) -> String? {
    let zone = typed ?? self.zone
    let civil: CivilDateTime
    switch when {
    case .time(let time): civil = time
    case .clock(let time, let date): civil = CivilDateTime(date, time)
    case .date: return nil
    }
    let found = zone.civil(at: zone.instant(of: civil))
    if found == civil { return nil }
    func clock(_ time: TimeOfDay) -> String { String("\(time)".prefix(5).drop { $0 == "0" }) }
    return
      "\(clock(civil.time)) does not exist on \(civil.date) in \(zone.name), because the clocks are "
      + "put forward; it is \(clock(found.time))"
  }
}
