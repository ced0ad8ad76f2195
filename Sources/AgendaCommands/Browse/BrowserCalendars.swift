internal import AgendaBrowser
internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases
internal import Platform

/// What the full screen shows of calendars, and how it changes them: by the commands themselves, so
/// that a key does exactly what a command line does.
final class BrowserCalendars: BrowserWorker {
  /// What all threads of a browser share.
  ///
  /// Unchecked because an environment has functions of the process, which read variables and write to
  /// descriptors from any thread.
  final class Shared: @unchecked Sendable {
    let request: AgendaRequest
    let environment: Environment
    /// Whether the time stands still.
    let isFixed: Bool
    /// The only days that have entries; `nil` if the command line sets no length of a window.
    let bounds: DateWindow?
    let typedZone: String?
    let typedLocale: String?
    /// The addresses of the user.
    let addresses: [String]
    let keys: KeyBindings

    init(_ invocation: Invocation, _ request: AgendaRequest, keys: KeyBindings = .usual) {
      self.request = request
      self.keys = keys
      addresses = invocation.line.values(of: Options.ownAddress)
      environment = invocation.environment
      isFixed = invocation.line.has(Options.now)
      let lengths = [Options.to, Options.days, Options.weeks, Options.months, Options.years]
      bounds = lengths.contains(where: invocation.line.isTyped) ? request.window : nil
      typedZone = invocation.line.value(of: Options.timezone)
      typedLocale = invocation.line.value(of: Options.locale)
    }
  }

  private let shared: Shared
  private var environment: Environment
  private var known: Calendars?
  /// What is known about the calendars of the store.
  private var states: [CalendarState]?
  /// Of a store that failed while details were read.
  private var failure: String?

  init(_ shared: Shared) {
    self.shared = shared
    environment = shared.environment
    environment.pager = { nil }
    environment.ask = nil
    environment.isOnScreen = true
  }

  // MARK: Reading

  /// Standard input cannot be read again.
  func forget() {
    states = nil
    if !shared.request.input.sources.contains(where: \.isStandardInput) { known = nil }
  }

  /// The request as of now.
  private var request: AgendaRequest {
    guard !shared.isFixed else { return shared.request }
    return shared.request.asked(at: environment.clock())
  }

  private func read() throws -> Calendars {
    if let known { return known }
    let request = request
    let calendars: Calendars
    if request.input.usesStore {
      let run = CommandRun(environment: environment, messages: Messages(environment))
      let store = try run.store(request.input.store, for: request.viewer)
      calendars = try Calendars(of: store) { [weak self] in self?.failure = "\($0)" }
    } else {
      calendars = Calendars(
        reading: request.input.sources, zones: request.viewer.database,
        encoding: request.input.encoding, fetching: request.input.fetching)
      if let error = calendars.readings.lazy.compactMap(\.error).first, calendars.areUnreadable {
        throw error
      }
    }
    known = calendars
    return calendars
  }

  private func selection(_ request: AgendaRequest, hidden: Set<String>) -> Selection {
    var selection = request.selection
    selection.excludedCalendars += hidden
    return selection
  }

  func calendars() throws -> [BrowserCalendar] {
    let selection = request.selection
    let states = try calendarStates()
    return try read().calendarColors().filter { selection.admitsCalendar(named: $0.key) }
      .map { name, color in
        var calendar = BrowserCalendar(name: name, color: color)
        guard let state = states.first(where: { $0.name == name }) else { return calendar }
        calendar.isWritable = state.isWritable
        calendar.waiting = state.waiting
        calendar.conflicts = state.conflicts
        calendar.waitingEvents = state.waitingEvents
        calendar.conflictingEvents = state.conflictingEvents
        return calendar
      }
      .sorted { $0.name < $1.name }
  }

  private func calendarStates() throws -> [CalendarState] {
    guard shared.request.input.usesStore else { return [] }
    if let states { return states }
    let states = try store().calendarStates()
    self.states = states
    return states
  }

  private func store() throws -> CalendarStore {
    let request = request
    return try CommandRun(environment: environment, messages: Messages(environment))
      .store(request.input.store, for: request.viewer)
  }

