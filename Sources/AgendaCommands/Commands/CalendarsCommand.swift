internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  static let calendars = AgendaCommand(
    Command(
      "calendars", summary: "list the calendars in the store, begin one, or rename one",
      discussion: [
        "Without ACTION it lists the calendars with their sources, and says which of them are yours and which belong to others. You can add events to yours: own calendars, folders, and those on servers. agenda keeps what you change in the others in the store. On a terminal it shows the colours of the calendars. If an address waits before it is fetched again, it shows until when.",
        "new NAME begins a calendar of your own, for agenda add --calendar NAME and agenda import FILE --into NAME. rename OLD NEW gives a calendar another name, which later imports keep. A name that another calendar has is refused. agenda undo takes both back.",
      ],
      operands: [
        Operand(
          Value("ACTION"), help: "new NAME or rename OLD NEW; default: list the calendars",
          isOptional: true, isRepeatable: true)
      ],
      options: [Options.listFormat, Options.safe, Options.locale, Options.color, Options.store]
        + Options.momentOptions,
      examples: [
        Command.Example("agenda calendars", "list the calendars, their sources and last imports"),
        Command.Example("agenda calendars new home", "begin a calendar of your own"),
        Command.Example("agenda calendars rename Calendar work", "give a calendar another name"),
      ], group: "Store"),
    arguments: CalendarsArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    let store =
      switch arguments.action {
      case .list, .rename: try run.existingStore(arguments.store, for: viewer)
      case .begin: try run.store(arguments.store, for: viewer)
      }
    switch arguments.action {
    case .list: break
    case .begin(let name):
      let name = try run.writing { try store.write { try $0.begin(calendar: name) } }
      return try run.environment.print(
        SafeText.line("began \(name); agenda add --calendar \(name.asArgument) adds to it") + "\n")
    case .rename(let old, let new):
      let old = try run.writing { try store.write { try $0.rename(calendar: old, to: new) } }
      return try run.environment.print(SafeText.line("renamed \(old) to \(new)") + "\n")
    }
    let calendars = try store.calendars()
    let mails = try store.mails()
    let states = try store.subscriptions()
    let owners = try store.calendarOwners()
    try run.write { sink in
      CalendarList(calendars, mails, states, owners, arguments.presentation, viewer)
        .write(to: &sink)
    }
  }
}

private struct CalendarsArguments {
  enum Action {
    case list
    case begin(String)
    case rename(String, to: String)
  }

  let action: Action
  let viewer: Viewer
  let presentation: Presentation
  let store: StoreArgument

  init(_ invocation: Invocation) throws(CommandError) {
    let words = invocation.line.operands
    switch (words.first, words.count) {
    case (nil, _): action = .list
    case ("new", 2): action = .begin(words[1])
    case ("rename", 3): action = .rename(words[1], to: words[2])
    default:
      throw .wrongUsage(
        "expected agenda calendars new NAME or agenda calendars rename OLD NEW; a name with spaces "
          + "needs quotes")
    }
    viewer = try Viewer(invocation)
    presentation = try Presentation(invocation)
    store = try StoreArgument(invocation)
  }
}

/// The calendars of a store in each format.
private struct CalendarList {
  private let calendars: [CalendarSummary]
  /// The sources without a calendar.
  private let mails: [SourceSummary]
  /// What is known about addresses, by location.
  private let states: [String: Subscription]
  private let owners: CalendarOwners
  private let presentation: Presentation
  private let viewer: Viewer
  private let words: TimeWords

  init(
    _ calendars: [CalendarSummary], _ mails: [SourceSummary], _ states: [String: Subscription],
    _ owners: CalendarOwners,
    _ presentation: Presentation, _ viewer: Viewer
  ) {
    self.calendars = calendars
    self.mails = mails
    self.states = states
    self.owners = owners
    self.presentation = presentation
    self.viewer = viewer
    words = TimeWords(wording: presentation.wording, zone: viewer.zone)
  }

  func write(to sink: inout ByteSink) {
    switch presentation.format {
    case .json: list.write(listed, as: .json, to: &sink)
    case .tsv, .csv:
      let rows = listed.flatMap { calendar in calendar.sources.map { (calendar.calendar, $0) } }
      sourceList.write(rows, as: presentation.format, safe: presentation.isSafe, to: &sink)
    case .text, .markdown, .html, .jsonl: writeText(to: &sink)
    }
  }

