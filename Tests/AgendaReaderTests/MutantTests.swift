import AgendaCore
import AgendaReader
import CivilTime
import Foundation
import TestSupport
import Testing

/// Mutants of the fixtures: each is a component of a fixture, changed a little, between two
/// neighbours that are not. 2,000 of them, times `AGENDA_ROUNDS`.
@Suite("Mutants")
struct MutantTests {
  static let neighbours = [
    """
    BEGIN:VEVENT\r
    UID:before@neighbour\r
    DTSTAMP:20261101T000000Z\r
    DTSTART:20261124T090000Z\r
    DTEND:20261124T100000Z\r
    RRULE:FREQ=WEEKLY;COUNT=4\r
    SUMMARY:The one before\\, unch\r
     anged\r
    ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.com\r
    BEGIN:VALARM\r
    ACTION:DISPLAY\r
    TRIGGER:-PT5M\r
    END:VALARM\r
    END:VEVENT\r

    """,
    """
    BEGIN:VEVENT\r
    UID:after@neighbour\r
    DTSTART;VALUE=DATE:20261225\r
    SUMMARY:Die danach – unverändert\r
    CATEGORIES:a,b\r
    END:VEVENT\r

    """,
  ].map { Array($0.utf8) }

  /// The components of all fixtures in UTF-8, cut out by their BEGIN and END lines.
  static let components: [[UInt8]] = FixtureTests.quirks.flatMap { name -> [[UInt8]] in
    let file = FixtureTests.folder.appending(path: "quirks/\(name).ics")
    guard let data = try? Data(contentsOf: file), let text = String(data: data, encoding: .utf8)
    else { return [] }
    var components: [[UInt8]] = []
    for kind in ["VEVENT", "VTODO", "VTIMEZONE"] {
      var rest = text[...]
      while let begin = rest.range(of: "BEGIN:\(kind)\r\n") {
        rest = rest[begin.lowerBound...]
        guard let end = rest.range(of: "END:\(kind)\r\n") else { break }
        components.append(Array(rest[..<end.upperBound].utf8))
        rest = rest[end.upperBound...]
      }
    }
    return components
  }

  /// BEGINs of VEVENT and VTODO, counted line by line.
  static func beginCount(_ bytes: [UInt8]) -> Int {
    let plain = bytes.filter { $0 != 0 }
    var lines: [[UInt8]] = [[]]
    var index = 0
    while index < plain.count {
      let byte = plain[index]
      index += 1
      guard byte == 13 || byte == 10 else {
        lines[lines.count - 1].append(byte)
        continue
      }
      if byte == 13, index < plain.count, plain[index] == 10 { index += 1 }
      if index < plain.count, plain[index] == 32 || plain[index] == 9 {
        index += 1
      } else {
        lines.append([])
      }
    }
    let steps = lines.compactMap(step)
    var count = 0
    var open: String?
    var next = 0
    while next < steps.count {
      let (isBegin, name) = steps[next]
      next += 1
      if !isBegin {
        if name == open { open = nil }
      } else if ["VEVENT", "VTODO", "VJOURNAL"].contains(name) {
        if name != "VJOURNAL" { count += 1 }
        open = name
      } else if open == nil, !withoutEvents.contains(name),
        let end = steps[next...].firstIndex(where: { !$0.isBegin && $0.name == name }),
        !steps[next..<end].contains(where: { $0.name == "VCALENDAR" })
      {
        // What is in a component of another kind belongs to it.
        next = end + 1
      }
    }
    return count
  }

  private static let withoutEvents: Set = [
    "VCALENDAR", "VTIMEZONE", "VFREEBUSY", "VALARM", "STANDARD", "DAYLIGHT",
  ]

  private static let blanks = CharacterSet.whitespaces.union(
    CharacterSet(charactersIn: "\u{B}\u{C}"))

  /// The component that a line begins or ends.
  private static func step(_ line: [UInt8]) -> (isBegin: Bool, name: String)? {
    let text = String(decoding: line, as: UTF8.self).uppercased()
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon].split(separator: ";").first ?? ""
    let value = text[text.index(after: colon)...].trimmingCharacters(in: blanks)
    guard !name.hasPrefix(" ") else { return nil }
    switch name.trimmingCharacters(in: .whitespaces) {
    case "BEGIN": return (true, value)
    case "END": return (false, value)
    default: return nil
    }
  }

  /// The events of the two neighbours.
  static func neighbours(in file: CalendarFile) -> [String] {
    file.allEvents.filter { $0.identity.uid.hasSuffix("@neighbour") }.map { event in
      FixtureText.text(event, file.details(of: event.reference))
    }
  }

  private static func reportedRejections(_ file: CalendarFile) -> Int {
    file.findings.filter { $0.action.hasSuffix("rejected") }.reduce(0) { $0 + $1.count }
  }

  // Checks RFC 5545: 3.6/7
  // Checks Decisions: Reading files/10
  @Test("a mutant is counted whole, ends at once, and leaves its neighbours as they were")
  func mutants() throws {
    let count = 2000 * TestSettings.rounds
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    let head = Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".utf8)
    // A mutant that begins with a blank goes on with the line before it.
    let separator = Array("\r\nX-SEPARATOR:1\r\n".utf8)
    let tail = Array("END:VCALENDAR\r\n".utf8)
    let untouched = try reader.read(
      SourceBytes(head + Self.neighbours[0] + Self.neighbours[1] + tail), name: "untouched")
    let expected = Self.neighbours(in: untouched)
    #expect(expected.count == 2)
    #expect(Self.components.count > 80)
    // A mutant is not much longer than the calendar without it.
    let ordinary = try ProcessorTime.of {
      _ = try reader.read(
        SourceBytes(head + Self.neighbours[0] + Self.neighbours[1] + tail), name: "untouched")
    }
    let most = 500 * ordinary
    var generator = SeededGenerator(seed: 2026)
    for number in 0..<count {
      let component = Self.components[number % Self.components.count]
      let mutant = Mutation.mutate(component, with: &generator)
      let bytes =
        head + Self.neighbours[0] + separator + mutant + separator + Self.neighbours[1] + tail
      let begin = ThreadTime.now
      let file = try reader.read(SourceBytes(bytes), name: "mutant")
      _ = file.detailFindings()
      let found = Self.neighbours(in: file)
      let length = ThreadTime.now - begin
      guard
        length >= most || found != expected || file.componentCount != Self.beginCount(bytes)
          || Self.reportedRejections(file) != file.rejectedCount
      else { continue }
      let text = "mutant \(number): \(String(decoding: mutant, as: UTF8.self).debugDescription)"
      #expect(length < most, "\(text)")
      #expect(file.componentCount == Self.beginCount(bytes), "\(text)")
      #expect(Self.reportedRejections(file) == file.rejectedCount, "\(text)")
      #expect(found == expected, "\(text)")
    }
  }
}
