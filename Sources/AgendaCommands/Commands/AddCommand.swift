internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  static let add = AgendaCommand(
    Command(
      "add", summary: "add an event to your local calendar",
      discussion: [
        "If --at is a date, the event is an all-day event. Times are in --timezone. A repeating event keeps its clock time there when the clocks change."
      ],
      operands: [Operand(Value("TITLE"), help: "the title of the event")],
      options: [
        Options.at, Options.forLength, Options.until, Options.location, Options.note,
        Options.category, Options.link, Options.repeatRule, Options.quiet, Options.locale,
        Options.store,
      ] + Options.momentOptions,
      examples: [
        Command.Example(
          "agenda add \"Lunch with Ana\" --at 2026-11-24T12:30 --for 1h --location \"Café Central\"",
          "add an appointment"),
        Command.Example(
          "agenda add Holiday --at 2026-12-24 --until 2026-12-31",
          "add an all-day event; the last day is included"),
        Command.Example(
          "agenda add Choir --at \"monday 19:00\" --for 2h --repeat FREQ=WEEKLY;COUNT=10",
          "add a weekly event that takes place ten times"),
      ], group: "Store"),
    isPaged: false,
    arguments: AddArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    let store = CalendarStore(at: try arguments.store.path, zones: viewer.database)
    let added: Event?
    do {
      added = try store.add(eventOf: arguments.text.calendar, now: viewer.now)
    } catch let error as RejectedEvent {
      throw CommandError.wrongUsage("\(error)")
    }
    guard let added, !arguments.isQuiet else { return }
    let words = TimeWords(wording: arguments.presentation.wording, zone: viewer.zone)
    let span = viewer.zone.startOfDay(.first)..<viewer.zone.startOfDay(.afterLast)
    var occurrences = Series(added).occurrences(touching: span, viewer: viewer.zone)
    guard let first = occurrences.next() else { return }
    try run.environment.print(
      SafeText.line("added \(OccurrenceID(of: first)) \(added.title): \(words.span(of: first))")
        + "\n")
  }
}

private struct AddArguments {
  let viewer: Viewer
  let text: NewEventText
  let presentation: Presentation
  let store: StoreArgument
  let isQuiet: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let viewer = try Viewer(invocation)
    self.viewer = viewer
    text = try NewEventText(invocation, viewer: viewer)
    presentation = try Presentation(invocation)
    store = try StoreArgument(invocation)
    isQuiet = invocation.line.has(Options.quiet)
  }
}

/// The event of a command line as the text of a calendar.
private struct NewEventText {
  let calendar: String

