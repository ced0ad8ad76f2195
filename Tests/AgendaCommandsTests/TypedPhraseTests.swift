import AgendaKit
import Foundation
import TestSupport
import Testing

/// Phrases after `agenda add`. The tests read the expected column of the tables without the reader of agenda.
@Suite("what people type after add")
struct TypedPhraseTests {
  struct Row {
    let now: String
    let zone: String
    let locale: String
    let words: String
    let expected: String

    /// Words in double quotes are one argument.
    var arguments: [String] {
      words.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .flatMap { index, part in
          index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
  }

  /// The events that a row names: its own, and those after `proposed`, which only a proposed command may add.
  static func readings(_ expected: String) -> [String] {
    expected.components(separatedBy: " OR ")
      .filter { $0.contains(" | ") && !$0.hasPrefix("warned") }
      .map { String($0.trimmingPrefix("proposed ")) }
  }

  static func rows(_ name: String) throws -> [Row] {
    let file = Repository.root.appendingPathComponent("Fixtures/phrases/\(name)")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("now\t") }
      .map { line in
        let columns = line.split(separator: "\t").map(String.init)
        try #require(columns.count == 5, "\(line)")
        return Row(
          now: columns[0], zone: columns[1], locale: columns[2], words: columns[3],
          expected: columns[4])
      }
  }

  @Test("each phrase has one of its acceptable outcomes", arguments: ["add.tsv", "more.tsv"])
  func tables(_ name: String) throws {
    let rows = try Self.rows(name)
    #expect(rows.count > 180)
    let scratch = try ScratchFolder()
    for row in rows {
      let store = scratch.url.appendingPathComponent("agenda.sqlite").path
      let run = InMemoryRun(
        [
          "add", "--dry-run", "--store", store, "--now", row.now, "--timezone", row.zone,
          "--locale",
          row.locale,
        ] + row.arguments)
      let outcomes = row.expected.components(separatedBy: " OR ")
      let isFine = outcomes.contains { Self.isOutcome($0, run) }
      #expect(isFine, "\(row.words): expected \(row.expected), got \(run.output)\(run.errors)")
    }
  }

  static func isOutcome(_ expected: String, _ run: InMemoryRun) -> Bool {
    if expected == "refused" { return run.status == .wrongCommandLine && run.output.isEmpty }
    guard run.status == .done, !expected.hasPrefix("proposed ") else { return false }
    guard expected.hasPrefix("warned") else { return TypedEvent(run.output).isEvent(expected) }
    let parts = expected.components(separatedBy: ": ")
    let quoted = parts[0].split(separator: "\"").dropFirst().enumerated().filter {
      $0.offset % 2 == 0
    }
    return run.errors.contains("warning")
      && (quoted.isEmpty || quoted.contains { run.errors.contains($0.element) })
      && (parts.count == 1 || TypedEvent(run.output).isEvent(parts[1]))
  }
}

/// What a dry run would add.
struct TypedEvent {
  private var values: [String: String] = [:]
  private var exceptions: [String] = []

  init(_ output: String) {
    var lines: [Substring] = []
    var isInside = false
    for line in output.split(separator: "\n") where line.hasPrefix("+") {
      let text = line.dropFirst()
      if text == "BEGIN:VEVENT" || text == "BEGIN:VTODO" { isInside = true }
      if isInside { lines.append(text) }
    }
    for line in lines {
      let name = line.prefix { $0 != ";" && $0 != ":" }
      let value = line.drop { $0 != ":" }.dropFirst()
      values[String(name)] = String(value)
      if name == "EXDATE" { exceptions.append(String(value.prefix(8))) }
    }
  }

