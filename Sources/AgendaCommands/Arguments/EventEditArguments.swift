internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases
internal import Recurrence

extension EventEdit {
  /// The properties that the options of an event set. An empty value removes a property. `times` are
  /// those of the options, unless some of them wait for the entry.
  init(
    _ invocation: Invocation, viewer: Viewer, times: TypedTimes? = nil
  ) throws(CommandError) {
    self.init()
    let line = invocation.line
    if let name = line.value(of: Options.eventZone) {
      zone = try Viewer.zone(named: name, option: Options.eventZone, in: viewer.database)
    }
    try Self.checkEnd(line)
    try read(times ?? TypedTimes(line), viewer: viewer)
    title = line.value(of: Options.eventTitle)
    if title == "" { throw .wrongValue(Options.eventTitle, "an event needs a title") }
    location = line.value(of: Options.location)
    note = line.value(of: Options.note)
    url = try line.value(of: Options.link).map { (text) throws(CommandError) in
      guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
        throw CommandError.wrongValue(Options.link, "expected an address, got \"\(text)\"")
      }
      return text
    }
    if line.has(Options.category) { categories = line.values(of: Options.category) }
    color = try word(line, Options.eventColor)
    status = try line.value(of: Options.eventStatus).map(Self.status)
    priority = line.number(of: Options.priority)
    if line.has(Options.alarm) {
      let texts = line.values(of: Options.alarm)
      removesAlarms = texts.contains("")
      alarms = try texts.filter { !$0.isEmpty }
        .map { (text) throws(CommandError) in
          try Self.length(text, Options.alarm, allowsZero: true)
        }
    }
    if let text = line.value(of: Options.coordinates) {
      removesCoordinates = text.isEmpty
      if !removesCoordinates { coordinates = try Self.coordinates(text) }
    }
    do throws(CalendarError) {
      for path in line.values(of: Options.attach) {
        if path.isEmpty {
          removesAttachments = true
        } else {
          attachments.append(try NewAttachment(contentsOf: path))
        }
      }
    } catch {
      throw .failed("--attach: \(error)")
    }
    do throws(CalendarError) {
      if let path = line.value(of: Options.photo) {
        removesPhoto = path.isEmpty
        if !removesPhoto { photo = try NewAttachment(pictureAt: path) }
      }
    } catch {
      throw .failed("--photo: \(error)")
    }
  }

  /// A task has either a due date or a length (RFC 5545 3.6.2), so agenda does not guess which one is
  /// meant.
  private static func checkEnd(_ line: ParsedCommandLine) throws(CommandError) {
    guard line.has(Options.due) else { return }
    for other in [Options.forLength, Options.until] where line.has(other) {
      throw .wrongUsage(
        "--due and \(other.spelling) cannot be used together, because both set when a task ends: "
          + "give --at with --due, or --at with \(other.spelling)")
    }
  }

  private func word(
    _ line: ParsedCommandLine, _ option: Option
  ) throws(CommandError) -> String? {
    guard let text = line.value(of: option) else { return nil }
    guard text.isEmpty || CSSColorNames.value(of: text.lowercased()) != nil else {
      throw .wrongValue(
        option, "expected a CSS colour such as \"tomato\", got \"\(text)\"")
    }
    return text
  }

  private static func status(_ text: String) throws(CommandError) -> String {
    let text = text.lowercased()
    guard text.isEmpty || Event.Status(rawValue: text) != nil else {
      let names = Event.Status.allCases.map(\.rawValue).joined(separator: ", ")
      throw .wrongValue(Options.eventStatus, "expected one of \(names), got \"\(text)\"")
    }
    return text
  }

  static func length(
    _ text: String, _ option: Option, allowsZero: Bool = false
  ) throws(CommandError) -> EventDuration {
    guard let length = LengthText(text, allowsZero: allowsZero) else {
      throw .wrongValue(
        option, "expected a length like 45m, 1h30m or 2d, got \"\(text)\"")
    }
    return EventDuration(days: length.days, seconds: length.seconds)
  }

  private static func coordinates(_ text: String) throws(CommandError) -> Coordinates {
    let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      let place = Coordinates(latitude: latitude, longitude: longitude)
    else {
      throw .wrongValue(
        Options.coordinates, "expected a latitude and a longitude like 52.52,13.40, got \"\(text)\""
      )
    }
    return place
  }
}