  /// What waits for the server of an event: `conflict`, `not sent yet`.
  private func notes(on event: Event) -> [String] {
    guard let state = try? calendarStates().first(where: { $0.name == event.calendar }) else {
      return []
    }
    let words = request.presentation.wording.words.browser
    return (state.conflictingEvents.contains(event.reference) ? [words.conflict] : [])
      + (state.waitingEvents.contains(event.reference) ? [words.unsent] : [])
  }

  func isLoss(_ error: any Error) -> Bool {
    let reason: StoreError?
    switch error {
    case let error as StoreError: reason = error
    case CalendarError.store(let failure):
      if case .store(let error) = failure.reason { reason = error } else { reason = nil }
    default: reason = nil
    }
    if case .damaged = reason { return true }
    return false
  }

  func days(
    in window: DateWindow, hidden: Set<String>, atMost most: Int?
  ) throws -> DaysPart {
    DaysPart(try agenda(of: window, hidden: hidden), window: window, atMost: most)
  }

  func busyTimes(in window: DateWindow, hidden: Set<String>) throws -> BusyPart {
    BusyPart(try agenda(of: window, hidden: hidden), window: window)
  }

  private func agenda(of window: DateWindow, hidden: Set<String>) throws -> Agenda {
    var request = request
    request.selection = selection(request, hidden: hidden)
    request.grouping.limit = nil
    guard let shown = bounded(window) else {
      return Agenda([], in: window, options: request.grouping)
    }
    let agenda = try read().agenda(of: request, in: shown)
    if let failure {
      self.failure = nil
      throw CommandError.failed(failure)
    }
    // The texts of what was read last are kept for details, which a person wants of one entry.
    if shared.request.input.usesStore, agenda.entryCount > Self.mostEntriesWithTexts { known = nil }
    return agenda
  }

  /// The texts of more entries take too much memory for a screen that shows one of them.
  private static let mostEntriesWithTexts = 1000

  /// The part of a window that has entries; `nil` if none has.
  private func bounded(_ window: DateWindow) -> DateWindow? {
    guard let bounds = shared.bounds else { return window }
    return DateWindow(
      firstDay: max(window.firstDay, bounds.firstDay),
      dayAfterLast: min(window.dayAfterLast, bounds.dayAfterLast), zone: window.zone)
  }

  func tasks(hidden: Set<String>) throws -> [BrowserTask] {
    let request = request
    let (zone, wording) = (request.viewer.zone, request.presentation.wording)
    let calendars = try read()
    let tasks = try calendars.openTasks(
      selection(request, hidden: hidden), now: request.viewer.now, zone: zone)
    return tasks.map { task in
      let occurrence = task.occurrence
      let date = occurrence.isUndated ? nil : occurrence.firstDay(in: zone)
      var time = date.map(wording.shortDate) ?? wording.words.groups.noDate
      if let date, occurrence.allDay == nil {
        time = wording.dateAndTime(
          wording.shortDate(date), wording.time(zone.civil(at: occurrence.begin).time))
      }
      var notes: [String] = []
      if task.urgency == .overdue { notes.append(wording.words.entries.overdue) }
      if let priority = calendars.details(of: occurrence.event).priority {
        notes.append(wording.words.labels.priority + " " + wording.number(priority))
      }
      notes.append(SafeText.line(occurrence.event.calendar))
      notes += self.notes(on: occurrence.event)
      return BrowserTask(
        BrowserTarget(occurrence, on: date), heading: notes.joined(separator: " · "), time: time,
        isOverdue: task.urgency == .overdue)
    }
  }

  // MARK: Commands

  func answer(
    _ command: BrowserCommand, progress: @escaping (String) -> Void
  ) -> BrowserAnswer {
    do {
      return try result(of: command, progress: progress)
    } catch {
      return BrowserAnswer(
        text: message.text(SafeText.line(ErrorWording.text(of: error))), hasFailed: true)
    }
  }