  /// `2026-11-22 19:30`, or a date alone.
  private static func written(_ value: String?) -> String? {
    guard let digits = value?.filter(\.isNumber), digits.count >= 8 else { return nil }
    let all = Array(digits)
    let date = "\(String(all[0..<4]))-\(String(all[4..<6]))-\(String(all[6..<8]))"
    return all.count < 12 ? date : date + " \(String(all[8..<10])):\(String(all[10..<12]))"
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func moment(_ text: String) -> Date? {
    let numbers = text.split(whereSeparator: { "- :".contains($0) }).compactMap { Int($0) }
    guard numbers.count == 3 || numbers.count == 5 else { return nil }
    return calendar.date(
      from: DateComponents(
        year: numbers[0], month: numbers[1], day: numbers[2],
        hour: numbers.count == 5 ? numbers[3] : 0, minute: numbers.count == 5 ? numbers[4] : 0))
  }

  private static func text(_ date: Date, hasTime: Bool) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    func padded(_ number: Int?) -> String { String("0\(number ?? 0)".suffix(2)) }
    let day = "\(parts.year ?? 0)-\(padded(parts.month))-\(padded(parts.day))"
    return hasTime ? day + " \(padded(parts.hour)):\(padded(parts.minute))" : day
  }

  /// The end in the form of the table: a time, or the last day.
  private var end: String? {
    guard let start = Self.written(values["DTSTART"]), let begin = Self.moment(start) else {
      return nil
    }
    let hasTime = start.count > 10
    var end = Self.written(values["DTEND"]).flatMap(Self.moment)
    if let length = values["DURATION"] {
      var seconds = 0
      var number = 0
      for letter in length {
        if let digit = letter.wholeNumberValue {
          number = number * 10 + digit
        } else {
          seconds += number * (["W": 604_800, "D": 86_400, "H": 3600, "M": 60][letter] ?? 0)
          number = 0
        }
      }
      end = begin.addingTimeInterval(Double(seconds))
    }
    guard let end else { return hasTime ? nil : start }
    return Self.text(hasTime ? end : end.addingTimeInterval(-86_400), hasTime: hasTime)
  }

  func isEvent(_ expected: String) -> Bool {
    let sides = expected.components(separatedBy: " | ")
    let title = (values["SUMMARY"] ?? "").replacing("\\,", with: ",").replacing("\\;", with: ";")
    guard sides.count == 2, title == sides[1] else { return false }
    var words = sides[0].split(separator: " ").map(String.init)
    let (start, due) = (Self.written(values["DTSTART"]), Self.written(values["DUE"]))
    if words == ["no", "date"] { return start == nil && due == nil }
    if words.first == "due" {
      return start == nil && due == words.dropFirst().joined(separator: " ")
    }
    guard due == nil, let start else { return false }
    let date = words.removeFirst()
    let hasTime = words.first?.contains(":") ?? false
    let time = hasTime ? words.removeFirst() : ""
    let bounds = time.split(separator: "~")
    if bounds.count == 2 {
      return start.hasPrefix(date) && start.count > 10 && start.suffix(5) >= bounds[0]
        && start.suffix(5) <= bounds[1]
    }
    guard start == (hasTime ? "\(date) \(time)" : date), let begin = Self.moment(start) else {
      return false
    }
    var expectedEnd = hasTime ? Self.text(begin.addingTimeInterval(3600), hasTime: true) : date
    if let minutes = words.first.flatMap({ $0.hasSuffix("m") ? Double($0.dropLast()) : nil }) {
      expectedEnd = Self.text(begin.addingTimeInterval(minutes * 60), hasTime: true)
      words.removeFirst()
    } else if words.first == "-" {
      words.removeFirst()
      var last = words.removeFirst()
      if last.contains(":") { last = "\(date) \(last)" }
      if hasTime, last.count == 10 { last += " " + words.removeFirst() }
      expectedEnd = last
    }
    guard end == expectedEnd else { return false }
    let rule = values["RRULE"].map(Repetition.init(text:))
    guard !words.isEmpty else { return rule == nil }
    let wanted = Repetition(words: words)
    return rule?.dates(from: begin, leaving: exceptions) == wanted.dates(from: begin, leaving: [])
  }
}

/// A rule and its dates, found by looking at each day.
private struct Repetition {
  private var values: [String: [String]] = [:]
  private var exceptions: [String] = []

