internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

extension BrowserState {
  mutating func handle(_ mouse: MouseEvent, _ requests: inout [BrowserRequest]) {
    if mouse.kind == .press { inputs += 1 }
    guard prompt == nil else { return }
    switch mouse.kind {
    case .scrollUp, .scrollDown: scroll(mouse.kind == .scrollDown ? 1 : -1)
    case .press: press(mouse, &requests)
    case .drag:
      let place = place(at: mouse)
      drag?.to = place
    case .release: release(mouse, &requests)
    }
  }

  private mutating func scroll(_ count: Int) {
    message = nil
    switch panel {
    case .page(let page, let scroll):
      let most = max(0, pageLineCount(page) - bodyRows)
      panel = .page(page, scroll: min(most, max(0, scroll + 3 * count)))
      return
    case .help(let scroll):
      let most = max(0, helpLines.count - bodyRows)
      panel = .help(scroll: min(most, max(0, scroll + 3 * count)))
      return
    case .calendars: return
    case nil: break
    }
    switch view {
    case .list, .tasks: move(entries: 3 * count)
    case .day, .week: move(days: count)
    case .month: date.adding(days: 7 * count).map { go(to: $0) } ?? ()
    case .year: move(days: count)
    }
  }

  /// What is below the mouse, the smallest thing first.
  private func targets(at mouse: MouseEvent) -> [GridCanvas.Area.Target] {
    BrowserFrame(self).canvas.areas.reversed()
      .filter { $0.line == mouse.row && $0.columns.contains(mouse.column) }.map(\.target)
  }

  /// The day, and the time if there is one, below the mouse.
  private func place(at mouse: MouseEvent) -> GridCanvas.Area.Target? {
    let all = targets(at: mouse)
    return all.first { if case .time = $0 { true } else { false } }
      ?? all.first { if case .day = $0 { true } else { false } }
  }

  private mutating func press(_ mouse: MouseEvent, _ requests: inout [BrowserRequest]) {
    message = nil
    if panel != nil {
      if case .calendars = panel, let row = BrowserFrame(self).calendar(at: mouse) {
        panel = .calendars(cursor: row)
        toggle(calendars[row].name)
        return
      }
      panel = nil
      return
    }
    if view == .tasks {
      if let row = BrowserFrame(self).task(at: mouse), let tasks, tasks.indices.contains(row) {
        let isAgain = target == tasks[row].target
        target = tasks[row].target
        if isAgain { perform(.details, &requests) }
      }
      return
    }
    let place = place(at: mouse)
    for found in targets(at: mouse) {
      switch found {
      case .entry(let entry):
        let previous = target
        date = day(of: place) ?? entry.date
        goal = nil
        select(entry)
        if let target, target == previous, place == nil {
          // A second click in a list.
          perform(.details, &requests)
        }
        if let target, let place { drag = Drag(target: target, from: place) }
        return
      case .more(let date):
        go(to: date)
        show(.day)
        return
      case .day(let date):
        go(to: date)
        return
      case .time(let date, let minute):
        go(to: date)
        let zone = settings.zone
        let begin = zone.startOfDay(date).adding(seconds: minute * 60)
        if let entry = entries.first(where: { !$0.isAllDay && $0.begin >= begin }) { select(entry) }
        return
      }
    }
  }

  private func day(of place: GridCanvas.Area.Target?) -> CivilDate? {
    switch place {
    case .day(let date), .time(let date, _): date
    default: nil
    }
  }

  /// Moves an entry by as much as the mouse has moved.
  private mutating func release(_ mouse: MouseEvent, _ requests: inout [BrowserRequest]) {
    guard let drag else { return }
    self.drag = nil
    guard let to = place(at: mouse), to != drag.from else { return }
    let (days, minutes): (Int, Int)
    switch (drag.from, to) {
    case (.day(let from), .day(let to)): (days, minutes) = (from.days(until: to), 0)
    case (.time(let from, let old), .time(let to, let new)):
      (days, minutes) = (from.days(until: to), drag.target.isAllDay ? 0 : new - old)
    case (.day(let from), .time(let to, _)), (.time(let from, _), .day(let to)):
      (days, minutes) = (from.days(until: to), 0)
    default: return
    }
    guard days != 0 || minutes != 0 else { return }
    guard settings.isStore else { return alert(texts.onlyShown(Self.importCommand)) }
    withScope(.move(drag.target, days: days, minutes: minutes), &requests)
  }
}
