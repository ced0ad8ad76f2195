import AgendaCore
import AgendaReader
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import AgendaSources

/// Random edits of random series, compared with a model that knows nothing of rules: a list of
/// starts and titles.
@Suite("random edits")
struct RandomEditTests {
  private static let zones = ZoneDatabase.system(TZDIR: nil)
  private static let now = Instant(secondsSinceEpoch: 1_795_248_000)

  /// One occurrence of the model.
  private struct Item: Hashable, Comparable, CustomStringConvertible {
    var start: CivilDateTime
    var title: String

    static func < (left: Item, right: Item) -> Bool {
      (left.start, left.title) < (right.start, right.title)
    }
    var description: String { "\(start) \(title)" }
  }

  private struct Sample {
    var text: String
    var isMonthly: Bool
  }

  private static func text(_ civil: CivilDateTime) -> String {
    civil.description.filter { $0 != "-" && $0 != ":" }
  }

  /// A neighbour, a series with exclusions and overrides, and another neighbour.
  private static func sample(_ random: inout SeededGenerator) -> Sample {
    let date = CivilDate(year: 2026, month: 1, day: 1)?.adding(
      days: .random(in: 0..<300, using: &random))
    let first = CivilDateTime(
      date ?? .first, TimeOfDay(hour: .random(in: 8...18, using: &random), minute: 30) ?? .midnight)
    let end = random.text(ends: ["DURATION:PT1H", "DTEND;TZID=ZONE:END", "X-NO-END:1"])
    let finish = CivilDateTime(civilSeconds: first.civilSeconds + 5400) ?? first
    let frequency =
      ["DAILY", "WEEKLY", "DAILY;INTERVAL=3", "WEEKLY;BYDAY=@", "MONTHLY"]
      .randomElement(using: &random) ?? "DAILY"
    let isMonthly = frequency == "MONTHLY"
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    let day = names[Int(first.date.weekday.rawValue) - 1]
    let count = Int.random(in: 2...9, using: &random)
    // The starts by counting, to place exclusions and overrides.
    let step = frequency.hasPrefix("WEEKLY") ? 7 : frequency.hasSuffix("3") ? 3 : 1
    let starts = (0..<count).compactMap { number in
      isMonthly
        ? nil : first.date.adding(days: number * step).map { CivilDateTime($0, first.time) }
    }
    var lines = [
      "BEGIN:VEVENT", "UID:series", "DTSTAMP:20260101T000000Z",
      "DTSTART;X-A=\"b;c\";TZID=ZONE:\(text(first))", end.replacing("END", with: text(finish)),
      "SUMMARY;LANGUAGE=de:Old",
      "X-UNKNOWN;P=1:some\\, text that is long enough to be folded in the file, twice even, if it goes on like this",
      "DESCRIPTION:line\\none",
      "RRULE:FREQ=\(frequency.replacing("@", with: day));COUNT=\(count)",
    ]
    if Int.random(in: 0..<4, using: &random) == 0 {
      let other = ["WEEKLY", "DAILY;INTERVAL=2", "WEEKLY;BYDAY=TU,FR", "MONTHLY;BYMONTHDAY=5"]
        .randomElement(using: &random)
      if !isMonthly || other?.hasPrefix("MONTHLY") == false {
        let number = Int.random(in: 2...5, using: &random)
        lines.append("RRULE:FREQ=\(other ?? "DAILY");COUNT=\(number)")
      }
    }
    // At other times than the rules have.
    for minute in [15, 45].prefix(max(0, Int.random(in: -2...2, using: &random))) {
      guard let date = first.date.adding(days: .random(in: 0..<60, using: &random)),
        let time = TimeOfDay(hour: .random(in: 8...22, using: &random), minute: minute)
      else { continue }
      lines.append("RDATE;TZID=ZONE:\(text(CivilDateTime(date, time)))")
    }
    if Bool.random(using: &random) { lines.append("SEQUENCE:3") }
    if Bool.random(using: &random) { lines.append("ATTENDEE:mailto:bo@example.com") }
    var overrides: [[String]] = []
    for start in starts.dropFirst() {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: lines.append("EXDATE;TZID=ZONE:\(text(start))")
      case 1:
        let moved = CivilDateTime(civilSeconds: start.civilSeconds + 1800) ?? start
        overrides.append([
          "BEGIN:VEVENT", "UID:series", "RECURRENCE-ID;TZID=ZONE:\(text(start))",
          "DTSTART;TZID=ZONE:\(text(moved))", "SUMMARY:Override", "X-MINE:kept", "END:VEVENT",
        ])
      default: break
      }
    }
    lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM"]
    lines.append("END:VEVENT")
    let neighbour = ["BEGIN:VEVENT", "UID:n", "DTSTART:20260505T100000Z", "X-N:1", "END:VEVENT"]
    let all =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + neighbour + lines
      + overrides.flatMap { $0 } + ["BEGIN:VTODO", "UID:t", "SUMMARY:t", "END:VTODO"]
      + ["END:VCALENDAR", ""]
    let lineEnd = Bool.random(using: &random) ? "\r\n" : "\n"
    let zone = ["Europe/Berlin", "America/New_York", "Asia/Kolkata"].randomElement(using: &random)
    let folded = all.map { line in
      line.utf8.count > 70 ? "\(line.prefix(60))\(lineEnd) \(line.dropFirst(60))" : line
    }
    return Sample(
      text: folded.joined(separator: lineEnd).replacing("ZONE", with: zone ?? "UTC"),
      isMonthly: isMonthly)
  }

  private static func read(_ text: [UInt8]) throws -> CalendarText {
    try CalendarText(text, reader: CalendarReader(zones: zones), name: "x")
  }

  /// The occurrences of all series of a text that came from the sample's series.
  private static func occurrences(_ texts: [CalendarText]) -> [Occurrence] {
    let span = Zone.utc.startOfDay(.first)..<Zone.utc.startOfDay(.afterLast)
    return texts.flatMap { text in
      let events = text.file.allEvents.filter { !["n", "t"].contains($0.identity.uid) }
      let masters = events.filter { $0.identity.recurrenceID == nil }
      return masters.flatMap { master in
        Array(
          Series(
            master,
            overrides: events.filter {
              $0.identity.recurrenceID != nil && $0.identity.uid == master.identity.uid
            }
          ).occurrences(touching: span, viewer: .utc))
      }
    }
  }

  private static func items(_ occurrences: [Occurrence]) -> [Item] {
    occurrences.map { Item(start: $0.start.civil, title: $0.event.title) }.sorted()
  }

  /// The unfolded lines of a text, without the properties that an edit may touch.
  private static func untouched(_ text: String) -> [String] {
    let names = [
      "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SUMMARY",
      "SEQUENCE", "DTSTAMP", "LAST-MODIFIED",
    ]
    return text.replacing("\r\n", with: "\n").replacing("\n ", with: "").split(separator: "\n")
      .map(String.init).filter { line in
        !names.contains { line.hasPrefix("\($0):") || line.hasPrefix("\($0);") }
      }
  }

  private enum Action: CaseIterable { case title, time, both, remove }

  /// The changes of an edit; `nil` if it is refused.
  private static func changes(
    _ editor: SeriesEditor, _ action: Action, _ edit: EventEdit, _ scope: SeriesScope
  ) throws -> ComponentChanges? {
    do {
      return try action == .remove ? editor.remove(scope) : editor.edit(edit, scope)
    } catch {
      guard case .invalid = error else { throw error }
      return nil
    }
  }

  @Test("untouched lines stay, and the occurrences are those of the model")
  func edits() throws {
    var random = SeededGenerator(seed: 12)
    var refused = 0
    for round in 0..<400 * TestSettings.rounds {
      let sample = Self.sample(&random)
      let before = try Self.read(Array(sample.text.utf8))
      #expect(before.file.findings.isEmpty, "\(before.file.findings)\n\(sample.text)")
      let all = Self.occurrences([before]).sorted { $0.begin < $1.begin }
      let chosen = try #require(all.randomElement(using: &random))
      let scope = try #require(SeriesScope.allCases.randomElement(using: &random))
      let action = try #require(Action.allCases.randomElement(using: &random))
      // Months have different lengths, so those series stay on their days.
      let hours = Int.random(in: -5...4, using: &random)
      let days = sample.isMonthly ? 0 : Int.random(in: -5...5, using: &random)
      let delta = action == .title || action == .remove ? 0 : (days * 24 + hours) * 3600
      let start = try #require(
        CivilDateTime(civilSeconds: chosen.start.civil.civilSeconds + delta))
      let title = action == .time || action == .remove ? nil : "New"

      var edit = EventEdit()
      edit.title = title
      let zone = try #require(chosen.start.zone)
      if delta != 0 {
        edit.start = .time(start)
        edit.zone = zone
      }
      let members = before.members(uid: "series", kind: .event)
      let editor = SeriesEditor(
        members: members, occurrence: chosen, viewer: .utc, now: Self.now, zones: Self.zones)
      guard let changes = try Self.changes(editor, action, edit, scope) else {
        // One occurrence can always change, and so can a series with only one rule.
        let rules = sample.text.split(separator: "RRULE").count - 1
        #expect(scope != .only && (sample.text.contains("RDATE") || rules > 1))
        refused += 1
        continue
      }
      let new = try before.applying(
        changes, of: members, zones: NewDefinitions(zones: Self.zones))
      var texts = try [Self.read(new ?? [])]
      if !changes.newSeries.isEmpty {
        texts.append(try Self.read(CalendarText.wrapping(changes.newSeries)))
      }

      // The model.
      let isMeant = { (one: Occurrence) in one.recurrenceID == chosen.recurrenceID }
      let place = chosen.recurrenceID?.civil ?? chosen.start.civil
      let expected = all.compactMap { one -> Item? in
        var item = Item(start: one.start.civil, title: one.event.title)
        let own = one.recurrenceID?.civil ?? one.start.civil
        let isAffected =
          switch scope {
          case .only: isMeant(one)
          case .following: own >= place
          case .all: true
          }
        guard isAffected else { return item }
        if action == .remove { return nil }
        // Overrides keep their own values, except the one that is meant.
        if one.event.identity.recurrenceID != nil, !isMeant(one) { return item }
        item.start = CivilDateTime(civilSeconds: item.start.civilSeconds + delta) ?? item.start
        item.title = title ?? item.title
        return item
      }.sorted()
      let label = "round \(round): \(action) \(scope) \(chosen.start.civil) by \(delta)\n"
      let result = Self.items(Self.occurrences(texts))
      #expect(
        result == expected, "\(label)\(sample.text)\n\(String(decoding: new ?? [], as: UTF8.self))")
      if result != expected { return }

      // Whatever remains of the file has the same other lines in the same order.
      let old = Self.untouched(sample.text)
      let present = Self.untouched(String(decoding: new ?? [], as: UTF8.self))
      if action != .remove, scope == .all {
        #expect(present == old, "\(label)")
      } else {
        let difference = present.difference(from: old)
        if action != .remove, scope == .only { #expect(difference.removals.isEmpty, "\(label)") }
        if action == .remove || scope == .following {
          #expect(difference.insertions.isEmpty, "\(label)")
        }
      }
      let neighbour = try #require(
        sample.text.firstRange(
          of: "BEGIN:VEVENT\(sample.text.contains("\r\n") ? "\r\n" : "\n")UID:n"))
      #expect(
        String(decoding: new ?? [], as: UTF8.self).hasPrefix(
          String(sample.text[..<neighbour.upperBound])))
    }
    #expect(refused < 400 * TestSettings.rounds / 8)
  }
}

extension SeededGenerator {
  fileprivate mutating func text(ends: [String]) -> String {
    ends.randomElement(using: &self) ?? ""
  }
}
