internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import Phrases

extension BrowserState {
  /// The command that keeps what is only shown.
  static let importCommand = "agenda import"

  mutating func handle(_ key: Key, _ requests: inout [BrowserRequest]) {
    if key == Key(.character("z"), control: true) { return requests.append(.suspend) }
    if key == Key(.character("l"), control: true) { return requests.append(.redraw) }
    message = nil
    isAlert = false
    drag = nil
    inputs += 1
    var key = key
    if key == Key(.character("c"), control: true) {
      guard prompt != nil else { return requests.append(.quit) }
      // It leaves an input, as in a shell.
      key = Key(.escape)
    }
    guard passesUnseenPrompt(key) else { return }
    if prompt != nil { return answer(key, &requests) }
    if panel != nil, handleInPanel(key) { return }
    if let action = settings.keys.action(of: key) { perform(action, &requests) }
  }

  /// Whether a key may go on to what is asked, or is a command.
  ///
  /// A key that was typed before a question was on the screen was not typed for it: the question goes
  /// away, and the key is about what was on the screen. If an input came late, the key is ignored, so
  /// that nothing that a person typed into the input is lost.
  private mutating func passesUnseenPrompt(_ key: Key) -> Bool {
    guard hasUnseenPrompt, let prompt else { return true }
    guard case .question(let question) = prompt else { return key.code == .escape }
    leave(question)
    return key.code != .escape
  }

  /// Leaves a question without an answer.
  private mutating func leave(_ question: Prompt.Question) {
    hasUnseenPrompt = false
    prompt = nil
    switch question.purpose {
    // What was typed into the form stays.
    case .scope:
      prompt = savedForm.map { .form($0) }
      savedForm = nil
    case .conflict: panel = nil
    case .removal, .answer, .undoOfImport: break
    }
    say(texts.nothingDone)
  }

  /// Asks for something that the key before did not bring to the screen at once.
  private mutating func ask(_ prompt: Prompt) {
    self.prompt = prompt
    hasUnseenPrompt = true
  }

  /// A paste is never taken for keys: it belongs to an input, or is ignored.
  mutating func paste(_ text: String, _ requests: inout [BrowserRequest]) {
    inputs += 1
    if hasUnseenPrompt { return }
    switch prompt {
    case .line(var line):
      line.editor.insert(text)
      prompt = .line(line)
      inputChanged(&requests)
    case .form(var form):
      form.editors[form.cursor].insert(text)
      prompt = .form(form)
    case .question, nil: break
    }
  }

  // MARK: Panels

  /// Returns whether the key belongs to the panel.
  private mutating func handleInPanel(_ key: Key) -> Bool {
    if key.code == .escape {
      panel = nil
      return true
    }
    let action = settings.keys.action(of: key)
    switch panel {
    case .calendars(var cursor):
      switch action {
      case .calendars, .quit, .details:
        panel = nil
        return true
      case .nextEntry: cursor = min(cursor + 1, max(0, calendars.count - 1))
      case .previousEntry: cursor = max(0, cursor - 1)
      case .pageDown, .lastEntry: cursor = max(0, calendars.count - 1)
      case .pageUp, .firstEntry: cursor = 0
      default:
        guard key.character == " " else {
          // The list hides the entry that it would change: it only closes, and the next key acts.
          guard let action, action.isAboutEntry else { return false }
          panel = nil
          return true
        }
        if calendars.indices.contains(cursor) { toggle(calendars[cursor].name) }
      }
      panel = .calendars(cursor: cursor)
      return true
    case .page(let page, let scroll):
      guard let next = scrolled(scroll, by: action, lines: pageLineCount(page)) else {
        if action == .details || action == .quit {
          panel = nil
          return true
        }
        // All other keys are about the entry.
        panel = nil
        return false
      }
      panel = .page(page, scroll: next)
      return true
    case .help(let scroll):
      guard let next = scrolled(scroll, by: action, lines: helpLines.count) else {
        panel = nil
        return action == .help || action == .quit || action == .details
      }
      panel = .help(scroll: next)
      return true
    case nil: return false
    }
  }

