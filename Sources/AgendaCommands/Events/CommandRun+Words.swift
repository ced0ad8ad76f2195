internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime

extension Occurrence {
  /// Whether it is not over. A task is left until it is done, also if it is overdue.
  fileprivate func isLeft(at now: Instant) -> Bool {
    guard event.kind == .task else { return !isOver(at: now) }
    return event.isOpen
  }
}

/// An entry that is named by words of its title.
extension CommandRun {
  /// The next occurrence of the only event that has all words in its title; with `last` as the first
  /// word the last one before now, with `next` the next one. `nil` if no event has them.
  ///
  /// If several events have them, a terminal asks which one is meant; elsewhere it is a usage error that
  /// lists them.
  func entry(titled text: String, _ request: AgendaRequest) throws -> FoundEntry? {
    // Somebody who types only a digit or a sign probably did not mean a title.
    guard text.count > 1 || text.first?.isLetter == true else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count > 1, let side = words.first.flatMap({ Side(rawValue: $0.lowercased()) })
    else {
      if let found = try entry(titled: words, on: nil, text, request) { return found }
      return try refuseOutside(titled: words, on: nil, text, request)
    }
    let rest = Array(words.dropFirst())
    // A title can begin with the word, as `Last call` and `Last supper`.
    if let found = try entry(titled: words, on: nil, text, request, isExact: true) { return found }
    if let found = try entry(titled: rest, on: side, text, request) { return found }
    if let found = try entry(titled: words, on: nil, text, request) { return found }
    _ = try refuseOutside(titled: rest, on: side, text, request)
    guard try hasEntry(titled: rest, request) else { return nil }
    throw CommandError.failed(
      "no \(side == .last ? "earlier" : "later") occurrence of \(rest.joined(separator: " "))"
        + (request.hasTypedWindow ? " in this window" : ""))
  }

  /// Which occurrences are meant.
  private enum Side: String {
    case last, next

    func includes(_ occurrence: Occurrence, now: Instant) -> Bool {
      switch (self, occurrence.listing) {
      case (.last, .undated): false
      case (.last, _): occurrence.begin < now
      // An overdue task is still to be done.
      case (.next, .undated), (.next, .on): true
      case (.next, .onItsDays): !occurrence.isOver(at: now)
      }
    }
  }

  /// With `isExact`, only an entry of the window with exactly this title.
  private func entry(
    titled words: [String], on side: Side?, _ text: String, _ request: AgendaRequest,
    isExact: Bool = false
  ) throws -> FoundEntry? {
    var windows = [request.window]
    if !request.hasTypedWindow, !isExact {
      if request.isForWriting {
        if side == .last { windows = [request.pastYear].compactMap(\.self) }
      } else {
        windows = side == .last ? request.widerWindows : windows + request.widerWindows
      }
    }
    for window in windows {
      let (found, choices) = try self.choices(
        titled: words, on: side, window, request, isExact: isExact)
      guard !choices.isEmpty else { continue }
      let path = try choose(choices, of: found.agenda, text, request)
      guard let entry = found.agenda[path] else { return nil }
      return FoundEntry(entry: entry, agenda: found.agenda, calendars: found.calendars)
    }
    return nil
  }

  /// A command that changes an entry lists those outside its window, and changes none of them.
  private func refuseOutside(
    titled words: [String], on side: Side?, _ text: String, _ request: AgendaRequest
  ) throws -> FoundEntry? {
    guard request.isForWriting, !request.hasTypedWindow else { return nil }
    for window in request.widerWindows {
      let (found, choices) = try self.choices(titled: words, on: side, window, request)
      guard !choices.isEmpty else { continue }
      messages.list(lines(for: choices, of: found.agenda, request, isNumbered: false))
      let year = side == .last ? "past" : "coming"
      throw CommandError.failed(
        "\(text): no entry in the \(year) year has these words in its title, and agenda changes "
          + "others only by their id")
    }
    return nil
  }

  /// Whether an event has the words, whenever it is.
  private func hasEntry(titled words: [String], _ request: AgendaRequest) throws -> Bool {
    let windows = request.hasTypedWindow ? [request.window] : request.widerWindows
    return try windows.contains {
      try !choices(titled: words, on: nil, $0, request).choices.isEmpty
    }
  }

  /// The agenda of the entries with these words, and the position of one occurrence of each event.
  private func choices(
    titled words: [String], on side: Side?, _ window: DateWindow, _ request: AgendaRequest,
    isExact: Bool = false
  ) throws -> (found: (agenda: Agenda, calendars: Calendars), choices: [EntryPath]) {
    var titled = request
    titled.window = window
    titled.selection = Selection(
      calendars: request.typedCalendars, words: words, includesTasks: true)
    titled.selection.includesJournals = true
    titled.grouping.limit = nil
    titled.grouping.once = true
    let found = try agenda(titled)
    let choices = Self.choices(
      among: found.agenda, words, now: request.viewer.now, side: side, isExact: isExact)
    return (found, choices)
  }

