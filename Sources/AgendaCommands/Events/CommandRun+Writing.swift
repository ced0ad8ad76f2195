internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Recurrence

extension CommandRun {
  /// Runs a change of an event. A change that is impossible for the event is a usage error. Its
  /// message begins with the option that is wrong, or with the entry. `occurrence` is what the
  /// reference names: in a message for another command, an index path could name another entry.
  func writing<Result>(
    _ entry: EntryReference? = nil, of occurrence: Occurrence? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let failure as CalendarError {
      guard let error = failure.origin as? WritingError else { throw failure }
      switch error {
      case .invalid(let edit):
        throw CommandError(edit, of: entry)
      case .needsScope:
        throw CommandError.wrongUsage(
          (entry.map { "\($0): " } ?? "") + ErrorWording.text(of: error))
      case .foreign:
        var name = entry?.description ?? "REF"
        if case .place = entry, let occurrence { name = "\(OccurrenceID(of: occurrence))" }
        throw CommandError.failed(
          "\(error); agenda add --like \(name.asArgument) --calendar NAME copies the event")
      case .openConflict:
        throw CommandError.failed(
          (entry.map { "\($0): " } ?? "") + ErrorWording.text(of: error))
      case .damaged:
        throw CommandError.failed((entry.map { "\($0): " } ?? "") + "\(error)")
      case .unknownCalendar, .notOwn, .ownCalendar, .unusableName:
        throw CommandError.wrongUsage(ErrorWording.text(of: error))
      case .invalidLine, .readOnly, .conflict, .changedWhileEdited, .missing, .unwritable,
        .changedSinceWritten, .changedSinceUndone, .writtenButNotStored:
        throw CommandError.failed(ErrorWording.text(of: error))
      }
    }
  }

  /// Runs a change of an event that can be a series. If the command line does not say which occurrences
  /// are meant, a terminal asks.
  func withScope<Result>(
    _ scope: inout SeriesScope?, _ body: (SeriesScope?) throws -> Result
  ) throws -> Result {
    do {
      return try body(scope)
    } catch CalendarError.needsScope {
      guard let ask = environment.ask else { throw CalendarError.needsScope }
      let answer = ask(
        "this is a series: only this occurrence (o), this and all later ones (f), all (a)? ")
      let answers: [String: SeriesScope] = [
        "o": .only, "only": .only, "f": .following, "following": .following, "a": .all, "all": .all,
      ]
      guard let chosen = answer.flatMap({ answers[$0.lowercased()] }) else {
        throw CommandError.failed("nothing was chosen; write o, f or a")
      }
      scope = chosen
      return try body(chosen)
    }
  }

  /// Overrides whose dates a new rule lacks are removed.
  func warnOfDroppedOverrides(_ written: StoreWriter.Written) {
    let count = written.droppedOverrides
    guard count > 0 else { return }
    messages.warn(
      count == 1
        ? "--repeat: removed 1 changed occurrence, because the event does not occur on its date"
        : "--repeat: removed \(count) changed occurrences, because the event does not occur on "
          + "their dates")
  }

  /// An event that left its calendar is shown from another source that has it too.
  func warnOfCopies(_ written: StoreWriter.Written, of event: Event) {
    guard !written.copies.isEmpty else { return }
    let name = event.title.isEmpty ? event.identity.uid : event.title
    let reference = "\(event.calendar)/\(event.identity.uid)"
    messages.warn(
      "\(name) is also in \(written.copies.joined(separator: ", ")), and calendar "
        + "\(event.calendar) shows it from there; agenda remove --event "
        + "\(reference.asArgument) removes it there too")
  }

  /// The result of `--dry-run`: what would happen, and the lines that would change.
  func printChangedLines(of written: StoreWriter.Written, after sentence: String) throws {
    let lines = written.changedLines.map { SafeText.line($0) + "\n" }
    try environment.print(sentence + "\n" + lines.joined())
  }
}

extension SeriesScope {
  /// `--only`, `--following` or `--all`.
  init?(_ line: ParsedCommandLine) {
    if line.has(Options.only) {
      self = .only
    } else if line.has(Options.following) {
      self = .following
    } else if line.has(Options.allOccurrences) {
      self = .all
    } else {
      return nil
    }
  }
}

extension Event {
  /// The occurrences that EXDATEs remove.
  var exceptions: [EventTime] { recurrence?.exceptionDates ?? [] }
}

extension TimeWords {
  /// `added 3f9a2c71 Lunch: Tuesday, 24 November 2026, 12:30–13:30 (1 h), Europe/Berlin, every week,
  /// local`: all that was understood. If the viewer is in another zone, the time there follows, as in
  /// `10:00–11:00 (1 h), America/New_York; 16:00–17:00 (1 h), Europe/Berlin`. On the screen, the time of
  /// the viewer comes first, and that of another zone follows, unless it is UTC, which is not the clock of a place:
  /// `16:00–17:00 (1 h); 10:00–11:00 (1 h), America/New_York`.
  func sentence(
    _ verb: String, _ occurrence: Occurrence, exceptions: [EventTime] = [], showsID: Bool = true,
    isOnScreen: Bool = false
  ) -> String {
    let event = occurrence.event
    var parts: [String] = []
    // The same time in the zone of the viewer, if it differs.
    var viewed: [String] = []
    let name = showsID && !isOnScreen ? "\(verb) \(OccurrenceID(of: occurrence))" : verb
    if !occurrence.isUndated {
      // An event is repeated in its own zone, so its time there comes first.
      let own = TimeWords(wording: wording, zone: event.start?.zone ?? zone)
      let isTask = event.kind == .task
      let seen = isTask ? times(ofTask: event, occurrence) : [self.span(of: occurrence)]
      let written = isTask ? own.times(ofTask: event, occurrence) : [own.span(of: occurrence)]
      if isOnScreen {
        parts += seen
        if written != seen, own.zone != .utc { viewed = written + [own.zone.name] }
      } else {
        parts += written
        if written != seen { viewed = seen + [zone.name] }
      }
    } else {
      // The heading of a section begins with a capital.
      parts.append(words.groups.noDate.prefix(1).lowercased() + words.groups.noDate.dropFirst())
    }
    if let zone = event.start?.zone, !isOnScreen { parts.append(zone.name) }
    if !viewed.isEmpty { parts[parts.count - 1] += "; " + viewed.joined(separator: ", ") }
    parts += (event.recurrence?.rules ?? []).map { words(for: $0, of: event) }
    if !exceptions.isEmpty { parts.append("\(words.labels.exceptRule) \(times(exceptions))") }
    parts.append(event.calendar)
    return SafeText.line("\(name) \(title(of: event)): \(parts.joined(separator: ", "))")
  }

  /// `start: Monday, 23 November 2026`, `due Wednesday, 25 November 2026, 18:00`. A task is placed
  /// where it is due.
  private func times(ofTask task: Event, _ occurrence: Occurrence) -> [String] {
    let due = words.entries.due(time(occurrence.start))
    let ofSeries = task.identity.recurrenceID == nil ? occurrence.recurrenceID : nil
    guard let start = ofSeries ?? task.start, task.start != task.due else { return [due] }
    let begin = words.labels.start + words.lists.colon + time(start)
    return task.spannedExtent == .unstated ? [begin] : [begin, due]
  }
}
