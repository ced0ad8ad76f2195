internal import AgendaCore
internal import AgendaKit
internal import CivilTime
internal import CommandLineOptions
internal import Recurrence

extension EventEdit {
  /// What the options of an event set. An empty value removes a property.
  init(_ invocation: Invocation, viewer: Viewer) throws(CommandError) {
    self.init()
    let line = invocation.line
    if let name = line.value(of: Options.eventZone) {
      zone = try Viewer.zone(named: name, option: Options.eventZone, in: viewer.database)
    }
    let times = TypedTimes(viewer: viewer, zone: zone)
    title = line.value(of: Options.eventTitle)
    if title == "" { throw .wrongUsage("--title: an event needs a title") }
    start = try line.value(of: Options.at).map { (text) throws(CommandError) in
      try times.when(text, Options.at)
    }
    if let text = line.value(of: Options.due) {
      removesDue = text.isEmpty
      if !removesDue { due = try times.when(text, Options.due) }
    }
    if let text = line.value(of: Options.until) {
      length = text.isEmpty ? Length.none : .until(try times.when(text, Options.until))
    } else if let text = line.value(of: Options.forLength) {
      length =
        text.isEmpty ? Length.none : .length(try Self.length(text, Options.forLength))
    }
    location = line.value(of: Options.location)
    note = line.value(of: Options.note)
    url = try line.value(of: Options.link).map { (text) throws(CommandError) in
      guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
        throw CommandError.wrongUsage("--url: expected an address, got \"\(text)\"")
      }
      return text
    }
    if line.has(Options.category) { categories = line.values(of: Options.category) }
    color = try word(line, Options.eventColor)
    status = try line.value(of: Options.eventStatus).map(Self.status)
    priority = line.number(of: Options.priority)
    repetition = try line.value(of: Options.repeatRule).map { (text) throws(CommandError) in
      if text.isEmpty { return Repetition.none }
      do {
        return .rule(try RulePhrase.parse(text, today: viewer.today))
      } catch {
        throw CommandError.wrongUsage("--repeat: \(error)")
      }
    }
    if line.has(Options.alarm) {
      alarms = try line.values(of: Options.alarm).filter { !$0.isEmpty }
        .map { (text) throws(CommandError) in try Self.length(text, Options.alarm) }
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

  private func word(
    _ line: ParsedCommandLine, _ option: Option
  ) throws(CommandError) -> String? {
    guard let text = line.value(of: option) else { return nil }
    guard text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
      throw .wrongUsage(
        "\(option.spelling): expected a CSS colour such as \"tomato\", got \"\(text)\"")
    }
    return text
  }

  private static func status(_ text: String) throws(CommandError) -> String {
    let text = text.lowercased()
    guard text.isEmpty || Event.Status(rawValue: text) != nil else {
      let names = Event.Status.allCases.map(\.rawValue).joined(separator: ", ")
      throw .wrongUsage("--status: expected one of \(names), got \"\(text)\"")
    }
    return text
  }

  static func length(_ text: String, _ option: Option) throws(CommandError) -> EventDuration {
    guard let length = LengthText(text) else {
      throw .wrongUsage(
        "\(option.spelling): expected a length like 45m, 1h30m or 2d, got \"\(text)\"")
    }
    return EventDuration(days: length.days, seconds: length.seconds)
  }

  private static func coordinates(_ text: String) throws(CommandError) -> Coordinates {
    let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      let place = Coordinates(latitude: latitude, longitude: longitude)
    else {
      throw .wrongUsage(
        "--geo: expected a latitude and a longitude like 52.52,13.40, got \"\(text)\"")
    }
    return place
  }
}

extension EventEdit {
  /// Takes the time and the place of the picture where nothing else gives them.
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

/// Reads times as people type them.
struct TypedTimes {
  let viewer: Viewer
  /// The zone in which they are typed, if it is not the viewer's.
  let zone: Zone?

  /// `2026-11-24T12:30`, `monday 19:00`, `tomorrow`, `24 dec`, `24.12. 18:00`.
  func when(_ text: String, _ option: Option) throws(CommandError) -> EventEdit.When {
    if let civil = CivilDateTime(local: text) { return .time(civil) }
    let typed = zone ?? viewer.zone
    if let instant = Instant(rfc3339: text) { return .time(typed.civil(at: instant)) }
    let words = text.split(separator: " ").map(String.init)
    let phrase: WhenPhrase?
    do throws(WhenPhraseError) {
      phrase = try WhenPhrase(words, now: typed.civil(at: viewer.now))
    } catch {
      throw .wrongUsage("\(option.spelling): \(error)")
    }
    guard let phrase, phrase.wordCount == words.count else {
      throw .wrongUsage(
        "\(option.spelling): expected a time like 2026-11-24T12:30 or a date, got \"\(text)\"")
    }
    guard phrase.extent == nil else {
      throw .wrongUsage(
        "\(option.spelling): expected one time, got \"\(text)\"; set the end with --until or --for")
    }
    return EventEdit.When(phrase)
  }
}

extension EventEdit.When {
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