  private func result(
    of command: BrowserCommand, progress: @escaping (String) -> Void
  ) throws -> BrowserAnswer {
    switch command {
    case .details(let target, let columns): return try page(target, columns, isExplanation: false)
    case .explanation(let target, let columns):
      return try page(target, columns, isExplanation: true)
    case .link(let target): return try link(of: target)
    case .launch(let address):
      try environment.open(address)
      return BrowserAnswer()
    case .preview(let entry): return add(entry, isTrial: true).preview
    case .add(let entry): return add(entry, isTrial: false)
    case .check(let target):
      try check(target, try found(target))
      return BrowserAnswer()
    case .invitation(let target): return try invitation(target)
    case .fields(let target): return BrowserAnswer(.form(try fields(of: target)))
    case .edit(let target, let changes, let scope):
      let options = changes.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(Self.options)
      return run(["edit"] + options + Self.options(scope) + Self.window(of: target), target)
    case .editText(let target, let scope):
      return run(
        ["edit", "--editor"] + Self.options(scope) + Self.window(of: target), target,
        usesTerminal: true)
    case .move(let target, let days, let minutes, let scope):
      let option = target.kind == .task ? "--due" : "--at"
      return run(
        ["edit", "\(option)=\(Self.shift(days: days, minutes: minutes))"] + Self.options(scope)
          + Self.window(of: target), target)
    case .remove(let target, let scope, let isTrial):
      let answer = run(
        ["remove", "--event=\(Self.name(of: target))"] + Self.options(scope)
          + Self.window(of: target) + (isTrial ? ["--dry-run"] : []))
      guard isTrial else { return answer }
      // The question has the verb.
      var question = answer.firstLine
      if question.text.hasPrefix("would remove ") {
        question.text.removeFirst("would remove ".count)
      }
      return question
    case .complete(let target): return run(["done"] + Self.window(of: target), target)
    case .reply(let target, let reply, let scope, let file):
      // Without an option the answer is for the whole series.
      var line = ["reply", "--\(reply.rawValue)"] + (scope == .only ? ["--only"] : [])
      line += Self.window(of: target)
      if !file.isEmpty { line += ["--output=\(file)"] }
      var answer = run(line, target)
      let statuses = request.presentation.wording.words.statuses
      let word =
        switch reply {
        case .accept: statuses.accepted
        case .decline: statuses.declined
        case .tentative: statuses.tentative
        }
      if !answer.hasFailed {
        answer.text = SafeText.line("\(word): \(target.title)" + (file.isEmpty ? "" : " → \(file)"))
      }
      return answer
    case .undo(let date, let isAgreed): return try undo(near: date, isAgreed: isAgreed)
    case .redo(let date): return try redo(near: date)
    case .refresh: return refresh(progress)
    case .conflict(let target): return try conflict(target)
    case .resolve(let conflict, let isMine):
      return run(["resolve", isMine ? "--mine" : "--theirs", "--", conflict.uid])
    case .find(let search):
      return try find(search, after: search.target, forward: search.forward)
    }
  }

  /// `calendar/id`: identifiers are unique only within a calendar.
  private static func name(of target: BrowserTarget) -> String {
    target.calendar.isEmpty ? "\(target.id)" : "\(target.calendar)/\(target.id)"
  }

  /// The day of the entry, so that it is found without a look at others.
  private static func window(of target: BrowserTarget) -> [String] {
    guard let date = target.date else { return [] }
    return ["--from=\(date)", "--days=1"]
  }

  private static func options(_ scope: SeriesScope?) -> [String] {
    scope.map { ["--\($0.rawValue)"] } ?? []
  }

  /// `+15m`, `-1d`, `+25h`
  private static func shift(days: Int, minutes: Int) -> String {
    if minutes == 0 { return "\(days < 0 ? "-" : "+")\(abs(days))d" }
    let all = days * 24 * 60 + minutes
    return "\(all < 0 ? "-" : "+")\(abs(all))m"
  }