  private func scrolled(_ scroll: Int, by action: BrowserAction?, lines: Int) -> Int? {
    let most = max(0, lines - bodyRows)
    return switch action {
    case .nextEntry: min(most, scroll + 1)
    case .previousEntry: max(0, scroll - 1)
    case .pageDown: min(most, scroll + max(1, bodyRows - 1))
    case .pageUp: max(0, scroll - max(1, bodyRows - 1))
    case .firstEntry: 0
    case .lastEntry: most
    default: nil
    }
  }

  mutating func toggle(_ calendar: String) {
    if hidden.remove(calendar) == nil { hidden.insert(calendar) }
    outdate()
  }

  // MARK: Actions

  mutating func perform(_ action: BrowserAction, _ requests: inout [BrowserRequest]) {
    switch action {
    case .previousEntry: move(entries: -1)
    case .nextEntry: move(entries: 1)
    case .previousDay: move(days: -1)
    case .nextDay: move(days: 1)
    case .pageUp: move(pages: -1)
    case .pageDown: move(pages: 1)
    case .firstEntry:
      if view == .tasks { target = tasks?.first?.target } else { go(to: date) }
    case .lastEntry:
      if view == .tasks {
        target = tasks?.last?.target
      } else {
        go(to: date, entry: nil)
        if !days.knows(date) { goal = .lastEntryOfDay }
      }
    case .list: show(.list)
    case .day: show(.day)
    case .week: show(.week)
    case .month: show(.month)
    case .year: show(.year)
    case .tasks: show(.tasks)
    case .today: goToToday()
    case .goTo: prompt = .line(Prompt.Line(.goTo, label: texts.goTo))
    case .search:
      searchOrigin = (date, target)
      prompt = .line(Prompt.Line(.search, label: texts.search))
    case .nextMatch, .previousMatch:
      guard !words.isEmpty else { return perform(.search, &requests) }
      find(from: date, after: target, forward: action == .nextMatch, &requests)
    case .calendars: panel = .calendars(cursor: 0)
    case .details:
      onTarget { requests.append($0.run(.details($1, columns: $0.columns), for: .page)) }
    case .explain:
      onTarget { requests.append($0.run(.explanation($1, columns: $0.columns), for: .page)) }
    case .open: onTarget { requests.append($0.run(.link($1), for: .link)) }
    case .add:
      guard isWritable else { return }
      prompt = .line(Prompt.Line(.add, label: labelOfAdding))
    case .edit: change { requests.append($0.run(.fields($1), for: .fields($1))) }
    case .editor:
      change { state, target in
        state.withScope(.editText(target), &requests)
      }
    case .remove: change { $0.withScope(.remove($1), &requests) }
    case .later: shift(minutes: 15, &requests)
    case .earlier: shift(minutes: -15, &requests)
    case .dayLater: shift(days: 1, &requests)
    case .dayEarlier: shift(days: -1, &requests)
    case .done:
      change { state, target in
        guard target.kind == .task else { return state.alert(state.texts.noTask) }
        requests.append(state.run(.complete(target), for: .write))
      }
    case .reply:
      // Whoever is not invited learns that before anything is asked.
      change { requests.append($0.run(.invitation($1), for: .invitation($1))) }
    case .undo: if isWritable { requests.append(run(.undo(near: date), for: .undo)) }
    case .redo: if isWritable { requests.append(run(.redo(near: date), for: .undo)) }
    case .refresh: if isWritable { requests.append(run(.refresh, for: .write)) }
    case .settle: if isWritable { requests.append(run(.conflict(target), for: .conflict)) }
    case .help: panel = .help(scroll: 0)
    case .quit: requests.append(.quit)
    }
  }

  private mutating func goToToday() {
    if view == .tasks { show(.list) }
    go(to: today)
    select(presentEntry)
    top = ListPosition(date: today, line: 0)
  }

  private mutating func onTarget(_ body: (inout BrowserState, BrowserTarget) -> Void) {
    guard let target else { return alert(texts.noEntry) }
    body(&self, target)
  }

  /// What named sources show cannot be changed.
  private var isWritable: Bool {
    mutating get {
      if !settings.isStore { alert(texts.onlyShown(Self.importCommand)) }
      return settings.isStore
    }
  }

