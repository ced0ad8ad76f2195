internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases
internal import Recurrence

extension AgendaCommand {
  static let changes = AgendaCommand(
    Command(
      "changes", summary: "list what imports added, moved, changed, cancelled or removed",
      discussion: [
        "It lists the difference between then and now. An event that was added and removed again in between is not listed.",
        "On a terminal, an event that repeats is shown at its next time.",
        "Text and Markdown list a new source with more than 20 entries as one line with its count, and at most 100 lines per calendar. The other formats list everything.",
      ],
      options: [
        Options.since, Options.calendar, Options.linesFormat, Options.safe, Options.locale,
        Options.ifAny,
        Options.color, Options.store,
      ] + Options.momentOptions,
      examples: [
        Command.Example("agenda changes --if-any", "list the changes of the last import, for cron"),
        Command.Example(
          "agenda changes --since 7d -f markdown", "list the changes of the last week"),
      ], group: "Store"),
    arguments: ChangesArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    let presentation = arguments.presentation
    let selection = arguments.selection
    let store = try run.filledStore(arguments.store, for: viewer)
    let all = try store.changes(since: arguments.since)
    let list = ChangeList(
      all.events.filter(selection.admits), all.sources.filter(selection.admits),
      presentation.format, TimeWords(wording: presentation.wording, zone: viewer.zone),
      columns: presentation.columns, color: presentation.color,
      now: presentation.isOnTerminal ? viewer.now : nil, safe: presentation.isSafe)
    // A calendar that was removed has changes too.
    if list.isEmpty {
      run.warnOfUnknownCalendars(
        arguments.calendars, inStoreWith: try store.read { try $0.calendarNames() })
      if presentation.printsNothingIfEmpty { return }
    }
    try run.write { list.write(to: &$0) }
  }
}

extension Selection {
  /// Whether a change is one of the wanted calendars.
  func admits(_ change: Change) -> Bool {
    (change.after ?? change.before).map { admitsCalendar(named: $0.calendar) } ?? false
  }

  func admits(_ change: SourceChange) -> Bool {
    [change.source.calendar, change.previousCalendar].contains {
      $0.map(admitsCalendar(named:)) ?? false
    }
  }
}

private struct ChangesArguments {
  let viewer: Viewer
  let presentation: Presentation
  /// `nil` for the last import.
  let since: Instant?
  let selection: Selection
  let calendars: [ChosenCalendar]
  let store: StoreArgument

  init(_ invocation: Invocation) throws(CommandError) {
    let viewer = try Viewer(invocation)
    self.viewer = viewer
    presentation = try Presentation(invocation)
    since = try invocation.line.value(of: Options.since).map { (text) throws(CommandError) in
      let moment = try viewer.moment(since: text)
      guard moment <= viewer.now else {
        throw .wrongValue(
          Options.since, "expected a day or time that has begun, got \"\(text)\"")
      }
      return moment
    }
    calendars = invocation.line.chosenCalendars
    selection = Selection(calendars: calendars.map(\.name))
    store = try StoreArgument(invocation)
  }
}

extension Viewer {
  /// `2026-11-20`, `yesterday`, `monday`, `june`, `yesterday 18:00`, `-1w`; or so long ago: `24h`, `2 hours
  /// ago`; or an RFC 3339 instant.
  fileprivate func moment(since text: String) throws(CommandError) -> Instant {
    if let instant = Instant(rfc3339: text) { return instant }
    if let length = LengthText(text.hasSuffix(" ago") ? String(text.dropLast(4)) : text) {
      let civil = zone.civil(at: now)
      let date = civil.date.adding(days: -length.days) ?? .first
      let day = length.days == 0 ? now : zone.instant(of: CivilDateTime(date, civil.time))
      return day.adding(seconds: -length.seconds)
    }
    guard let past = PastPhrase(text, now: zone.civil(at: now)) else {
      throw .wrongValue(
        Options.since,
        "expected a date such as 2026-11-20 or yesterday, a length of time such as 24h or "
          + "7d, or a time such as 2026-11-20T18:00:00+01:00, got \"\(text)\"")
    }
    return past.time.map { zone.instant(of: CivilDateTime(past.date, $0)) }
      ?? zone.startOfDay(past.date)
  }
}