  init(text: String) {
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=")
      values[String(sides[0])] = sides[1].split(separator: ",").map(String.init)
    }
  }

  init(words: [String]) {
    var words = words
    values["FREQ"] = [words.removeFirst().uppercased()]
    let names = ["every": "INTERVAL", "until": "UNTIL", "count": "COUNT", "in": "BYMONTH"]
    while !words.isEmpty {
      let first = words.removeFirst()
      if let name = names[first] {
        values[name] = [words.removeFirst().filter { $0 != "-" }]
      } else if first == "except" {
        exceptions = words.removeFirst().split(separator: ",").map { $0.filter { $0 != "-" } }
      } else if first == "at" {
        values["BYHOUR"] = words.removeFirst().split(separator: ",").map {
          "\(Int($0.prefix(2)) ?? 0)"
        }
      } else {
        let all = first.split(separator: ",").map(String.init)
        values["BYMONTHDAY"] = all.filter { Int($0) != nil }
        values["BYDAY"] = all.filter { Int($0) == nil }
      }
    }
  }

  private func numbers(_ name: String) -> [Int] { (values[name] ?? []).compactMap { Int($0) } }

  private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// The first forty.
  func dates(from begin: Date, leaving others: [String]) -> [String] {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    let interval = numbers("INTERVAL").first ?? 1
    let days = (values["BYDAY"] ?? []).map { (Int($0.dropLast(2)) ?? 0, String($0.suffix(2))) }
    let first = calendar.dateComponents([.year, .month, .day], from: begin)
    let beginWeekday = (calendar.component(.weekday, from: begin) + 5) % 7
    var found: [String] = []
    for offset in 0..<3000 where found.count < 40 {
      guard let day = calendar.date(byAdding: .day, value: offset, to: begin) else { continue }
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: day)
      guard let year = parts.year, let month = parts.month, let date = parts.day,
        let length = calendar.range(of: .day, in: .month, for: day)?.count
      else { continue }
      let weekday = ((parts.weekday ?? 1) + 5) % 7
      let name = Self.weekdays[weekday]
      func isDay(_ entry: (Int, String)) -> Bool {
        entry.1 == name
          && (entry.0 == 0 || entry.0 == (date - 1) / 7 + 1
            || entry.0 == -((length - date) / 7 + 1))
      }
      let isDate = numbers("BYMONTHDAY").contains { $0 == date || $0 == date - length - 1 }
      let periods: Int
      switch values["FREQ"]?.first {
      case "DAILY": periods = offset
      case "WEEKLY": periods = (offset + beginWeekday) / 7
      case "MONTHLY": periods = (year - (first.year ?? 0)) * 12 + month - (first.month ?? 0)
      default: periods = year - (first.year ?? 0)
      }
      var matches = periods % interval == 0
      let months = numbers("BYMONTH")
      matches = matches && (months.isEmpty || months.contains(month))
      if !days.isEmpty { matches = matches && days.contains(where: isDay) }
      if !numbers("BYMONTHDAY").isEmpty { matches = matches && isDate }
      if days.isEmpty, numbers("BYMONTHDAY").isEmpty {
        switch values["FREQ"]?.first {
        case "WEEKLY": matches = matches && weekday == beginWeekday
        case "MONTHLY": matches = matches && date == first.day
        case "YEARLY": matches = matches && date == first.day && month == first.month
        default: break
        }
      }
      guard matches else { continue }
      func padded(_ number: Int) -> String { String("0\(number)".suffix(2)) }
      let text = "\(year)\(padded(month))\(padded(date))"
      if let until = values["UNTIL"]?.first, text > until.prefix(8) { break }
      for hour in values["BYHOUR"] ?? [""] { found.append(text + " " + hour) }
      if let count = numbers("COUNT").first, found.count >= count { break }
    }
    return found.filter { !(exceptions + others).contains(String($0.prefix(8))) }
  }
}