  private mutating func change(_ body: (inout BrowserState, BrowserTarget) -> Void) {
    guard isWritable else { return }
    onTarget(body)
  }

  private mutating func shift(
    days: Int = 0, minutes: Int = 0, _ requests: inout [BrowserRequest]
  ) {
    change { $0.withScope(.move($1, days: days, minutes: minutes), &requests) }
  }

  /// Asks for the scope of a series first.
  mutating func withScope(_ command: Prompt.ScopedCommand, _ requests: inout [BrowserRequest]) {
    let target = command.target
    switch command {
    case .editText, .move:
      // Before anything is asked, or the terminal is given to the editor.
      if target.isSeries || command.usesEditor {
        return requests.append(run(.check(target), for: .check(command)))
      }
    case .edit, .remove, .reply: break
    }
    askForScope(of: command, isSeries: target.isSeries, &requests)
  }

  private mutating func askForScope(
    of command: Prompt.ScopedCommand, isSeries: Bool, _ requests: inout [BrowserRequest]
  ) {
    guard isSeries else { return perform(command, nil, &requests) }
    let text = command.isReply ? texts.replyScopeQuestion : texts.scopeQuestion
    ask(.question(Prompt.Question(purpose: .scope(command), text: text)))
  }

  private mutating func perform(
    _ command: Prompt.ScopedCommand, _ scope: SeriesScope?, _ requests: inout [BrowserRequest]
  ) {
    switch command {
    case .edit(let target, let changes):
      let purpose = savedForm.map { Purpose.input(.form($0)) }
      savedForm = nil
      requests.append(run(.edit(target, changes, scope), for: purpose ?? .write))
    case .editText(let target): requests.append(run(.editText(target, scope), for: .write))
    case .move(let target, let days, let minutes):
      requests.append(run(.move(target, days: days, minutes: minutes, scope), for: .write))
    case .remove(let target):
      requests.append(run(.remove(target, scope, isTrial: true), for: .trial(target, scope)))
    case .reply(let target, let reply, let needsFile):
      guard needsFile else {
        requests.append(run(.reply(target, reply, scope, file: ""), for: .write))
        return
      }
      prompt = .line(
        Prompt.Line(.replyFile(target, reply, scope), label: texts.replyFile, text: "reply.ics"))
    }
  }

  // MARK: Answers of a person

  private mutating func answer(_ key: Key, _ requests: inout [BrowserRequest]) {
    switch prompt {
    case .line(var line):
      switch key.code {
      case .escape:
        prompt = nil
        if case .search = line.purpose, let origin = searchOrigin {
          date = origin.date
          target = origin.target
        }
      case .enter: accept(line, &requests)
      case .tab, .backTab:
        guard case .add = line.purpose else { return }
        chooseCalendar(forward: key.code == .tab)
        line.label = labelOfAdding
        prompt = .line(line)
        inputChanged(&requests)
      default:
        guard line.editor.handle(key) else { return }
        prompt = .line(line)
        inputChanged(&requests)
      }
    case .question(let question):
      // A page that does not fit can be read before it is decided.
      if case .page(let page, let scroll) = panel,
        let next = scrolled(
          scroll, by: settings.keys.action(of: key), lines: pageLineCount(page))
      {
        panel = .page(page, scroll: next)
        return
      }
      answer(key, to: question, &requests)
    case .form(let form): answer(key, in: form, &requests)
    case nil: break
    }
  }

  private mutating func answer(
    _ key: Key, to question: Prompt.Question, _ requests: inout [BrowserRequest]
  ) {
    prompt = nil
    switch question.purpose {
    case .scope(let command):
      let scopes: [Character: SeriesScope] = ["o": .only, "f": .following, "a": .all]
      guard let scope = key.character.flatMap({ scopes[$0] }),
        !(command.isReply && scope == .following)
      else { return leave(question) }
      perform(command, scope, &requests)
    case .removal(let target, let scope):
      guard key.character == "y" else { return leave(question) }
      requests.append(run(.remove(target, scope, isTrial: false), for: .write))
    case .undoOfImport(let date):
      guard key.character == "y" else { return leave(question) }
      requests.append(run(.undo(near: date, isAgreed: true), for: .undo))
    case .answer(let target, let needsFile):
      let replies: [Character: BrowserReply] = ["a": .accept, "d": .decline, "t": .tentative]
      guard let reply = key.character.flatMap({ replies[$0] }) else { return leave(question) }
      withScope(.reply(target, reply, needsFile: needsFile), &requests)
    case .conflict(let conflict):
      guard key.character == "m" || key.character == "t" else { return leave(question) }
      panel = nil
      requests.append(run(.resolve(conflict, isMine: key.character == "m"), for: .write))
    }
  }