/// Changes in each format.
///
/// Text and Markdown are read by people, in a mail most often: what a source brought that is new in
/// the store is counted where it is more than a few lines, and so is what goes beyond the lines that
/// a calendar may take. The other formats list everything.
struct ChangeList {
  private let changes: [Change]
  private let sources: [SourceChange]
  private let format: AgendaFormat
  /// Whether cells of a table that a spreadsheet would take for formulas are marked.
  private let isSafe: Bool
  private let words: TimeWords
  /// Where lines of text are wrapped.
  private let columns: Int?
  private let color: ColorDepth
  /// The moment from which the next time of a series is shown, in text; `nil` to show its first.
  private let now: Instant?
  /// The width of the column of kinds.
  private let kindWidth: Int

  /// A new source is known to be new; the first entries show what it is.
  private static let mostOfNewSource = 20
  /// A list that is longer is cut, because people would not read it to its end.
  private static let mostOfCalendar = 100
  /// Characters of a text.
  private static let mostOfText = 60
  /// The properties that the times of an entry show.
  private static let times: Set<String> = ["DTSTART", "DTEND", "DUE"]

  init(
    _ changes: [Change], _ sources: [SourceChange], _ format: AgendaFormat, _ words: TimeWords,
    columns: Int? = nil, color: ColorDepth = .none, now: Instant? = nil, safe isSafe: Bool = false
  ) {
    self.isSafe = isSafe
    self.columns = columns
    self.color = color
    self.now = format == .text ? now : nil
    self.changes = changes
    self.sources = sources
    self.format = format
    self.words = words
    let phrases = words.words.changes
    let kinds = [
      phrases.added, phrases.moved, phrases.changed, phrases.cancelled, phrases.removed,
    ]
    kindWidth = kinds.map(DisplayWidth.of).max() ?? 0
  }

  private var phrases: Words.Changes { words.words.changes }
  private var lists: Words.Lists { words.words.lists }

  private var movedSources: [SourceChange] { sources.filter { $0.kind == .moved } }

  var isEmpty: Bool { changes.isEmpty && movedSources.isEmpty }

  /// A line of the formats for programs.
  private struct Item {
    var source: SourceChange?
    var change: Change?

    var event: Event? { change.flatMap { $0.after ?? $0.before } }
    var kind: String { change?.kind.rawValue ?? source?.kind.rawValue ?? "" }
    var calendar: String? { event?.calendar ?? source?.source.calendar }
  }

  private var items: [Item] {
    movedSources.map { Item(source: $0) } + changes.map { Item(change: $0) }
  }

  func write(to sink: inout ByteSink) {
    switch format {
    case .json, .jsonl, .tsv, .csv: list.write(items, as: format, safe: isSafe, to: &sink)
    case .text, .markdown, .html: writeText(to: &sink)
    }
  }

  // MARK: For people

  private func writeText(to sink: inout ByteSink) {
    if isEmpty { return sink.write(phrases.nothingChanged + "\n") }
    var changesOfCalendar: [String: [Change]] = [:]
    for change in changes {
      changesOfCalendar[(change.after ?? change.before)?.calendar ?? "", default: []].append(change)
    }
    let sourcesOfCalendar = Dictionary(grouping: sources, by: \.source.calendar)
    let calendars = movedSources.map(\.source.calendar) + changesOfCalendar.keys
    for (number, calendar) in Set(calendars).sorted().enumerated() {
      if number > 0 { sink.write("\n") }
      sink.write(
        format == .markdown
          ? "## \(MarkdownText.inline(calendar))\n\n" : SafeText.line(calendar) + "\n")
      write(
        changesOfCalendar[calendar] ?? [], of: sourcesOfCalendar[calendar] ?? [], to: &sink)
    }
  }

