internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime

/// An entry that is named by words of its title.
extension CommandRun {
  /// The next occurrence of the only event that has all words in its title; with `last` as the first
  /// word the last one before now, with `next` the next one. `nil` if no event has them.
  ///
  /// If several events have them, a terminal asks which one is meant; elsewhere it is a usage error that
  /// lists them.
  func entry(titled text: String, _ request: AgendaRequest) throws -> FoundEntry? {
    // A single letter is in many titles.
    guard text.count > 1 else { return nil }
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var isLast = false
    if words.count > 1, let first = words.first?.lowercased(), ["last", "next"].contains(first) {
      isLast = first == "last"
      words.removeFirst()
    }
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
    let folded = words.map(FoldedText.init)
    for window in windows {
      titled.window = window
      let found = try agenda(titled)
      let choices = Self.choices(
        among: found.agenda, folded, now: request.viewer.now, isLast: isLast)
      guard !choices.isEmpty else { continue }
      let path = try choose(choices, of: found.agenda, text, request)
      guard let entry = found.agenda[path] else { return nil }
      return FoundEntry(entry: entry, path: path, agenda: found.agenda, calendars: found.calendars)
    }
    return nil
  }

  /// The position of one occurrence of each event, in the order of the agenda.
  private static func choices(
    among agenda: Agenda, _ words: [FoldedText], now: Instant, isLast: Bool
  ) -> [EntryPath] {
    struct EventKey: Hashable {
      let calendar: String
      let uid: String
    }
    var order: [EventKey] = []
    var chosen: [EventKey: EntryPath] = [:]
    for section in agenda.sections {
      for (index, entry) in section.entries.enumerated() {
        let title = FoldedText(entry.title)
        guard words.allSatisfy(title.contains) else { continue }
        let key = EventKey(calendar: entry.calendar, uid: entry.event.identity.uid)
        let path = EntryPath(section: section.index, entry: index)
        guard let known = chosen[key], let previous = agenda[known] else {
          order.append(key)
          chosen[key] = path
          continue
        }
        // The agenda is in the order of time: of `last`, each later one before now is better; otherwise
        // each one after an occurrence that is over.
        let isBetter =
          isLast
          ? entry.occurrence.begin < now
          : previous.occurrence.finish <= now && previous.occurrence.begin < now
        if isBetter { chosen[key] = path }
      }
    }
    return order.compactMap { chosen[$0] }
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
    var lines = listed.enumerated().compactMap { number, path in
      agenda[path].map { entry in
        let name = ask == nil ? "\(entry.id)" : "\(number + 1)"
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
