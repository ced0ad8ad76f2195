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
    else { return try entry(titled: words, on: nil, text, request) }
    let rest = Array(words.dropFirst())
    if let found = try entry(titled: rest, on: side, text, request) { return found }
    // A title can begin with the word, as `Last supper`.
    if let found = try entry(titled: words, on: nil, text, request) { return found }
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

  private func entry(
    titled words: [String], on side: Side?, _ text: String, _ request: AgendaRequest
  ) throws -> FoundEntry? {
    let folded = words.map(FoldedText.init)
    for titled in requests(titled: words, isLast: side == .last, request) {
      let found = try agenda(titled)
      let choices = Self.choices(
        among: found.agenda, folded, now: request.viewer.now, side: side)
      guard !choices.isEmpty else { continue }
      let path = try choose(choices, of: found.agenda, text, request)
      guard let entry = found.agenda[path] else { return nil }
      return FoundEntry(entry: entry, path: path, agenda: found.agenda, calendars: found.calendars)
    }
    return nil
  }

  /// Whether an event has the words, whenever it is.
  private func hasEntry(titled words: [String], _ request: AgendaRequest) throws -> Bool {
    let folded = words.map(FoldedText.init)
    return try requests(titled: words, isLast: true, request).contains { titled in
      !Self.choices(
        among: try agenda(titled).agenda, folded, now: request.viewer.now, side: nil
      ).isEmpty
    }
  }

  /// The listings in which an event is searched, one after the other.
  private func requests(
    titled words: [String], isLast: Bool, _ request: AgendaRequest
  ) -> [AgendaRequest] {
    var titled = request
    titled.selection = Selection(
      calendars: request.typedCalendars, words: words, includesTasks: true)
    titled.selection.includesJournals = true
    titled.grouping.limit = nil
    titled.grouping.once = true
    var windows = [request.window]
    if !request.hasTypedWindow {
      windows = isLast ? request.widerWindows : windows + request.widerWindows
    }
    return windows.map { window in
      titled.window = window
      return titled
    }
  }

  /// The position of one occurrence of each event, in the order of the agenda.
  private static func choices(
    among agenda: Agenda, _ words: [FoldedText], now: Instant, side: Side?
  ) -> [EntryPath] {
    struct EventKey: Hashable {
      let calendar: String
      let uid: String
    }
    var order: [EventKey] = []
    var chosen: [EventKey: EntryPath] = [:]
    for section in agenda.sections {
      for (index, entry) in section.entries.enumerated() {
        guard Self.title(entry.title, has: words),
          side?.includes(entry.occurrence, now: now) ?? true
        else { continue }
        let key = EventKey(calendar: entry.calendar, uid: entry.event.identity.uid)
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
    return order.compactMap { chosen[$0] }
  }

  /// A single letter is in many titles, so it must be a word of the title.
  private static func title(_ title: String, has words: [FoldedText]) -> Bool {
    let only = words.count == 1 ? String(decoding: words[0].bytes, as: UTF8.self) : ""
    // A character of a script without capitals can be a whole word.
    if only.count == 1, only.first?.isCased == true {
      return title.split { !$0.isLetter }.contains { FoldedText(String($0)) == words[0] }
    }
    let title = FoldedText(title)
    return words.allSatisfy(title.contains)
  }

  /// So many events are listed for a choice.
  private static let mostChoices = 20

  private func choose(
    _ choices: [EntryPath], of agenda: Agenda, _ text: String, _ request: AgendaRequest
  ) throws -> EntryPath {
    if choices.count == 1 { return choices[0] }
    let words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
    let ask = environment.ask
    let listed = choices.prefix(Self.mostChoices)
    // The same event can be in several calendars.
    let counts = choices.compactMap { agenda[$0]?.id }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var lines = listed.enumerated().compactMap { number, path in
      agenda[path].map { entry in
        let id = counts[entry.id, default: 1] > 1 ? "\(entry.calendar)/\(entry.id)" : "\(entry.id)"
        let name = ask == nil ? id.contains(" ") ? "\"\(id)\"" : id : "\(number + 1)"
        let time =
          entry.occurrence.isUndated ? words.words.groups.noDate : words.span(of: entry.occurrence)
        return "  \(name)  \(time)  \(entry.title) (\(entry.calendar))"
      }
    }
    if choices.count > listed.count { lines.append("  … \(choices.count - listed.count) more") }
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
}

extension Occurrence {
  fileprivate func isOver(at now: Instant) -> Bool { finish <= now && begin < now }
}