  private static func options(_ field: FormField.Name, _ text: String) -> [String] {
    switch field {
    case .title: return ["--title=\(text)"]
    case .start: return ["--at=\(text)"]
    case .due: return ["--due=\(text)"]
    case .length: return ["--for=\(text)"]
    case .location: return ["--location=\(text)"]
    case .note: return ["--note=\(text)"]
    case .link: return ["--url=\(text)"]
    case .categories:
      let all = text.split(separator: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      return all.isEmpty ? ["--category="] : all.map { "--category=\($0)" }
    case .repetition: return ["--repeat=\(text)"]
    case .status: return ["--status=\(text)"]
    case .calendar: return ["--calendar=\(text)"]
    }
  }

  /// Adds an entry. Words without a date are about the day that is looked at.
  private func add(_ entry: NewEntry, isTrial: Bool) -> BrowserAnswer {
    let words = entry.words.split(separator: " ").map(String.init)
    let calendar = entry.calendar.map { ["--calendar=\($0)"] } ?? []
    let trial = isTrial ? ["--dry-run"] : []
    guard let date = entry.date else {
      return run(["add", "--task"] + trial + calendar + ["--"] + words)
    }
    guard lacksDate(words, on: date) else {
      return run(["add"] + trial + calendar + ["--"] + words)
    }
    // With the date before them, the command finds less to warn of.
    let typed = run(["add", "--dry-run"] + calendar + ["--"] + words)
    var answer = run(["add"] + trial + calendar + ["--", "\(date)"] + words)
    let warnings = typed.warnings.filter { !answer.warnings.contains($0) }
    guard !answer.hasFailed, !warnings.isEmpty else { return answer }
    answer.warnings = warnings + answer.warnings
    answer.text = (warnings + [answer.text]).joined(separator: "; ")
    return answer
  }

  /// Whether a new entry with these words gets the date that is looked at. Words that look like a time
  /// without being one stay as they are: the command says best what is wrong with them.
  private func lacksDate(_ words: [String], on date: CivilDate) -> Bool {
    let viewer = request.viewer
    let dialect = viewer.dialect(request.presentation.wording)
    let now = viewer.zone.civil(at: viewer.now)
    guard let read = try? EntryWords(words, now: now, dialect: dialect) else { return false }
    guard let phrase = read.phrase else { return read.unread.isEmpty }
    return !phrase.namesDate && phrase.repetition == nil && date != viewer.today
  }

  /// Throws if the entry is not an invitation, which the user could answer.
  private func invitation(_ target: BrowserTarget) throws -> BrowserAnswer {
    let occurrence = try found(target).entry.occurrence
    let store = try store()
    let addresses = shared.addresses
    let reply = try store.write(isDryRun: true) {
      try $0.reply(.accepted, to: occurrence, as: addresses)
    }
    return BrowserAnswer(.invitation(needsFile: !reply.isSentByServer))
  }

  // MARK: Undo

  private func undo(near date: CivilDate, isAgreed: Bool) throws -> BrowserAnswer {
    if !isAgreed, let step = try store().undoSteps(atMost: 1).first, step.command == "import" {
      return BrowserAnswer(
        .isImport, text: SafeText.line("import · \(step.calendars.joined(separator: ", "))"))
    }
    // After it, the store does not know any more what the command has changed.
    let changes = try changesOfLastStep()
    var answer = run(["undo", "--yes"])
    guard !answer.hasFailed else { return answer }
    try describe(changes, to: &answer, near: date) { ($0.before, $0.excluded) }
    return answer
  }

  private func redo(near date: CivilDate) throws -> BrowserAnswer {
    var answer = run(["redo"])
    guard !answer.hasFailed else { return answer }
    let changes = try changesOfLastStep()
    try describe(changes, to: &answer, near: date) { ($0.after, $0.restored) }
    return answer
  }

  /// Adds the titles of what changed, and the first event that is there now: `present` gives it with the
  /// times of its occurrences that are there again.
  private func describe(
    _ changes: [Change], to answer: inout BrowserAnswer, near date: CivilDate,
    present: (Change) -> (event: Event?, times: [EventTime])
  ) throws {
    answer.text += Self.titles(of: changes)
    guard let found = changes.lazy.map(present).first(where: { $0.event != nil }),
      let event = found.event
    else { return }
    answer.target = try target(of: event, at: found.times, near: date)
  }

  /// ` · Lunch`: which entries a step was about.
  private static func titles(of changes: [Change]) -> String {
    var titles: [String] = []
    for event in changes.compactMap({ $0.after ?? $0.before })
    where !event.title.isEmpty && !titles.contains(event.title) {
      titles.append(event.title)
    }
    guard !titles.isEmpty else { return "" }
    return " · " + SafeText.line(titles.prefix(mostTitles).joined(separator: ", "))
      + (titles.count > mostTitles ? " …" : "")
  }

  /// They fit into a line.
  private static let mostTitles = 3

  /// The changes of a command about an entry; none of an import, which can have changed thousands.
  private func changesOfLastStep() throws -> [Change] {
    let store = try store()
    guard let step = try store.undoSteps(atMost: 1).first,
      step.command != "import", step.command != "refresh"
    else { return [] }
    return try store.changes().events
  }

  /// The entry of an event that is listed nearest to a day, or at one of these times.
  private func target(
    of event: Event, at times: [EventTime] = [], near date: CivilDate
  ) throws -> BrowserTarget? {
    let zone = request.viewer.zone
    var days = times.map { zone.civil(at: $0.instant(for: zone)).date }
    if days.isEmpty {
      if event.recurrence != nil { days.append(date) }
      let start = event.kind == .task ? event.due ?? event.start : event.start
      if let start {
        days.append(start.isDate ? start.civil.date : zone.day(holding: start.instant(for: zone)))
      }
    }
    var request = request.inAllCalendars
    request.selection.includesTasks = true
    request.grouping.limit = nil
    let calendars = try read()
    for day in days {
      let margin = event.recurrence != nil && times.isEmpty ? Self.daysAround : 0
      guard let first = day.adding(days: -margin), let end = day.adding(days: margin + 1),
        let window = DateWindow(firstDay: first, dayAfterLast: end, zone: zone)
      else { continue }
      let agenda = try calendars.agenda(of: request, in: window)
      let entries = agenda.entries.filter {
        $0.calendar == event.calendar && $0.event.identity.uid == event.identity.uid
      }
      let nearest = entries.min { abs($0.date.days(until: day)) < abs($1.date.days(until: day)) }
      if let nearest { return BrowserTarget(nearest.occurrence, on: nearest.date) }
    }
    return nil
  }

  /// How far an occurrence of a series is searched, in days.
  private static let daysAround = 31

  // MARK: Servers

  private func refresh(_ progress: @escaping (String) -> Void) -> BrowserAnswer {
    let reports = CollectedReports()
    environment.noteReports = { reports.all = $0 }
    defer { environment.noteReports = { _ in } }
    var answer = run(["refresh"], progress: progress)
    // Without a report, the store could not be written, or there is nothing to refresh.
    guard !reports.all.isEmpty else { return answer }
    var parts = RefreshSummary(reports.all, at: request).parts
    let conflicts = reports.all.reduce(0) { $0 + ($1.exchange?.conflicts ?? 0) }
    if conflicts > 0 {
      let wording = request.presentation.wording
      let key = shared.keys.keys(of: .settle).first?.description ?? ""
      parts.append(wording.words.browser.openConflicts(wording.number(conflicts), key))
    }
    answer.text = message.text(SafeText.line(parts.joined(separator: "; ")))
    return answer
  }

  private final class CollectedReports {
    var all: [SourceReport] = []
  }

  /// Both versions of the selected event, or of the oldest conflict if it has none.
  private func conflict(_ target: BrowserTarget?) throws -> BrowserAnswer {
    let store = try store()
    let request = request
    let texts = request.presentation.wording.words.browser
    let conflicts = try store.conflicts()
    let uid = target.flatMap { try? found($0).entry.event.identity.uid }
    let own = conflicts.first { $0.uid == uid && $0.calendar == target?.calendar }
    guard let conflict = own ?? conflicts.first else {
      return BrowserAnswer(text: texts.noConflict, hasFailed: true)
    }
    let words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
    var lines: [BrowserPage.Line] = [
      .heading(SafeText.line("\(conflict.title) · \(conflict.calendar)"))
    ]
    func add(_ name: String, _ mine: String?, _ theirs: String?) {
      lines.append(.text(SafeText.line(name)))
      for (label, text) in [(texts.mine, mine), (texts.theirs, theirs)] {
        lines.append(
          .text("  \(label): " + (text.map { SafeText.line($0) } ?? words.words.changes.removed)))
      }
    }
    let zone = request.viewer.zone
    let (mine, theirs) = (
      conflict.mine.firstOccurrence(zone: zone).map(words.span(of:)),
      conflict.theirs.firstOccurrence(zone: zone).map(words.span(of:))
    )
    if mine != theirs { add(words.words.labels.start, mine, theirs) }
    for property in conflict.properties { add(property.name, property.mine, property.theirs) }
    var answer = BrowserAnswer(
      .conflict(OpenConflict(uid: conflict.uid, calendar: conflict.calendar), BrowserPage(lines)))
    if own == nil, let event = (conflict.theirs + conflict.mine).first {
      answer.target = try self.target(of: event, near: request.viewer.today)
    }
    return answer
  }

  /// Runs a command of the program, and takes what it prints as the answer.
  private func run(
    _ line: [String], _ target: BrowserTarget? = nil, usesTerminal: Bool = false,
    progress: ((String) -> Void)? = nil
  ) -> BrowserAnswer {
    let output = CollectedOutput()
    var environment = environment
    if !usesTerminal { environment.outputColumns = { nil } }
    environment.writeOutput = { bytes in
      output.text += String(decoding: bytes, as: UTF8.self)
      return nil
    }
    environment.errorIsTerminal = { progress != nil }
    environment.writeError = { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let progress, text.hasPrefix("\r") {
        progress(SafeText.line(String(text.drop { $0 != "K" }.dropFirst())))
      } else {
        output.errors += text
      }
      return nil
    }
    environment.noteWritten = { output.written = $0 }
    let options = shared.optionsOfStore(for: line[0], among: line)
    var arguments = [line[0]] + options + line.dropFirst()
    if let target, !line.contains("--") { arguments += ["--", Self.name(of: target)] }
    environment.arguments = arguments
    let status = AgendaProgram(environment: environment).run()
    let message = message
    let name = target.map(Self.name)
    if status == .done, line.contains("--dry-run") == false { forget() }
    func lines(of text: String) -> [String] {
      text.split(separator: "\n").map { message.text(SafeText.line(String($0)), entry: name) }
    }
    let (errors, printed) = (lines(of: output.errors), lines(of: output.text))
    var answer = BrowserAnswer(hasFailed: status != .done)
    answer.warnings = status == .done ? errors : []
    answer.lines = status == .done ? printed : errors
    answer.text = (errors + printed).joined(separator: "; ")
    let zone = request.viewer.zone
    answer.target = output.written.map { BrowserTarget($0, on: $0.firstDay(in: zone)) }
    return answer
  }

  private var message: ScreenMessage {
    ScreenMessage(
      keys: shared.keys, words: request.presentation.wording.words,
      calendars: (try? calendarStates()) ?? [])
  }

  private final class CollectedOutput {
    var text = ""
    var errors = ""
    var written: Occurrence?
  }

  // MARK: One entry

  private func found(_ target: BrowserTarget) throws -> FoundEntry {
    var request = request
    if let date = target.date {
      request.window = .day(date, in: request.viewer.zone)
    }
    let run = CommandRun(environment: environment, messages: Messages(environment))
    let calendars = try read()
    let agenda = try calendars.agenda(of: request, in: request.window)
    let paths = agenda.paths(of: target.id).filter { agenda[$0]?.calendar == target.calendar }
    let exact = paths.first { agenda[$0]?.begin == target.begin }
    if let place = exact ?? paths.first, let entry = agenda[place] {
      return FoundEntry(entry: entry, agenda: agenda, calendars: calendars)
    }
    // A task that is not listed on a day.
    run.sources.calendars = calendars
    return try run.entry(try EntryReference(Self.name(of: target)), request.inAllCalendars)
  }

  private func page(
    _ target: BrowserTarget, _ columns: Int, isExplanation: Bool
  ) throws -> BrowserAnswer {
    var request = request
    request.presentation.columns = columns
    request.presentation.color = .none
    let found = try found(target)
    let description = isExplanation ? nil : try EntryDescription(found, request: request)
    var bytes: [UInt8] = []
    var sink = ByteSink { bytes += $0 }
    if let description {
      description.writeText(to: &sink)
    } else {
      try found.writeExplanation(request, to: &sink)
    }
    try sink.finish()
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { BrowserPage.Line.text(String($0)) }
    if case .text(let title) = lines.first { lines[0] = .heading(title) }
    let notes = notes(on: found.entry.event)
    if !isExplanation, !notes.isEmpty {
      lines.insert(.text(notes.joined(separator: " · ")), at: min(1, lines.count))
    }
    if !isExplanation { lines += pictureLines(of: found) }
    return BrowserAnswer(.page(BrowserPage(lines)))
  }

  /// The first picture of an entry, if the terminal has colours: two pixels in each letter.
  private func pictureLines(of found: FoundEntry) -> [BrowserPage.Line] {
    guard shared.request.presentation.color != .none else { return [] }
    let thumbnails = found.calendars.thumbnails(decodedBy: environment.pictureDecoder)
    guard let colors = thumbnails.colors(of: found.entry.reference) else { return [] }
    func pixel(_ x: Int, _ y: Int) -> BrowserPage.Pixel {
      let place = (min(y, colors.height - 1) * colors.width + x) * 3
      let bytes = colors.bytes
      return .init(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
    }
    return [.text("")]
      + stride(from: 0, to: colors.height, by: 2).map { y in
        .picture(
          (0..<colors.width).map {
            BrowserPage.PixelPair(upper: pixel($0, y), lower: pixel($0, y + 1))
          })
      }
  }

  private func link(of target: BrowserTarget) throws -> BrowserAnswer {
    let found = try found(target)
    let event = found.entry.event
    guard let link = EntryLink(event, found.calendars.details(of: event)) else {
      throw CommandError.failed("\(target.title): no http or https address to open")
    }
    return BrowserAnswer(.link(link.address), text: SafeText.line(link.host))
  }

  /// Throws if the entry cannot be changed.
  private func check(_ target: BrowserTarget, _ found: FoundEntry) throws {
    let run = CommandRun(environment: environment, messages: Messages(environment))
    let store = try run.store(request.input.store, for: request.viewer)
    _ = try run.writing(try EntryReference(Self.name(of: target))) {
      try store.write {
        try $0.editableText(of: found.entry.occurrence, scope: target.isSeries ? .all : nil)
      }
    }
  }

  /// The fields of an entry as texts. An entry that cannot be changed is an error, before anybody types.
  private func fields(of target: BrowserTarget) throws -> [FormField] {
    let request = request
    let found = try found(target)
    let occurrence = found.entry.occurrence
    try check(target, found)
    let event = occurrence.event
    let details = found.calendars.details(of: event)
    let words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
    let labels = words.words.labels
    var fields = [FormField(.title, label: labels.title, text: event.title)]
    if event.kind == .task {
      let due =
        event.due == nil || occurrence.isUndated
        ? "" : Self.text(of: occurrence, request.viewer.zone)
      fields.append(FormField(.due, label: labels.due, text: due))
    } else {
      fields += [
        FormField(
          .start, label: labels.start, text: Self.text(of: occurrence, request.viewer.zone)),
        FormField(.length, label: words.words.browser.length, text: Self.length(of: occurrence)),
      ]
    }
    let rule = try found.series.master.recurrence?.rules.first.map {
      TimeWords(wording: DateWording(.plain), zone: request.viewer.zone).words(for: $0, of: event)
    }
    fields += [
      FormField(.location, label: labels.location, text: event.location ?? ""),
      FormField(.note, label: labels.description, text: details.description ?? ""),
      FormField(.link, label: labels.link, text: details.url ?? ""),
      FormField(
        .categories, label: labels.categories, text: event.categories.joined(separator: ", ")),
      FormField(.repetition, label: labels.repeats, text: rule ?? ""),
      FormField(.status, label: labels.status, text: event.status?.rawValue ?? ""),
      FormField(.calendar, label: labels.calendar, text: event.calendar),
    ]
    return fields
  }

  /// `2026-11-24 12:30`, or a date alone.
  private static func text(of occurrence: Occurrence, _ zone: Zone) -> String {
    if let days = occurrence.allDay { return "\(days.lowerBound)" }
    let civil = zone.civil(at: occurrence.begin)
    let time = [civil.time.hour, civil.time.minute].map { ($0 < 10 ? "0" : "") + "\($0)" }
    return "\(civil.date) \(time.joined(separator: ":"))"
  }

  /// `1h30m`, `2d`; empty without a length.
  private static func length(of occurrence: Occurrence) -> String {
    if let days = occurrence.allDay {
      return "\(max(1, days.lowerBound.days(until: days.upperBound)))d"
    }
    var seconds = occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch
    var text = ""
    for (unit, size) in [("h", 3600), ("m", 60), ("s", 1)] where seconds >= size {
      text += "\(seconds / size)\(unit)"
      seconds %= size
    }
    return text
  }

  // MARK: Search

  /// Searches in windows of growing length.
  private func find(
    _ search: EntrySearch, after target: BrowserTarget?, forward: Bool
  ) throws -> BrowserAnswer {
    var request = request
    request.selection = selection(request, hidden: search.hidden)
    request.selection.words += Selection.words(search.words)
    let date = search.date
    let calendars = try read()
    var edge = date
    var length = 31
    while true {
      let far = edge.adding(days: forward ? length : -length)
      let first = forward ? edge : far ?? .first
      let end = forward ? far ?? .afterLast : edge.adding(days: 1) ?? .afterLast
      guard let window = DateWindow(firstDay: first, dayAfterLast: end, zone: request.viewer.zone)
      else { break }
      let shown = bounded(window)
      let agenda = try shown.map { try calendars.agenda(of: request, in: $0) }
      var entries: [Entry] = []
      for section in agenda.map({ Array($0.sections) }) ?? [] {
        if case .day = section.value { entries += section.entries }
      }
      if let entry = Self.match(entries, from: date, after: target, forward: forward) {
        return BrowserAnswer(
          .found(BrowserTarget(entry.occurrence, on: entry.date), on: entry.date))
      }
      guard far != nil, length < Self.longestSearch else { break }
      edge = forward ? end : first
      if !forward, let before = first.adding(days: -1) { edge = before }
      length *= 4
    }
    if target == nil, forward { return try find(search, after: nil, forward: false) }
    return BrowserAnswer(.foundNothing)
  }

  /// In days. Further away, a person goes there first.
  private static let longestSearch = 8000

  private static func match(
    _ entries: [Entry], from date: CivilDate, after target: BrowserTarget?, forward: Bool
  ) -> Entry? {
    guard let target else { return forward ? entries.first : entries.last }
    let position = entries.firstIndex {
      $0.date == date && $0.begin == target.begin && $0.calendar == target.calendar
        && $0.id == target.id
    }
    if let position {
      return forward ? entries.dropFirst(position + 1).first : entries[..<position].last
    }
    // The present entry does not match itself.
    return forward
      ? entries.first { ($0.date, $0.begin) > (date, target.begin) }
      : entries.last { ($0.date, $0.begin) < (date, target.begin) }
  }
}

extension BrowserCalendars.Shared {
  /// The options that a command needs to see the same store at the same time.
  fileprivate func optionsOfStore(for command: String, among line: [String]) -> [String] {
    guard let declaration = AgendaCommand.all.first(where: { $0.declaration.name == command })
    else { return [] }
    var options: [String] = []
    func add(_ option: Option, _ value: String?) {
      guard let value, declaration.declaration.option(named: option.name) != nil else { return }
      options.append("\(option.spelling)=\(value)")
    }
    add(Options.store, try? request.input.store.path)
    add(Options.timezone, typedZone)
    add(Options.locale, typedLocale)
    if isFixed { add(Options.now, request.viewer.now.rfc3339(in: .utc)) }
    return options
  }
}

extension BrowserAnswer {
  /// Only the first line of a result with several.
  fileprivate var firstLine: BrowserAnswer {
    guard !hasFailed, let first = lines.first else { return self }
    var answer = self
    answer.text = first
    return answer
  }

  /// The first line, after all that a command warns of.
  fileprivate var preview: BrowserAnswer {
    var answer = firstLine
    if !hasFailed { answer.text = (warnings + [answer.text]).joined(separator: "; ") }
    return answer
  }
}