  /// The changes of one calendar.
  private func write(_ all: [Change], of sources: [SourceChange], to sink: inout ByteSink) {
    var rest = all
    for source in sources {
      switch source.kind {
      case .moved:
        let previous = source.previousCalendar ?? ""
        writeLine(
          .moved, source.source.commandName,
          phrases.fromCalendar(previous, entries(source.entries)), to: &sink)
      case .added:
        let count = rest.count { $0.after?.reference.source == source.number }
        guard count > Self.mostOfNewSource else { continue }
        rest.removeAll { $0.after?.reference.source == source.number }
        writeLine(.added, source.source.commandName, entries(count), to: &sink)
      }
    }
    for change in rest.prefix(Self.mostOfCalendar) {
      guard let event = change.after ?? change.before else { continue }
      let title = event.title.isEmpty ? words.title(of: event) : event.title
      writeLine(change.kind, title, sentence(change, event), to: &sink)
    }
    let unlisted = rest.dropFirst(Self.mostOfCalendar)
    if unlisted.isEmpty { return }
    let kinds = Change.Kind.allCases.compactMap { kind in
      let count = unlisted.count { $0.kind == kind }
      return count > 0 ? "\(words.wording.number(count)) \(name(of: kind))" : nil
    }
    let count = words.wording.count(words.words.entries.more, unlisted.count)
    let more = count + lists.colon + lists.and(kinds)
    sink.write(format == .markdown ? "- \(MarkdownText.inline(more))\n" : "  \(more)\n")
  }

  private func writeLine(
    _ kind: Change.Kind, _ title: String, _ sentence: String, to sink: inout ByteSink
  ) {
    let name = name(of: kind)
    if format == .markdown {
      sink.write("- **\(MarkdownText.inline(name))** \(MarkdownText.inline(title))\(lists.colon)")
      sink.write("\(MarkdownText.inline(sentence))\n")
    } else {
      var layout = TextLayout(width: columns, color: color)
      layout.space(2, to: &sink)
      layout.write(name, Self.emphasis(of: kind), to: &sink)
      layout.space(kindWidth - DisplayWidth.of(name) + 2, to: &sink)
      layout.hang()
      layout.write(SafeText.line(title) + lists.colon + SafeText.line(sentence), to: &sink)
      layout.newLine(to: &sink)
    }
  }

  /// The colours of a diff.
  private static func emphasis(of kind: Change.Kind) -> TextLayout.Emphasis {
    switch kind {
    case .added: .good
    case .moved, .changed: .caution
    case .cancelled, .removed: .alert
    }
  }

  /// When the event takes place: of a series, for a reader of today, its next occurrence.
  private func shownStart(of event: Event?) -> EventTime? {
    guard let event, let now else { return event?.start }
    return event.nearestStart(to: now, viewer: words.zone)
  }

  private func entries(_ count: Int) -> String {
    words.wording.count(words.words.entries.count, count)
  }

  private func name(of kind: Change.Kind) -> String {
    switch kind {
    case .added: phrases.added
    case .moved: phrases.moved
    case .changed: phrases.changed
    case .cancelled: phrases.cancelled
    case .removed: phrases.removed
    }
  }