  private func writeText(to sink: inout ByteSink) {
    if calendars.isEmpty, mails.isEmpty {
      sink.write("No calendars imported yet. Run agenda import FILE or agenda add TITLE.\n")
    }
    var colors = CalendarColors(CalendarColors.distinct(calendars.map { ($0.name, $0.color) }))
    for calendar in calendars {
      var layout = TextLayout(width: presentation.columns, color: presentation.color)
      if presentation.isOnTerminal || presentation.color != .none {
        layout.begin(
          at: 2, bar: TerminalColor(colors.color(ofCalendar: calendar.name)), to: &sink)
      }
      layout.write(SafeText.line(calendar.name), .strong, to: &sink)
      layout.write(": " + Self.counts(calendar).joined(separator: ", "), to: &sink)
      if presentation.isOnTerminal {
        layout.write(", ", to: &sink)
        let isWritable = calendar.sources.contains(where: \.isWritable)
        layout.write(
          isWritable ? "yours" : "belongs to others", isWritable ? .good : .weak, to: &sink)
      }
      layout.newLine(to: &sink)
      for source in calendar.sources { writeText(source, to: &sink) }
    }
    if !mails.isEmpty { sink.write("mail about events of all calendars\n") }
    for mail in mails { writeText(mail, to: &sink) }
    if calendars.isEmpty { return }
    let sentence = "\(owners)"
    var layout = TextLayout(width: presentation.columns, color: presentation.color)
    layout.write(
      SafeText.line(sentence.prefix(1).uppercased() + sentence.dropFirst() + "."), to: &sink)
    layout.newLine(to: &sink)
  }

  /// Whether the sources of servers have to be told apart by their users.
  private var hasSeveralUsers: Bool {
    let servers = calendars.flatMap(\.sources).filter { $0.path != nil }
    return Set(servers.map(\.user)).count > 1
  }

  private func writeText(_ source: SourceSummary, to sink: inout ByteSink) {
    var layout = TextLayout(width: presentation.columns, color: presentation.color)
    func writeLine(_ text: String, indent: Int) {
      layout.space(indent, to: &sink)
      layout.hang()
      layout.write(text, to: &sink)
      layout.newLine(to: &sink)
    }
    var line = SafeText.line(source.source.commandName)
    if hasSeveralUsers, let path = source.path {
      line += SafeText.line(", \(source.user.map { "\($0), " } ?? "")\(path)")
    }
    if let moment = source.lastImport {
      line +=
        (source.source.kind == .local ? ", begun " : ", imported ")
        + words.times([.utc(moment.utc)])
    }
    writeLine(line, indent: 2)
    if let state = states[source.source.location] {
      let facts = facts(about: state)
      if !facts.isEmpty { writeLine(facts.joined(separator: ", "), indent: 4) }
    }
    if source.hidden > 0 {
      let hidden = source.hidden == 1 ? "1 entry" : "\(source.hidden) entries"
      writeLine("\(hidden) removed from the store, but not from the source", indent: 4)
    }
    if source.waiting > 0 {
      let changes = source.waiting == 1 ? "1 change waits" : "\(source.waiting) changes wait"
      writeLine("\(changes) to be sent; agenda refresh sends them", indent: 4)
    }
    if source.conflicts > 0 {
      let events = source.conflicts == 1 ? "1 event" : "\(source.conflicts) events"
      writeLine("\(events) changed here and on the server; see agenda resolve", indent: 4)
    }
    if let error = source.lastError {
      writeLine("last import failed: " + SafeText.line(error), indent: 4)
    }
  }

  /// `last success Fri 20 Nov 09:00`, …
  private func facts(about state: Subscription) -> [String] {
    var facts: [String] = []
    func add(_ name: String, _ moment: Instant?) {
      if let moment { facts.append("\(name) \(words.times([.utc(moment.utc)]))") }
    }
    add("last success", state.lastSuccess)
    if state.lastAttempt != state.lastSuccess { add("last attempt", state.lastAttempt) }
    if let pause = state.pause {
      if presentation.isOnTerminal, viewer.now < pause.end {
        add("\(Self.reason(of: pause)), waits until", pause.end)
      } else {
        add("next attempt", pause.end)
      }
    }
    if state.failureCount > 1 { facts.append("\(state.failureCount) failures in a row") }
    if let size = state.size { facts.append("\(size) bytes") }
    return facts
  }