  init(_ invocation: Invocation, viewer: Viewer) throws(CommandError) {
    let line = invocation.line
    let title = line.operands[0]
    guard !title.isEmpty else { throw .wrongUsage("TITLE: expected a title, got an empty one") }
    guard let at = line.value(of: Options.at) else {
      throw .wrongUsage(
        "missing --at WHEN, such as --at 2026-11-24T12:30, or a date for an all-day event")
    }
    let start = try Self.when(at, option: Options.at, viewer)
    var lines = ["BEGIN:VEVENT"]
    lines.append("UID:\(Self.newUID(viewer.now))")
    lines.append("DTSTAMP:\(Self.text(of: viewer.now.utc))Z")
    lines += try Self.times(start, line, viewer)
    if let rule = line.value(of: Options.repeatRule) {
      guard rule.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else {
        throw .wrongUsage("--repeat: expected a rule such as FREQ=WEEKLY;BYDAY=TU, got \"\(rule)\"")
      }
      lines.append("RRULE:\(rule)")
    }
    lines.append("SUMMARY:\(try Self.escaped(title, "TITLE"))")
    for (name, option) in [
      ("LOCATION", Options.location), ("DESCRIPTION", Options.note),
      ("CATEGORIES", Options.category),
    ] {
      let values = try line.values(of: option).map { text throws(CommandError) in
        try Self.escaped(text, "--\(option.name)")
      }
      if !values.isEmpty { lines.append("\(name):\(values.joined(separator: ","))") }
    }
    if let link = line.value(of: Options.link) {
      guard link.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
        throw .wrongUsage("--url: expected an address, got \"\(link)\"")
      }
      lines.append("URL:\(link)")
    }
    lines.append("END:VEVENT")
    calendar =
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//agenda//\(agendaVersion)//EN"] + lines
      + ["END:VCALENDAR", ""]).map(Self.folded).joined(separator: "\r\n")
  }

  private enum When {
    case date(CivilDate)
    case moment(CivilDateTime)
  }

  /// `2026-11-24T12:30`, `monday 19:00`, `+3d 9:30`, `19:00`, `tomorrow`, `2026-12-24`.
  private static func when(
    _ text: String, option: Option, _ viewer: Viewer
  ) throws(CommandError) -> When {
    if let civil = CivilDateTime(local: text) { return .moment(civil) }
    if let instant = Instant(rfc3339: text) { return .moment(viewer.zone.civil(at: instant)) }
    let words = text.split(separator: " ").map(String.init)
    guard let phrase = WhenPhrase(words, now: viewer.zone.civil(at: viewer.now)),
      phrase.wordCount == words.count, phrase.length == nil
    else {
      throw .wrongUsage(
        "\(option.spelling): expected a time such as 2026-11-24T12:30 or a date, got \"\(text)\"")
    }
    return phrase.time.map { .moment(CivilDateTime(phrase.date, $0)) } ?? .date(phrase.date)
  }

  private static func times(
    _ start: When, _ line: ParsedCommandLine, _ viewer: Viewer
  ) throws(CommandError) -> [String] {
    let until: When? =
      if let text = line.value(of: Options.until) {
        try when(text, option: Options.until, viewer)
      } else {
        nil
      }
    let length = try line.value(of: Options.forLength).map { (text) throws(CommandError) in
      guard let length = LengthText(text) else {
        throw CommandError.wrongUsage(
          "--for: expected a length such as 45m, 1h30m or 2d, got \"\(text)\"")
      }
      return length
    }
    switch start {
    case .date(let date):
      var last = date
      switch until {
      case .date(let end): last = end
      case .moment: throw .wrongUsage("--until: expected a date, because --at is a date")
      case nil:
        if let length {
          guard length.seconds == 0 else {
            throw .wrongUsage("--for: expected whole days such as 2d, because --at is a date")
          }
          last = date.adding(days: length.days - 1) ?? date
        }
      }
      guard last >= date, let end = last.adding(days: 1) else {
        throw .wrongUsage("--until: the event would end before it starts")
      }
      return ["DTSTART;VALUE=DATE:\(text(of: date))", "DTEND;VALUE=DATE:\(text(of: end))"]
    case .moment(let civil):
      let zone = viewer.zone
      let parameter = zone.origin == .utc ? "" : ";TZID=\(zone.name)"
      let suffix = zone.origin == .utc ? "Z" : ""
      let first = "DTSTART\(parameter):\(text(of: civil))\(suffix)"
      switch until {
      case .moment(let end):
        guard zone.instant(of: end) >= zone.instant(of: civil) else {
          throw .wrongUsage("--until: the event would end before it starts")
        }
        return [first, "DTEND\(parameter):\(text(of: end))\(suffix)"]
      case .date: throw .wrongUsage("--until: expected a time, because --at has a time")
      case nil: return [first, "DURATION:\(text(of: length ?? LengthText("1h")))"]
      }
    }
  }

  // MARK: RFC 5545

  private static func text(of length: LengthText?) -> String {
    guard let length else { return "PT1H" }
    return "P" + (length.days > 0 ? "\(length.days)D" : "")
      + (length.seconds > 0 ? "T\(length.seconds)S" : "")
  }

  private static func text(of date: CivilDate) -> String {
    date.description.filter { $0 != "-" }
  }

  private static func text(of civil: CivilDateTime) -> String {
    civil.description.filter { $0 != "-" && $0 != ":" }
  }

  private static func newUID(_ now: Instant) -> String {
    let random = UInt64.random(in: .min ... .max)
    return "\(String(now.secondsSinceEpoch, radix: 16))-\(String(random, radix: 16))@agenda"
  }

  private static func escaped(_ text: String, _ name: String) throws(CommandError) -> String {
    // RFC 5545 3.1 has no room for them in a text.
    guard !text.utf8.contains(where: { $0 < 0x20 && !"\t\n\r".utf8.contains($0) || $0 == 0x7f })
    else {
      throw .wrongUsage("\(name): the text contains a control character")
    }
    var escaped = ""
    for character in text {
      switch character {
      case "\\", ";", ",": escaped += "\\\(character)"
      case "\n", "\r\n", "\r": escaped += "\\n"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Lines of at most 75 bytes, cut between characters.
  private static func folded(_ line: String) -> String {
    var folded = ""
    var length = 0
    for character in line {
      let size = character.utf8.count
      if length + size > 75 {
        folded += "\r\n "
        length = 1
      }
      folded.append(character)
      length += size
    }
    return folded
  }
}