  /// The words that were typed, as they are compared with each title.
  private struct TypedWords {
    let words: [FoldedText]
    let title: FoldedText
    let parts: [FoldedText]
    /// A single letter is in many titles. A character of a script without capitals can be a whole word.
    let isLetter: Bool

    init(_ words: [String]) {
      self.words = words.map(FoldedText.init)
      title = FoldedText(words.joined(separator: " "))
      parts = words.flatMap(Match.parts)
      isLetter = words.count == 1 && words[0].count == 1 && words[0].first?.isCased == true
    }
  }

  /// How well a title has words; the first is the best.
  private enum Match: Int {
    case title, words, beginnings, parts

    init?(_ title: String, _ typed: TypedWords) {
      let text = FoldedText(title)
      guard typed.words.allSatisfy(text.contains) else { return nil }
      let parts = Self.parts(of: title)
      if text == typed.title {
        self = .title
      } else if !typed.parts.isEmpty, typed.parts.allSatisfy(parts.contains) {
        self = .words
      } else if typed.isLetter {
        return nil
      } else {
        let begins = typed.parts.allSatisfy { word in
          parts.contains { $0.bytes.starts(with: word.bytes) }
        }
        self = begins ? .beginnings : .parts
      }
    }

    fileprivate static func parts(of text: String) -> [FoldedText] {
      text.split { !$0.isLetter && !$0.isNumber }.map { FoldedText(String($0)) }
    }
  }

  /// The position of one occurrence of each event whose title matches best, in the order of the agenda.
  private static func choices(
    among agenda: Agenda, _ words: [String], now: Instant, side: Side?, isExact: Bool
  ) -> [EntryPath] {
    struct EventKey: Hashable {
      let calendar: String
      let uid: String
    }
    var order: [EventKey] = []
    var chosen: [EventKey: EntryPath] = [:]
    var matches: [EventKey: Int] = [:]
    let typed = TypedWords(words)
    for section in agenda.sections {
      for (index, entry) in section.entries.enumerated() {
        guard let match = Match(entry.title, typed), match == .title || !isExact,
          side?.includes(entry.occurrence, now: now) ?? true
        else { continue }
        let key = EventKey(calendar: entry.calendar, uid: entry.event.identity.uid)
        matches[key] = min(matches[key] ?? match.rawValue, match.rawValue)
        let path = EntryPath(section: section.index, entry: index)
        guard let known = chosen[key], let previous = agenda[known] else {
          order.append(key)
          chosen[key] = path
          continue
        }
        // The agenda is in the order of time: of `last`, each later one is better; otherwise each one
        // after an occurrence that is over or done.
        if side == .last || !previous.occurrence.isLeft(at: now) { chosen[key] = path }
      }
    }
    let best = matches.values.min()
    return order.filter { matches[$0] == best }.compactMap { chosen[$0] }
  }

  /// So many events are listed for a choice.
  private static let mostChoices = 20

  private func choose(
    _ choices: [EntryPath], of agenda: Agenda, _ text: String, _ request: AgendaRequest
  ) throws -> EntryPath {
    if choices.count == 1 { return choices[0] }
    let ask = environment.ask
    let listed = choices.prefix(Self.mostChoices)
    let lines = lines(for: choices, of: agenda, request, isNumbered: ask != nil)
    messages.list(lines)
    guard let ask else {
      throw CommandError.wrongUsage(
        "\(text): \(choices.count) events have these words in their titles; name one by its id")
    }
    let numbers = 1...listed.count
    let answer = ask("which one? [1-\(listed.count)] ")
    guard let answer, let number = Int(answer), numbers.contains(number) else {
      throw CommandError.failed("nothing was chosen; write one of the numbers")
    }
    return choices[number - 1]
  }

  /// The entries that are meant, with the number or the name of each.
  private func lines(
    for choices: [EntryPath], of agenda: Agenda, _ request: AgendaRequest, isNumbered: Bool
  ) -> [String] {
    let words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
    let listed = choices.prefix(Self.mostChoices)
    // The same event can be in several calendars.
    let counts = choices.compactMap { agenda[$0]?.id }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let lines = listed.enumerated().compactMap { number, path in
      agenda[path].map { entry in
        let id = counts[entry.id, default: 1] > 1 ? "\(entry.calendar)/\(entry.id)" : "\(entry.id)"
        let name = isNumbered ? "\(number + 1)" : id.contains(" ") ? "\"\(id)\"" : id
        let time =
          entry.occurrence.isUndated ? words.words.groups.noDate : words.span(of: entry.occurrence)
        return "  \(name)  \(time)  \(entry.title) (\(entry.calendar))"
      }
    }
    let more = choices.count - listed.count
    return lines + (more > 0 ? ["  … \(more) more"] : [])
  }
}

extension Occurrence {
  fileprivate func isOver(at now: Instant) -> Bool { finish <= now && begin < now }
}