  private static func reason(of pause: Subscription.Pause) -> String {
    switch pause.reason {
    case .fresh: "still current"
    case .failure: "failed"
    case .retryAfter: "the server asked for a pause"
    case .gone: "gone"
    }
  }

  /// The sources by calendar; mails without a calendar come last, without a name.
  private var listed: [(calendar: CalendarSummary?, sources: [SourceSummary])] {
    calendars.map { ($0, $0.sources) } + (mails.isEmpty ? [] : [(nil, mails)])
  }

  private var list: ListFormat<(calendar: CalendarSummary?, sources: [SourceSummary])> {
    // Mails have messages, and no events.
    ListFormat(
      name: "calendars",
      fields: [
        .init("name") { FieldValue($0.calendar?.name) },
        .init("color") { FieldValue($0.calendar?.color) },
        .init("events") { .number($0.calendar?.events ?? 0) },
        .init("tasks") { .number($0.calendar?.tasks ?? 0) },
        .init("journals") { .number($0.calendar?.journals ?? 0) },
        .init("freeBusy") { .number($0.calendar?.freeBusy ?? 0) },
        .init("kind") { FieldValue($0.sources.first?.kindName) },
        .init("writable") { .flag($0.sources.contains(where: \.isWritable)) },
        .init("waiting") { .number($0.calendar?.waiting ?? 0) },
        .init("conflicts") { .number($0.calendar?.conflicts ?? 0) },
        .init("user") { FieldValue($0.sources.first?.user) },
        .init("path") { FieldValue($0.sources.first?.path) },
        .init(sourceList) { listed in listed.sources.map { (listed.calendar, $0) } },
      ])
  }

  private var sourceList: ListFormat<(calendar: CalendarSummary?, source: SourceSummary)> {
    func moment(_ name: String, _ moment: @escaping (Subscription) -> Instant?)
      -> ListFormat<(calendar: CalendarSummary?, source: SourceSummary)>.Field
    {
      .init(name) { FieldValue(states[$0.source.source.location].flatMap(moment), in: words.zone) }
    }
    return ListFormat(
      name: "sources",
      fields: [
        .init(column: "calendar") { FieldValue($0.calendar?.name) },
        .init("source") { .text($0.source.source.commandName) },
        .init("events") { .number($0.source.events) },
        .init("tasks") { .number($0.source.tasks) },
        .init("journals") { .number($0.source.journals) },
        .init("freeBusy") { .number($0.source.freeBusy) },
        .init("lastImport") { FieldValue($0.source.lastImport, in: words.zone) },
        .init("lastError") { FieldValue($0.source.lastError) },
        moment("lastSuccess", \.lastSuccess),
        moment("lastAttempt", \.lastAttempt),
        moment("nextAttempt", \.nextAttempt),
        .init("pause") { FieldValue(states[$0.source.source.location]?.pause?.reason.name) },
        .init("failures") { .number(states[$0.source.source.location]?.failureCount ?? 0) },
        .init("bytes") { FieldValue(states[$0.source.source.location]?.size) },
        .init("hidden") { .number($0.source.hidden) },
        .init("kind") { .text($0.source.kindName) },
        .init("writable") { .flag($0.source.isWritable) },
        .init("waiting") { .number($0.source.waiting) },
        .init("conflicts") { .number($0.source.conflicts) },
        .init("user") { FieldValue($0.source.user) },
        .init("path") { FieldValue($0.source.path) },
      ],
      columns: [
        "calendar", "source", "events", "tasks", "lastImport", "lastError", "lastSuccess",
        "lastAttempt", "nextAttempt", "bytes", "journals", "freeBusy", "hidden", "kind", "writable",
        "waiting", "conflicts", "user", "path",
      ])
  }

  /// `3 events, 1 task`; a calendar without any entries has `0 events`.
  private static func counts(_ calendar: CalendarSummary) -> [String] {
    let counts = [
      (calendar.events, "event"), (calendar.tasks, "task"), (calendar.journals, "journal"),
      (calendar.freeBusy, "free/busy component"),
    ].filter { $0.0 > 0 }.map { count($0.0, $0.1) }
    return counts.isEmpty ? [count(0, "event")] : counts
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}

extension SourceSummary {
  /// The kind in JSON.
  fileprivate var kindName: String {
    switch source.kind {
    case .file: "file"
    case .folder: "folder"
    case .standardInput: "standardInput"
    case .url: "address"
    case .local: "local"
    case .decisions: "decisions"
    case .server: "caldav"
    }
  }
}