  private mutating func answer(
    _ key: Key, in form: Prompt.Form, _ requests: inout [BrowserRequest]
  ) {
    var form = form
    form.mistake = nil
    if key == Key(.character("s"), control: true) { return save(form, &requests) }
    switch key.code {
    case .escape:
      prompt = nil
      return say(texts.nothingDone)
    case .enter:
      if form.cursor == form.fields.count - 1 { return save(form, &requests) }
      form.cursor += 1
    case .down, .tab: form.cursor = min(form.cursor + 1, form.fields.count - 1)
    case .up, .backTab: form.cursor = max(0, form.cursor - 1)
    default: _ = form.editors[form.cursor].handle(key)
    }
    prompt = .form(form)
  }

  private mutating func save(_ form: Prompt.Form, _ requests: inout [BrowserRequest]) {
    prompt = nil
    let changes = form.changes
    guard !changes.isEmpty else { return say(texts.nothingDone) }
    savedForm = form
    withScope(.edit(form.target, changes), &requests)
  }

  private mutating func accept(_ line: Prompt.Line, _ requests: inout [BrowserRequest]) {
    let text = line.editor.text
    prompt = nil
    switch line.purpose {
    case .goTo:
      if text.isEmpty { return }
      do throws(DatePhraseError) {
        let date = try DatePhrase.parse(text, today: today, side: .first)
        if view == .tasks { show(.list) }
        go(to: date)
        top = ListPosition(date: date, line: 0)
      } catch {
        var again = line
        again.preview = SafeText.line("\(error)")
        again.isMistake = true
        prompt = .line(again)
      }
    case .search:
      words = text
    case .add:
      if text.isEmpty { return }
      requests.append(run(.add(newEntry(text)), for: .input(.line(line))))
    case .replyFile(let target, let reply, let scope):
      requests.append(run(.reply(target, reply, scope, file: text), for: .write))
    }
  }

  /// Shows what a person typed again, with what is wrong about it.
  private mutating func showAgain(_ typed: Prompt, _ mistake: String) {
    switch typed {
    case .line(var line):
      line.preview = SafeText.line(mistake)
      line.isMistake = true
      ask(.line(line))
    case .form(var form):
      form.mistake = SafeText.line(mistake)
      ask(.form(form))
    case .question: alert(mistake)
    }
  }

  /// Shows what a text means while it is typed.
  private mutating func inputChanged(_ requests: inout [BrowserRequest]) {
    guard case .line(var line) = prompt else { return }
    let text = line.editor.text
    line.isMistake = false
    switch line.purpose {
    case .goTo:
      line.preview = (try? DatePhrase.parse(text, today: today, side: .first))
        .map(wording.fullDate)
      prompt = .line(line)
    case .search:
      line.preview = nil
      prompt = .line(line)
      words = text
      guard let origin = searchOrigin, !text.isEmpty else { return }
      find(from: origin.date, after: origin.target, forward: true, isFirst: true, &requests)
    case .add:
      if text.isEmpty {
        line.preview = nil
        prompt = .line(line)
      } else {
        requests.append(run(.preview(newEntry(text)), for: .preview))
      }
    case .replyFile: break
    }
  }

  private func newEntry(_ words: String) -> NewEntry {
    NewEntry(
      words: words, date: view == .tasks ? nil : date,
      calendar: calendarOfNewEntries == BrowserSettings.localCalendar ? nil : calendarOfNewEntries)
  }

  /// `add → team`
  private var labelOfAdding: String { "\(texts.add) → \(SafeText.line(calendarOfNewEntries))" }

