import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// An expansion that begins at a window is the tail of the one from the start.
@Suite struct WindowTests {
  // Checks Decisions: Recurrence/1
  @Test(
    "from a window far into the series comes the tail of the whole",
    arguments: Rule.Frequency.allCases)
  func tail(_ frequency: Rule.Frequency) {
    var generator = SeededGenerator(seed: 77 + UInt64(frequency.rawValue))
    for _ in 0..<Counts.randomWindowsOfEachFrequency {
      let loose = LooseRule.random(frequency, using: &generator)
      let place = generator.number(0...120)
      let nudge = generator.number(-2...2)
      if let difference = Self.difference(loose, place: place, nudge: nudge) {
        Issue.record("\(loose): \(difference)")
        return
      }
    }
  }

  static func difference(_ loose: LooseRule, place: Int, nudge: Int) -> String? {
    guard let rule = loose.rule else { return nil }
    let whole = Array(RuleExpansion(rule, start: loose.startTime).prefix(place + 25))
    guard let anchor = whole.dropFirst(min(place, whole.count - 1)).first,
      let from = CivilDateTime(civilSeconds: anchor.civilSeconds + nudge)
    else { return nil }
    let expected = whole.filter { $0 >= from }
    let tail = Array(
      RuleExpansion(rule, start: loose.startTime, from: from).prefix(expected.count))
    return tail == expected ? nil : "from \(from): \(tail.prefix(3)), not \(expected.prefix(3))"
  }

  @Test("those that end in a window are found without those that only touch it")
  func ending() throws {
    var generator = SeededGenerator(seed: 2)
    let zone = try #require(ZoneDatabase.system(TZDIR: nil).zone(named: "Europe/Berlin"))
    let day = 24 * 60 * 60
    for _ in 0..<Counts.randomWindowsOfEachFrequency {
      let loose = LooseRule.random(.daily, using: &generator)
      guard let rule = loose.rule else { continue }
      let length = EventDuration(
        days: generator.number(0...40), seconds: generator.number(0...4) * 20_000)
      let set = RecurrenceSet(
        start: loose.startTime, extent: .duration(length), rules: [rule],
        dates: [
          RecurrenceDate(
            start: loose.startTime, extent: .duration(EventDuration(days: 1, seconds: 0)))
        ])
      let begin = loose.startTime.instant(for: zone).adding(seconds: generator.number(0...99) * day)
      let window = begin..<begin.adding(seconds: generator.number(1...9) * 11 * 60 * 60)
      let longer = begin.adding(seconds: -60 * day)..<begin.adding(seconds: 60 * day)
      let expected = set.instances(touching: longer, viewer: zone).filter {
        window.contains($0.finish)
      }
      #expect(Array(set.instances(ending: window, viewer: zone)) == expected, "\(loose) \(window)")
    }
    // Half a million of them touch the day.
    let start = EventTime.utc(CivilDateTime(.first, .midnight))
    let dense = RecurrenceSet(
      start: start, extent: .duration(EventDuration(days: 0, seconds: 366 * day)),
      rules: [try Rule(parsing: "FREQ=MINUTELY")])
    let far = start.instant(for: .utc).adding(seconds: 3_000 * day)
    var found = dense.instances(ending: far..<far.adding(seconds: day), viewer: .utc)
    var count = 0
    while found.next() != nil { count += 1 }
    #expect(count == 24 * 60)
    #expect(found.steps < 2 * count)
  }

  @Test("the end that COUNT gives is the last one of the whole", arguments: Rule.Frequency.allCases)
  func bound(_ frequency: Rule.Frequency) {
    var generator = SeededGenerator(seed: 178 + UInt64(frequency.rawValue))
    for _ in 0..<Counts.randomEndsOfEachFrequency {
      var loose = LooseRule.random(frequency, using: &generator)
      loose.until = nil
      loose.isDate = false
      loose.count = generator.number(1...(frequency < .daily ? 9000 : 700))
      guard let rule = loose.rule else { continue }
      let expansion = RuleExpansion(rule, start: loose.startTime)
      loose.count = nil
      guard let endless = loose.rule else { continue }
      let all = Array(
        RuleExpansion(endless, start: loose.startTime).prefix(rule.count ?? 0))
      if all.count < rule.count ?? 0 { continue }
      guard expansion.bound == all.last else {
        Issue.record(
          "\(loose) COUNT=\(rule.count ?? 0): \(String(describing: expansion.bound)), not \(String(describing: all.last))"
        )
        return
      }
    }
  }

  @Test("a COUNT within one month of very many times ends where it should")
  func countOfManyTimes() throws {
    let all = (0..<60).map(String.init).joined(separator: ",")
    let hours = (0..<24).map(String.init).joined(separator: ",")
    let rule = try Rule(
      parsing: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=\(hours);BYMINUTE=\(all);COUNT=44000"
    )
    let start = EventTime.floating(RecurrenceSetTests.civil("2024-01-01T00:00"))
    // 44,000 minutes are 30 days and 800 minutes, the first of them at 00:00.
    #expect(RuleExpansion(rule, start: start).bound?.description == "2024-01-31T13:19:00")
  }
}