  /// `Tue, 24 Nov 2026, 10:00 → Wed, 25 Nov 2026, 11:00`
  func sentence(_ change: Change, _ event: Event) -> String {
    let was = shownStart(of: change.before).map { words.times([$0]) } ?? phrases.noTime
    let now = shownStart(of: change.after).map { words.times([$0]) } ?? phrases.noTime
    let following = event.identity.includesFollowing ? [phrases.andFollowing] : []
    switch change.kind {
    case .added:
      let again = change.takesPlaceAgain ? [phrases.takesPlaceAgain] : []
      let others = change.properties.filter { $0 != "STATUS" && !Self.times.contains($0) }
      // A mail can cancel an event before its source comes.
      let cancelled = change.after?.status == .cancelled ? [phrases.cancelled] : []
      let facts = [now] + again + cancelled + following + overrides(change)
      return ([joined(facts)] + also(others, change))
        .joined(separator: lists.semicolon)
    case .removed: return joined([was] + following + overrides(change))
    case .cancelled:
      let others = change.properties.filter { $0 != "STATUS" && !Self.times.contains($0) }
      return ([joined([was] + following)] + also(others, change))
        .joined(separator: lists.semicolon)
    case .moved:
      let others = change.properties.filter {
        !Self.times.contains($0) && !($0 == "RRULE" && hasRuleOfSameWords(change))
      }
      if let ranges = ranges(change) {
        return ([joined(["\(ranges.old) → \(ranges.new)"] + following)] + also(others, change))
          .joined(separator: lists.semicolon)
      }
      let until = words.words.entries.until
      var times = [was == now ? now : "\(was) → \(now)"]
      if let end = newEnd(change) {
        times.append(until(was == now ? "\(end.old) → \(end.new)" : end.new))
      }
      return ([joined(times + following)] + also(others, change)).joined(separator: lists.semicolon)
    case .changed:
      if change.excluded.isEmpty, change.restored.isEmpty {
        return joined([now] + following) + lists.colon + differences(change.properties, change)
      }
      let excluded =
        change.excluded.isEmpty ? [] : [phrases.noLongerOn(words.times(change.excluded))]
      let restored = change.restored.isEmpty ? [] : [phrases.againOn(words.times(change.restored))]
      let others = change.properties.filter { $0 != "EXDATE" }
      return (excluded + restored + also(others, change)).joined(separator: lists.semicolon)
    }
  }

  /// Whether only a detail of the rule differs that moves with its series, such as the hour of its end.
  private func hasRuleOfSameWords(_ change: Change) -> Bool {
    rules(of: change.before) == rules(of: change.after)
  }

  private func rules(of event: Event?) -> String? {
    guard let event, let recurrence = event.recurrence else { return nil }
    return recurrence.rules.map { words.words(for: $0, of: event) }
      .joined(separator: lists.semicolon)
  }

  private func joined(_ parts: [String]) -> String {
    parts.joined(separator: words.words.lists.comma)
  }

  /// The properties that changed apart from the times.
  private func also(_ properties: [String], _ change: Change) -> [String] {
    guard !properties.isEmpty else { return [] }
    return [phrases.also(differences(properties, change))]
  }

  private func differences(_ properties: [String], _ change: Change) -> String {
    // The moment at which a task was completed says that all of it is done.
    let isMoment = properties.contains("COMPLETED")
    return properties.filter { !isMoment || $0 != "PERCENT-COMPLETE" }
      .map { difference($0, change) }.joined(separator: lists.semicolon)
  }