  /// The calendars that entries can be added to.
  var writableCalendars: [String] {
    let names = calendars.filter(\.isWritable).map(\.name)
    let usual = settings.calendarOfNewEntries
    return names.contains(usual) ? names : names + [usual]
  }

  private mutating func chooseCalendar(forward: Bool) {
    let names = writableCalendars
    let place = names.firstIndex(of: calendarOfNewEntries) ?? 0
    calendarOfNewEntries = names[(place + (forward ? 1 : names.count - 1)) % names.count]
  }

  private mutating func find(
    from date: CivilDate, after target: BrowserTarget?, forward: Bool, isFirst: Bool = false,
    _ requests: inout [BrowserRequest]
  ) {
    // An older search is of no interest any more.
    waiting = waiting.filter { if case .find = $0.value.purpose { false } else { true } }
    let search = EntrySearch(
      words: words, date: date, target: isFirst ? nil : target, forward: forward, hidden: hidden)
    requests.append(run(.find(search), for: .find))
  }

  // MARK: Answers of the program

  /// `isLate` is whether a person has typed something else since the answer was asked for.
  mutating func take(
    _ answer: BrowserAnswer, for purpose: Purpose, isLate: Bool,
    _ requests: inout [BrowserRequest]
  ) {
    if case .preview = purpose {
      guard case .line(var line) = prompt, case .add = line.purpose else { return }
      line.preview = answer.text
      line.isMistake = answer.hasFailed || !answer.warnings.isEmpty
      prompt = .line(line)
      return
    }
    if answer.hasFailed {
      if case .input(let typed) = purpose, prompt == nil { return showAgain(typed, answer.text) }
      return alert(answer.text)
    }
    switch (purpose, answer.content) {
    case (.page, _), (.fields, _), (.check, _), (.trial, _), (.undo, .isImport), (.invitation, _),
      (.conflict, _):
      // A person has gone on, and what is typed next is not for this.
      if !isLate { show(answer, for: purpose, &requests) }
    case (.link, .link(let address)):
      say(answer.text)
      requests.append(run(.launch(address), for: .launch))
    case (.find, .found(let target, let date)):
      if view == .tasks { show(.list) }
      self.date = date
      self.target = target
      goal = nil
      keepTarget()
    case (.find, .foundNothing):
      if case .line(var line) = prompt {
        line.preview = wording.words.entries.nothingFound
        line.isMistake = true
        prompt = .line(line)
      } else {
        alert(wording.words.entries.nothingFound)
      }
    case (.write, _), (.input, _), (.undo, _):
      if !answer.text.isEmpty { say(answer.text) }
      outdate()
      if let written = answer.target {
        target = written
        if view != .tasks, let day = written.date { date = day }
      }
    default: break
    }
  }

  /// Opens what takes the next keys: a page, a form or a question.
  private mutating func show(
    _ answer: BrowserAnswer, for purpose: Purpose, _ requests: inout [BrowserRequest]
  ) {
    func question(_ purpose: Prompt.Question.Purpose, _ text: String) -> Prompt {
      .question(Prompt.Question(purpose: purpose, text: text))
    }
    switch (purpose, answer.content) {
    case (.page, .page(let page)): panel = .page(page, scroll: 0)
    case (.fields(let target), .form(let fields)): ask(.form(Prompt.Form(target, fields)))
    case (.check(let command), _):
      askForScope(of: command, isSeries: command.target.isSeries, &requests)
    case (.trial(let target, let scope), _):
      ask(question(.removal(target, scope), texts.removalQuestion(answer.text)))
    case (.undo, .isImport):
      ask(question(.undoOfImport(near: date), texts.removalQuestion(answer.text)))
    case (.invitation(let target), .invitation(let needsFile)):
      ask(question(.answer(target, needsFile: needsFile), texts.replyQuestion))
    case (.conflict, .conflict(let conflict, let page)):
      if view != .tasks, let found = answer.target, let day = found.date {
        (date, target, goal) = (day, found, nil)
        keepTarget()
      }
      panel = .page(page, scroll: 0)
      ask(question(.conflict(conflict), texts.conflictQuestion))
    default: break
    }
  }
}