extension EventEdit {
  /// Uses the time and place of the picture if no option sets them.
  mutating func adoptMetadata(
    ofPhoto path: String?, viewer: Viewer
  ) throws(CommandError) {
    guard let path else { return }
    do {
      try adoptPhotoMetadata(viewer: viewer.zone)
    } catch {
      throw .failed("--photo: \(path): \(error); set --at and --geo instead")
    }
  }
}

/// How far the start or the due date of an entry moves: `+1h`, `-30m`, `+1d`.
struct TypedShift: Equatable {
  private let option: Option
  private let length: EventDuration

  /// `nil` if the text does not begin with a sign.
  init?(_ text: String, _ option: Option) throws(CommandError) {
    self.option = option
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    guard let length = LengthText(String(text.dropFirst())) else {
      throw .wrongValue(
        option,
        "expected a length after \(sign) such as \(sign)1h, \(sign)30m or \(sign)1d, "
          + "got \"\(text)\"")
    }
    let factor = sign == "-" ? -1 : 1
    self.length = EventDuration(days: factor * length.days, seconds: factor * length.seconds)
  }

  /// Moves the start of an occurrence. Returns its new date on its own clock.
  func move(
    _ edit: inout EventEdit, startOf occurrence: Occurrence
  ) throws(CommandError) -> CivilDate {
    let event = occurrence.event
    let start = event.kind == .task ? occurrence.recurrenceID ?? event.start : occurrence.start
    guard let start else {
      throw .wrongValue(
        Options.at, "the entry does not start at a time; set one such as \"mon 9:00\"")
    }
    edit.startShift = length
    return try date(movedFrom: start)
  }

  /// Moves the due date of an occurrence of a task, which is listed when it is due.
  func move(_ edit: inout EventEdit, dueOf occurrence: Occurrence) throws(CommandError) {
    guard occurrence.event.kind == .task, occurrence.event.due != nil, !occurrence.isUndated else {
      throw .wrongValue(Options.due, "the entry is not due at a time; set one such as \"mon 9:00\"")
    }
    edit.dueShift = length
    _ = try date(movedFrom: occurrence.start)
  }

  private func date(movedFrom start: EventTime) throws(CommandError) -> CivilDate {
    guard !start.isDate || length.seconds == 0 else {
      throw .wrongValue(
        option, "an all-day entry can only move by days, such as +1d; 9:00 sets a time")
    }
    guard let moved = start.civil.adding(length) else {
      throw .wrongValue(option, "the date must be within the years 1 to 9999")
    }
    return moved.date
  }
}

/// The times of an event as a person typed them.
struct TypedTimes {
  var start: String?
  var due: String?
  let until: String?
  let length: String?
  let repetition: String?

  init(_ line: ParsedCommandLine) {
    start = line.value(of: Options.at)
    due = line.value(of: Options.due)
    until = line.value(of: Options.until)
    length = line.value(of: Options.forLength)
    repetition = line.value(of: Options.repeatRule)
  }
}

extension EventEdit {
  /// Sets the times, in the zone of the edit. `date` is that of the occurrence that changes: it gives
  /// a weekday its week, and a day and month their year.
  mutating func read(
    _ typed: TypedTimes, viewer: Viewer, date: CivilDate? = nil
  ) throws(CommandError) {
    let neighbour = date.map { DateNeighbour.event(on: $0) }
    if let text = typed.start { start = try when(text, Options.at, viewer, near: neighbour) }
    if let text = typed.due {
      removesDue = text.isEmpty
      let begin = start?.date.map { DateNeighbour.start(on: $0) }
      if !removesDue { due = try when(text, Options.due, viewer, near: begin ?? neighbour) }
    }
    try readEnds(typed, viewer: viewer, start: start?.date ?? date)
  }