  /// `title: Stand-up → Daily`; of long texts the beginning, and of lists what only one version has.
  private func difference(_ property: String, _ change: Change) -> String {
    let labels = words.words.labels
    func compared(_ label: String, _ old: String?, _ new: String?) -> String {
      func text(_ value: String?) -> String { value.flatMap { $0.isEmpty ? nil : $0 } ?? "–" }
      let (old, new) = (text(old), text(new))
      return old == new ? label : "\(label)\(lists.colon)\(old) → \(new)"
    }
    func values(_ label: String, _ value: (Event) -> String?) -> String {
      compared(label, change.before.flatMap(value), change.after.flatMap(value))
    }
    /// What only one of the versions has.
    func onlyInOne<Value: Hashable>(
      _ label: String, _ old: [Value]?, _ new: [Value]?, _ text: ([Value]) -> String
    ) -> String {
      let (old, new) = (old ?? [], new ?? [])
      let known = (Set(old), Set(new))
      return compared(
        label, text(old.filter { !known.1.contains($0) }),
        text(new.filter { !known.0.contains($0) }))
    }
    func details(_ label: String, _ value: (EventDetails) -> String?) -> String {
      compared(
        label, change.details.flatMap { value($0.before) },
        change.details.flatMap { value($0.after) })
    }
    switch property {
    case "SUMMARY": return values(labels.title) { $0.title }
    case "LOCATION": return values(labels.location) { $0.location }
    case "STATUS": return values(labels.status) { $0.status.map(words.words.statuses.text(of:)) }
    case "CATEGORIES": return values(labels.categories) { words.words.lists.and($0.categories) }
    case "RRULE": return values(labels.rule, rules(of:))
    case "DESCRIPTION":
      return details(labels.description) { $0.description.map(Self.excerpt) }
    case "URL": return details(labels.link) { $0.url }
    case "CONFERENCE": return details(labels.join) { $0.conference }
    case "ORGANIZER": return details(labels.organizer) { $0.organizer?.email ?? $0.organizer?.name }
    case "ATTENDEE":
      let (old, new) = (change.details?.before.attendees, change.details?.after.attendees)
      return compared(
        labels.attendees, people(old ?? [], without: new ?? []),
        people(new ?? [], without: old ?? []))
    case "ATTACH": return labels.attachments
    case "CLASS":
      return details(labels.classification) {
        $0.classification.map(words.words.keywords.text(ofClass:))
      }
    case "PRIORITY":
      return details(labels.priority) { $0.priority.map { words.wording.number($0) } }
    case "TRANSP":
      return values(labels.availability) {
        $0.isTransparent ? words.words.details.takesNoTime : nil
      }
    case "COLOR": return values(labels.color) { $0.color }
    case "PERCENT-COMPLETE":
      return details(labels.done) { $0.percentComplete.map { "\(words.wording.number($0)) %" } }
    case "COMPLETED":
      return details(labels.done) { $0.completed.map { words.times([.utc($0.utc)]) } }
    case "GEO":
      return details(labels.coordinates) {
        $0.coordinates.map { "\($0.latitude), \($0.longitude)" }
      }
    case "EXDATE":
      return onlyInOne(
        labels.excluded, change.before?.exceptions, change.after?.exceptions, words.times)
    case "RDATE":
      func dates(_ event: Event?) -> [EventTime]? { event?.recurrence?.dates.map(\.start) }
      return onlyInOne(labels.addedDates, dates(change.before), dates(change.after), words.times)
    case "VALARM":
      let (old, new) = (change.details?.before.alarms ?? [], change.details?.after.alarms ?? [])
      func text(_ alarms: [Alarm]) -> String {
        alarms.map(words.text(of:)).joined(separator: words.words.lists.semicolon)
      }
      let (oldSet, newSet) = (Set(old), Set(new))
      // "–" would say that one version has none.
      if oldSet.isSubset(of: newSet) || newSet.isSubset(of: oldSet) {
        return compared(labels.alarms, text(old), text(new))
      }
      return onlyInOne(labels.alarms, old, new, text)
    default: return property
    }
  }

  /// The beginning of a long text, on one line.
  private static func excerpt(_ text: String) -> String {
    let line = SafeText.line(text)
    return line.count <= mostOfText ? line : line.prefix(mostOfText) + "…"
  }

  /// The attendees that differ from the other version, with their answers.
  private func people(_ attendees: [Attendee], without others: [Attendee]) -> String {
    let known = Set(others)
    let people = attendees.filter { !known.contains($0) }.map { attendee in
      let name = attendee.person.email ?? attendee.person.name ?? ""
      let answer = words.words.statuses.text(ofParticipation: attendee.participation)
      return name + words.words.lists.colon + answer
    }
    return people.joined(separator: words.words.lists.semicolon)
  }

  /// If its length changed and it ends on the day that it begins: the times with their ends.
  private func ranges(_ change: Change) -> (old: String, new: String)? {
    guard let old = change.before.flatMap(place), let new = change.after.flatMap(place),
      Self.length(old) != Self.length(new), let oldRange = range(old), let newRange = range(new)
    else { return nil }
    return (oldRange, newRange)
  }

