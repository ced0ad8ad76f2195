import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Mails about one series, imported one by one: what the store shows depends on the mails, not on
/// their order. The oracle is a plain reading of RFC 5546 over the mails that are there.
@Suite("the order of mails does not matter")
struct MailOrderTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static let people = ["ana", "bo"]
  private static let days = 1...3

  private struct Mail {
    var method: String
    var sequence: Int
    var stamp: Int
    /// The day of the occurrence that it is about; `nil` for the whole series.
    var day: Int?
    var person = ""
    var answer = ""
    /// The number of occurrences of a version of the series.
    var count = 3

    /// A version of the series is an hour later than the one before.
    static func hour(_ sequence: Int) -> Int { 10 + sequence }

    var text: String {
      var lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:\(method)", "BEGIN:VEVENT", "UID:series",
        "DTSTAMP:202611\(10 + stamp)T000000Z", "SEQUENCE:\(sequence)",
      ]
      if let day { lines.append("RECURRENCE-ID:2026120\(day)T\(Self.hour(sequence))0000Z") }
      switch method {
      case "REQUEST":
        lines += [
          "DTSTART:20261201T\(Self.hour(sequence))0000Z", "RRULE:FREQ=DAILY;COUNT=\(count)",
          "SUMMARY:Series",
        ]
        lines += MailOrderTests.people.map {
          "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:\($0)@example.com"
        }
      case "REPLY":
        lines.append("ATTENDEE;PARTSTAT=\(answer.uppercased()):mailto:\(person)@example.com")
      default: break
      }
      return (lines + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\n")
    }
  }

  private static func mails(_ generator: inout SeededGenerator) -> [Mail] {
    var stamps = Array(1..<16).shuffled(using: &generator)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let last = number(0...1)
    var mails = (0...last).map { Mail(method: "REQUEST", sequence: $0, stamp: 0) }
    // A later version with the same SEQUENCE.
    if number(0...1) == 0 {
      mails.append(
        Mail(
          method: "REQUEST", sequence: number(0...last), stamp: stamps.removeLast(), count: 2))
    }
    for _ in 0..<number(1...5) {
      var mail = Mail(
        method: "REPLY", sequence: number(0...last), stamp: stamps.removeLast(),
        day: number(0...2) == 0 ? nil : number(days))
      mail.person = people.randomElement(using: &generator) ?? ""
      mail.answer = ["accepted", "declined"].randomElement(using: &generator) ?? ""
      mails.append(mail)
    }
    for _ in 0..<number(0...2) {
      mails.append(
        Mail(
          method: "CANCEL", sequence: number(0...last), stamp: stamps.removeLast(),
          day: number(0...3) == 0 ? nil : number(days)))
    }
    return mails
  }

  /// The day, hour and answers of each occurrence that takes place.
  private static func judgement(of mails: [Mail]) -> [String] {
    let version = mails.filter { $0.method == "REQUEST" }.max {
      ($0.sequence, $0.stamp) < ($1.sequence, $1.stamp)
    }
    guard let version else { return [] }
    let current = version.sequence
    let valid = mails.filter { $0.method != "REQUEST" && $0.sequence >= current }
    return (1...version.count).compactMap { day in
      // Another version has its occurrences at other times.
      let concerned = valid.filter {
        $0.day == nil || $0.day == day && $0.sequence == current
      }
      // An earlier cancellation was about an earlier version. An answer is still one, because the
      // later version asks again without taking it back.
      let isCancelled = concerned.contains {
        $0.method == "CANCEL" && ($0.sequence, $0.stamp) >= (current, version.stamp)
      }
      if isCancelled { return nil }
      let answers = people.map { person in
        let own = concerned.filter { $0.method == "REPLY" && $0.person == person }
        // What somebody answers for one occurrence holds there, whatever is said of the series.
        let exact = own.filter { $0.day != nil }
        let newest = (exact.isEmpty ? own : exact).max {
          ($0.sequence, $0.stamp) < ($1.sequence, $1.stamp)
        }
        return "\(person) \(newest?.answer ?? "needs-action")"
      }
      // The viewer is in Berlin.
      return "\(day) \(Mail.hour(current) + 1) \(answers.joined(separator: " "))"
    }
  }

  private func shown(_ arguments: [String]) throws -> [String] {
    let run = fixture.run(
      ["show", "--from", "2026-12-01", "--months", "1", "-f", "json"]
        + arguments)
    // The store has messages only.
    if run.output.isEmpty { return [] }
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let sections = document["sections"] as? [[String: Any]] ?? []
    return sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }.map { entry in
      let start = entry["start"] as? String ?? ""
      let attendees = (entry["attendees"] as? [[String: Any]] ?? []).map {
        "\(($0["email"] as? String ?? "").split(separator: "@").first ?? "") \($0["status"] ?? "")"
      }
      return "\(Int(start.dropFirst(8).prefix(2)) ?? 0) \(Int(start.dropFirst(11).prefix(2)) ?? 0) "
        + attendees.joined(separator: " ")
    }
  }

  @Test("mails in any order, some of them undone, and requests that are removed and come again")
  func orders() throws {
    var generator = SeededGenerator(seed: 1717)
    for number in 0..<40 * TestSettings.rounds {
      let mails = Self.mails(&generator)
      let names = mails.indices.map { "\(number)/\($0).ics" }
      for (name, mail) in zip(names, mails) { try fixture.write(name, mail.text) }
      let store = ["--store", fixture.path("\(number).sqlite")]
      var present: [Int] = []
      var steps: [String] = []
      /// What the store shows must be what the mails say that are there.
      func check(_ step: String) throws {
        steps.append(step)
        let expected = Self.judgement(of: present.map { mails[$0] })
        #expect(
          try shown(store) == expected,
          "\(number) \(steps) \(mails.map(\.text).joined())")
      }
      func add(_ index: Int) throws {
        let isRequest = mails[index].method == "REQUEST"
        let run = fixture.run(
          ["import", fixture.path(names[index])] + (isRequest ? ["--calendar", "mail"] : [])
            + store, isPinned: false)
        #expect(run.status == .done || !isRequest, "\(run.errors)")
        present.append(index)
        try check("+\(index)")
      }
      for index in mails.indices.shuffled(using: &generator) {
        try add(index)
        guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
        let undone = fixture.run(["undo"] + store, isPinned: false)
        #expect(undone.status == .done, "\(undone.errors)")
        present.removeLast()
        try check("undo")
        try add(index)
      }
      // A mail that comes again changes nothing.
      if let again = present.randomElement(using: &generator) {
        _ = fixture.run(
          ["import", fixture.path(names[again])]
            + (mails[again].method == "REQUEST" ? ["--calendar", "mail"] : []) + store,
          isPinned: false)
        try check("again \(again)")
      }
      for request in mails.indices.filter({ mails[$0].method == "REQUEST" }).reversed() {
        _ = fixture.run(
          ["remove", "--source", fixture.path(names[request])] + store, isPinned: false)
        present.removeAll { $0 == request }
        try check("-\(request)")
        if Bool.random(using: &generator) { try add(request) }
      }
      #expect(fixture.run(["doctor"] + store, isPinned: false).status == .done)
      // The same from files, which are one calendar.
      let everything = mails.indices.map { mails[$0].text }.shuffled(using: &generator).joined()
      try fixture.write("\(number)/whole.ics", everything)
      #expect(
        try shown([fixture.path("\(number)/whole.ics")]) == Self.judgement(of: mails),
        "\(everything)")
      try fixture.write(
        "f\(number)/a.ics", mails.filter { $0.method == "REQUEST" }.map(\.text).joined())
      try fixture.write(
        "f\(number)/0.ics", mails.filter { $0.method != "REQUEST" }.map(\.text).joined())
      #expect(
        try shown([fixture.path("f\(number)")]) == Self.judgement(of: mails), "\(everything)")
    }
  }
}