  /// Sets the length and the repetition. An end such as `fri` or `3 march` is the next one from the
  /// start on.
  mutating func readEnds(
    _ typed: TypedTimes, viewer: Viewer, start: CivilDate?
  ) throws(CommandError) {
    if let text = typed.repetition {
      repetition = try Self.repetition(text, viewer: viewer, start: start)
    }
    if let text = typed.until {
      let neighbour = start.map { DateNeighbour.start(on: $0) }
      length =
        text.isEmpty ? Length.none : .until(try when(text, Options.until, viewer, near: neighbour))
    } else if let text = typed.length {
      length = text.isEmpty ? Length.none : .length(try Self.length(text, Options.forLength))
    }
  }

  private static func repetition(
    _ text: String, viewer: Viewer, start: CivilDate?
  ) throws(CommandError) -> Repetition {
    if text.isEmpty { return .none }
    do {
      let phrase = try RulePhrase(text, today: viewer.today, start: start)
      return .rule(phrase.rule, except: phrase.exceptions)
    } catch {
      throw .wrongValue(Options.repeatRule, "\(error)")
    }
  }

  /// `2026-11-24T12:30`, `monday 19:00`, `tomorrow`, `24 dec`, `24.12. 18:00`.
  private func when(
    _ text: String, _ option: Option, _ viewer: Viewer, near neighbour: DateNeighbour?
  ) throws(CommandError) -> When {
    if let civil = CivilDateTime(local: text) { return .time(civil) }
    let typed = zone ?? viewer.zone
    if let instant = Instant(rfc3339: text) { return .time(typed.civil(at: instant)) }
    let words = text.split(separator: " ").map(String.init)
    let phrase: WhenPhrase?
    // An end such as `june` is its last day.
    if option == Options.until,
      let date = try? DatePhrase.parse(
        text, today: typed.civil(at: viewer.now).date, side: .last, near: neighbour)
    {
      return .date(date)
    }
    do throws(WhenPhraseError) {
      phrase = try WhenPhrase(
        words, now: typed.civil(at: viewer.now), near: neighbour, isNew: neighbour == nil)
    } catch {
      throw .wrongValue(option, "\(error)")
    }
    guard let phrase, phrase.wordCount == words.count else {
      throw .wrongValue(
        option, "expected a time like 2026-11-24T12:30 or a date, got \"\(text)\"")
    }
    guard phrase.repetition == nil else {
      throw .wrongValue(
        option, "expected one time, got \"\(text)\"; set the repetition with --repeat")
    }
    guard phrase.extent == nil else {
      throw .wrongValue(
        option, "expected one time, got \"\(text)\"; set the end with --until or --for")
    }
    return When(phrase)
  }
}

extension EventEdit.When {
  /// The date, if one was typed.
  var date: CivilDate? {
    switch self {
    case .date(let date): date
    case .time(let civil): civil.date
    case .clock: nil
    }
  }

  init(_ phrase: WhenPhrase) {
    guard let time = phrase.time else {
      self = .date(phrase.date)
      return
    }
    self =
      phrase.namesDate
      ? .time(CivilDateTime(phrase.date, time)) : .clock(time, on: phrase.date)
  }
}

extension EventEdit.Length {
  init(_ extent: WhenPhrase.Extent) {
    switch extent {
    case .length(let length):
      self = .length(EventDuration(days: length.days, seconds: length.seconds))
    case .until(let date, let time):
      self = .until(time.map { .time(CivilDateTime(date, $0)) } ?? .date(date))
    }
  }
}
