import AgendaCore
import AgendaKit
import Foundation
import TestSupport
import Testing

/// Random edits of events as programs should not write them. A model judges them that knows nothing of
/// rules and components: it only knows which entries were listed, and which of them were chosen.
@Suite("edits of odd series")
struct OddSeriesTests {
  private static let zones = ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles"]

  /// What can be seen of an entry. `label` says which event it is of.
  private struct Entry: Hashable, Comparable, CustomStringConvertible {
    var title: String
    var begin: Int
    var finish: Int
    var label: String

    static func < (left: Entry, right: Entry) -> Bool {
      (left.begin, left.finish, left.title) < (right.begin, right.finish, right.title)
    }
    var description: String { "\(Instant(secondsSinceEpoch: begin)) \(title) (\(label))" }
  }

  private enum Action: CaseIterable { case title, time, remove }

  /// The form of one calendar, all of whose events have the UID `odd`.
  private enum Form: CaseIterable {
    case ruleOfOverride, midnight, otherForms, singleWithOverrides, orphans, shared, wholeDays
    case cutOff, dateAsEnd
  }

  /// Components; LOCATION says which event each belongs to.
  private static func components(
    _ form: Form, _ random: inout SeededGenerator
  ) -> [String] {
    let zone = zones.randomElement(using: &random) ?? "UTC"
    let hour = Int.random(in: 9...20, using: &random)
    func start(_ day: Int, _ hour: Int = hour) -> String {
      "TZID=\(zone):202612\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour)0000"
    }
    func odd(_ label: String, _ title: String, _ lines: String...) -> String {
      event(
        "odd", lines.joined(separator: "\n"), "SUMMARY:\(title)",
        "LOCATION:\(label)")
    }
    func moved(_ label: String, _ day: Int, _ place: String) -> String {
      odd(
        label, "Override \(day)", "RECURRENCE-ID\(place)", "DTSTART;\(start(day, 21))",
        "DURATION:PT30M")
    }
    let rule = "RRULE:FREQ=DAILY;COUNT=\(Int.random(in: 4...6, using: &random))"
    let series = odd("a", "Series", "DTSTART;\(start(2))", "DTEND;\(start(2, hour + 1))", rule)
    let isDay = Bool.random(using: &random)
    switch form {
    case .ruleOfOverride:
      let extra = isDay ? ["EXDATE;\(start(4))"] : []
      return [
        odd(
          "a", "Series",
          (["RECURRENCE-ID;\(start(2))", "DTSTART;\(start(2))", "DURATION:PT1H", rule] + extra)
            .joined(separator: "\n"))
      ]
    case .midnight:
      return [
        series, moved("a", 3, ";TZID=\(zone):20261203T000000"),
        moved("a", 5, isDay ? ":20261205T000000Z" : ";TZID=\(zone):20261205T000000"),
      ]
    case .otherForms:
      return [
        odd(
          "a", "Series", "DTSTART;\(start(2))", "DURATION:PT1H", rule, "EXDATE;VALUE=DATE:20261205"),
        moved("a", 3, ";VALUE=DATE:20261203"),
        moved("a", 4, isDay ? ":20261204T\(hour < 10 ? "0" : "")\(hour)0000" : ";\(start(4))"),
      ]
    case .singleWithOverrides:
      return [odd("a", "Single", "DTSTART;\(start(2))", "DURATION:PT1H")]
        + (isDay ? [moved("a", 2, ";\(start(2))")] : [])
        + [moved("b", 5, ";\(start(5))"), moved("c", 9, ";\(start(9))")]
    case .orphans: return [moved("a", 3, ";\(start(3))"), moved("b", 5, ";\(start(5))")]
    case .shared:
      return [
        odd("a", "First", "DTSTART;\(start(2))", "DURATION:PT1H"),
        odd("b", "Second", "DTSTART;\(start(3))", "DURATION:PT1H"),
        odd("c", "Third", "DTSTART;\(start(4))", "DURATION:PT1H", isDay ? rule : "X-NONE:1"),
      ]
    case .wholeDays:
      let midnight = "TZID=\(zone):20261202T000000"
      let mark = "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"
      let database = ZoneDatabase.system(TZDIR: nil)
      func moment(_ day: Int) -> String {
        let civil = CivilDateTime(
          CivilDate(year: 2026, month: 12, day: day) ?? .first, .midnight)
        let found = (try? database.loadZone(named: zone))?.instant(of: civil).utc ?? civil
        return "\(found)".filter { $0 != "-" && $0 != ":" } + "Z"
      }
      return [
        odd(
          "a", "Days", "DTSTART;\(midnight)", "DTEND;TZID=\(zone):20261203T000000", mark,
          "RRULE:FREQ=DAILY;UNTIL=\(moment(7))", "EXDATE:\(moment(5))"),
        odd(
          "a", "Override 4", "RECURRENCE-ID:\(moment(4))", "DTSTART;TZID=\(zone):20261211T000000",
          "DTEND;TZID=\(zone):20261212T000000", mark),
      ]
    case .cutOff: return [series, moved("a", 3, ";\(start(3))")]
    case .dateAsEnd:
      return [odd("a", "Dated", "DTSTART;\(start(2))", "DTEND;VALUE=DATE:20261203")]
    }
  }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func occurrences(_ store: CalendarStore, _ viewer: Zone) throws -> [Occurrence] {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 1))
    let window = try #require(DateWindow(firstDay: first, length: .days(90), zone: viewer))
    return Array(try Calendars(of: store).occurrences(in: window)).sorted { $0.begin < $1.begin }
  }

  private static func entry(_ occurrence: Occurrence) -> Entry {
    Entry(
      title: occurrence.event.title, begin: occurrence.begin.secondsSinceEpoch,
      finish: occurrence.finish.secondsSinceEpoch, label: occurrence.event.location ?? "")
  }

  private func bytes(_ place: String) throws -> [String: Data] {
    let path = folder.url.appendingPathComponent(place).path
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      found[name] = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
    }
    return found
  }

  @Test("only the chosen entries change, and undo restores the bytes")
  func edits() throws {
    var random = SeededGenerator(seed: 42)
    var refused: [Form: Int] = [:]
    for round in 0..<120 * TestSettings.rounds {
      let form = Form.allCases[round % Form.allCases.count]
      let viewer = try ZoneDatabase.system(TZDIR: nil)
        .loadZone(named: Self.zones.randomElement(using: &random) ?? "UTC")
      let store = CalendarStore(
        at: folder.url.appendingPathComponent("\(round).sqlite").path, zone: viewer)
      var text = calendar(Self.components(form, &random), [])
      if form == .cutOff { text = text.replacing("END:VCALENDAR\r\n", with: "") }
      try folder.write("\(round)/a.ics", text)
      // A file is not written: what is removed from it is hidden.
      let isFile = form != .cutOff && Int.random(in: 0..<4, using: &random) == 0
      let place = folder.url.appendingPathComponent(isFile ? "\(round)/a.ics" : "\(round)").path
      try store.write { _ = try $0.importSources([place]) }
      let all = try Self.occurrences(store, viewer)
      let chosen = try #require(all.randomElement(using: &random), "\(text)")
      var scope = SeriesScope.allCases.randomElement(using: &random)
      if !chosen.event.repeats, chosen.recurrenceID == nil, Bool.random(using: &random) {
        scope = nil
      }
      let action = isFile ? .remove : try #require(Action.allCases.randomElement(using: &random))
      let before = try bytes("\(round)")
      let label = """
        round \(round): \(action) \(scope.map { "\($0)" } ?? "-") \(Self.entry(chosen)), viewer \
        \(viewer.name), \(isFile ? "file" : "folder")
        \(text)
        """

      var edit = EventEdit()
      edit.title = action == .title ? "New" : nil
      let shift = chosen.allDay == nil ? 3600 : 86_400
      if action == .time {
        edit.startShift = EventDuration(days: shift / 86_400, seconds: shift % 86_400)
      }
      do {
        try store.write {
          _ =
            action == .remove
            ? try $0.remove(chosen, scope: scope) : try $0.edit(chosen, edit, scope: scope)
        }
      } catch let error as CalendarError {
        #expect(error.origin != nil, "\(error)\n\(label)")
        #expect(try bytes("\(round)") == before)
        #expect(try Self.occurrences(store, viewer).map(Self.entry) == all.map(Self.entry))
        refused[form, default: 0] += 1
        continue
      }

      let own = chosen.event.location
      let first = chosen.recurrenceID?.instant(for: viewer)
      func isMeant(_ other: Occurrence) -> Bool {
        other.event.location == own && other.recurrenceID == chosen.recurrenceID
      }
      let expected = all.compactMap { other -> Entry? in
        var entry = Self.entry(other)
        let isChosen =
          other.event.location == own
          && (scope == .all || isMeant(other)
            || scope == .following
              && first.map { first in
                other.recurrenceID.map { $0.instant(for: viewer) >= first } ?? false
              } ?? false)
        guard isChosen else { return entry }
        if action == .remove { return nil }
        // Overrides keep their own values, except the chosen one.
        if other.event.title.hasPrefix("Override"), !isMeant(other) { return entry }
        if action == .title { entry.title = "New" }
        if action == .time {
          entry.begin += shift
          entry.finish += shift
        }
        return entry
      }.sorted()
      let found = try Self.occurrences(store, viewer).map(Self.entry).sorted()
      let after = try bytes("\(round)").values.map { String(decoding: $0, as: UTF8.self) }
      #expect(found == expected, "\(label)\n\(after)")
      if found != expected { return }
      try store.write { _ = try $0.undo() }
      #expect(try bytes("\(round)") == before, "\(label)")
      #expect(
        try Self.occurrences(store, viewer).map(Self.entry).sorted()
          == all.map(Self.entry).sorted(), "\(label)")
    }
    // Of events that share a UID, one cannot become newer than the others.
    refused[.shared] = nil
    #expect(refused.values.reduce(0, +) < 12 * TestSettings.rounds, "\(refused)")
  }
}