  private func range(_ instance: RecurrenceSet.Instance) -> String? {
    let begin = words.zone.civil(at: instance.begin)
    let finish = words.zone.civil(at: instance.finish)
    guard instance.allDay == nil, begin.date == finish.date else { return nil }
    let time =
      begin.time == finish.time
      ? words.wording.time(begin.time) : words.wording.timeRange(begin.time, finish.time)
    return words.wording.dateAndTime(words.wording.shortDate(begin.date), time)
  }

  private static func length(_ instance: RecurrenceSet.Instance) -> Int {
    instance.finish.secondsSinceEpoch - instance.begin.secondsSinceEpoch
  }

  /// If its length changed: its previous and its present end.
  private func newEnd(_ change: Change) -> (old: String, new: String)? {
    guard let before = change.before, let after = change.after, let old = place(before),
      let new = place(after), (old.allDay == nil) == (new.allDay == nil)
    else { return nil }
    if let oldDays = old.allDay, let newDays = new.allDay {
      let oldCount = oldDays.lowerBound.days(until: oldDays.upperBound)
      if oldCount == newDays.lowerBound.days(until: newDays.upperBound) { return nil }
      return (lastDay(oldDays), lastDay(newDays))
    }
    if Self.length(old) == Self.length(new) { return nil }
    return (words.times([.utc(old.finish.utc)]), words.times([.utc(new.finish.utc)]))
  }

  private func lastDay(_ days: Range<CivilDate>) -> String {
    words.times([.date(days.upperBound.adding(days: -1) ?? days.lowerBound)])
  }

  private func place(_ event: Event) -> RecurrenceSet.Instance? {
    shownStart(of: event).map {
      RecurrenceSet.place($0, event.spannedExtent, recurrenceID: $0, viewer: words.zone)
    }
  }

  /// The number of overrides of a series that was added or removed as a whole.
  private func overrides(_ change: Change) -> [String] {
    change.overrides == 0 ? [] : [words.wording.count(phrases.overrides, change.overrides)]
  }

  // MARK: For programs

  /// The previous version. An event that takes place again has none here, as if it were new.
  private func previous(_ change: Change) -> Event? { change.takesPlaceAgain ? nil : change.before }

  /// The end; for an all-day entry, the day after its last one.
  private func end(of event: Event?) -> FieldValue {
    guard let event, let placed = place(event) else { return .none }
    let end = placed.allDay.map { EntryTime.date($0.upperBound) } ?? .moment(placed.finish)
    return .time(end, words.zone)
  }

  private func start(of event: Event?) -> FieldValue {
    FieldValue(event?.start.map { EntryTime($0, in: words.zone) }, in: words.zone)
  }

  private var list: ListFormat<Item> {
    typealias Field = ListFormat<Item>.Field
    func ofEvent(_ name: String, _ value: @escaping (Event) -> String) -> Field {
      Field(name) { FieldValue($0.event.map(value)) }
    }
    func ofChange(_ name: String, _ value: @escaping (Change) -> FieldValue) -> Field {
      Field(name) { $0.change.map(value) ?? .none }
    }
    return ListFormat(
      name: "changes",
      fields: [
        Field("change") { .text($0.kind) },
        Field("calendar") { FieldValue($0.calendar) },
        ofEvent("uid") { $0.identity.uid },
        ofEvent("title") { $0.title },
        ofChange("from") { start(of: previous($0)) },
        ofChange("to") { start(of: $0.after) },
        Field(
          "properties",
          cell: { FieldValue($0.change?.properties.joined(separator: ",")) }
        ) { .texts($0.change?.properties ?? []) },
        Field("source") { FieldValue($0.source?.source.commandName) },
        Field("previousCalendar") { FieldValue($0.source?.previousCalendar) },
        Field("overrides", cell: { FieldValue($0.change?.overrides) }) {
          .number($0.change?.overrides ?? 0)
        },
        ofChange("fromEnd") { end(of: previous($0)) },
        ofChange("toEnd") { end(of: $0.after) },
      ],
      columns: [
        "change", "title", "calendar", "from", "to", "properties", "uid", "source",
        "previousCalendar", "overrides", "fromEnd", "toEnd",
      ])
  }
}
