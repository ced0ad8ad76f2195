import AgendaCore
import AgendaReader
import CivilTime
import Foundation
import TestSupport
import Testing

/// What is read in parts, or only as far as a window needs it, is what is read whole.
@Suite("Parts and windows")
struct PartsTests {
  static let zones = ZoneDatabase.system(TZDIR: nil)

  /// The components of all fixtures many times over, each time with other UIDs, between them lines
  /// that are broken.
  static func calendar(copies: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array("BEGIN:VCALENDAR\r\nX-WR-CALNAME:Parts\r\nX-WR-TIMEZONE:Asia/Tokyo\r\n".utf8)
    for copy in 0..<copies {
      for component in MutantTests.components.shuffled(using: &generator) {
        let text = String(decoding: component, as: UTF8.self)
        bytes += Array(text.replacing("UID:", with: "UID:\(copy)-").utf8)
        if Int.random(in: 0..<20, using: &generator) == 0 {
          bytes += Mutation.mutate(component, with: &generator) + [13, 10]
        }
      }
    }
    return bytes + Array("END:VCALENDAR\r\n".utf8)
  }

  @Test("read by four threads is read by one", arguments: [1, 2, 3, 4, 5] as [UInt64])
  func threads(_ seed: UInt64) throws {
    let source = SourceBytes(Self.calendar(copies: 2, seed: seed))
    var options = CalendarReader.Options()
    options.threads = 1
    let one = try CalendarReader(zones: Self.zones, options: options).read(source, name: "one")
    options.threads = 4
    options.smallestPart = 4096
    let four = try CalendarReader(zones: Self.zones, options: options).read(source, name: "one")
    #expect(one.componentCount > 150)
    #expect(four.findings == one.findings)
    #expect(FixtureText.text(four) == FixtureText.text(one))
  }

  /// A source read in as many parts, all that is known of it as text.
  static func reading(_ source: SourceBytes, parts: Int) -> String {
    var options = CalendarReader.Options()
    options.threads = parts
    options.smallestPart = 1
    do throws(ReaderError) {
      let file = try CalendarReader(zones: zones, options: options).read(source, name: "parts")
      let parts = file.otherComponents.map { "\($0.name) in \($0.calendar)" }
      let calendars = file.calendarProperties.map { String(decoding: $0, as: UTF8.self) }
      return FixtureText.text(file) + parts.joined(separator: "\n")
        + calendars.joined(separator: "---\n")
    } catch {
      return "refused: \(error)"
    }
  }

  static func expectSame(_ bytes: [UInt8], parts: [Int], _ name: String) {
    let source = SourceBytes(bytes)
    let whole = reading(source, parts: 1)
    for count in parts {
      let inParts = reading(source, parts: count)
      guard inParts != whole else { continue }
      let text = String(decoding: bytes, as: UTF8.self).debugDescription
      #expect(inParts == whole, "\(name), in \(count) parts: \(text)")
    }
  }

  @Test("known cases are read the same in parts and as a whole")
  func findings() throws {
    let folder = FixtureTests.folder.appending(path: "fuzz/CalendarReader")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let data = try Data(contentsOf: folder.appending(path: name))
      Self.expectSame(Array(data), parts: Array(2...9), name)
    }
  }

  /// Lines at which a cut would be wrong, or where it is one among several events.
  static let borders = [
    "BEGIN:VEVENT", "begin:vevent", "BEGIN:VEVENT ", "BEGIN:VEVENT x", "BEGIN:VEVENT\tx",
    "BEGIN:VEVENT\r\n S", "BEGIN:VEVENT\r\n\tS", "BEGIN:VEVENT\r\r\n S", "BEGIN:VEVENT\r x",
    "BEGIN:VEVENT\r\n ", "BEGIN:VEVENTS", "BEGIN:VEVENT:", "BEGIN;X=1:VEVENT", " BEGIN:VEVENT",
    "BEGIN:VEV\r\n ENT", "BEGIN:X-A\r\nBEGIN:VEVENT", "END:VEVENT", "END:VCALENDAR",
    "END:VCALENDAR\r\nBEGIN:VEVENT", "BEGIN:VCALENDAR", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT",
    "METHOD:CANCEL", "METHOD:PUBLISH", "BEGIN:VTIMEZONE\r\nTZID:A\r\nBEGIN:VEVENT",
    "DTSTART;TZID=A:20261124T090000", "SUMMARY:a\r\nraw", "raw", "X-WR-CALNAME:b",
    "X-WR-TIMEZONE:Asia/Tokyo", "X-WR-TIMEZONE:nowhere", "COLOR:red", "\u{0}", "\u{FEFF}",
  ].map { Array($0.utf8) }

  @Test("any mutant gives the same result in parts and as a whole")
  func mutants() throws {
    let count =
      500 * TestSettings.rounds
    var generator = SeededGenerator(seed: 77)
    for number in 0..<count {
      var lines = [Array("BEGIN:VCALENDAR".utf8)]
      for _ in 0..<Int.random(in: 2...6, using: &generator) {
        guard var component = MutantTests.components.randomElement(using: &generator) else { break }
        if Bool.random(using: &generator) {
          component = Mutation.mutate(component, with: &generator)
        }
        lines.append(component)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
          lines.append(Self.borders.randomElement(using: &generator) ?? [])
        }
      }
      lines.append(Array("END:VCALENDAR".utf8))
      let lineEnd = number % 5 == 0 ? [10] : [13, 10] as [UInt8]
      let bytes = Array(lines.joined(separator: lineEnd)) + lineEnd
      Self.expectSame(bytes, parts: [2, 3, 7], "mutant \(number)")
    }
  }

  @Test("a window's events give the window's occurrences, as all events do", arguments: 1...12)
  func windows(_ number: Int) throws {
    let source = SourceBytes(Self.calendar(copies: 1, seed: UInt64(number)))
    let file = try CalendarReader(zones: Self.zones).read(source, name: "windows")
    var generator = SeededGenerator(seed: UInt64(number))
    func assembled(_ events: [Event]) -> [Series] {
      SeriesAssembly(events) { file.content(of: $0) }.series
    }
    let all = assembled(file.allEvents)
    for _ in 0..<5 {
      let day = Int.random(in: -200...500, using: &generator)
      let begin = Instant(secondsSinceEpoch: 1_795_219_200 + day * 86_400)
      let length = [86_400, 7 * 86_400, 365 * 86_400].randomElement(using: &generator) ?? 0
      let window = begin..<begin.adding(seconds: length)
      let viewer =
        Self.zones.zone(
          named: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"]
            .randomElement(using: &generator) ?? "UTC") ?? .utc
      let some = assembled(file.events(touching: window))
      func occurrences(_ series: [Series]) -> [String] {
        series.flatMap { series in
          series.occurrences(touching: window, viewer: viewer).prefix(500).map { occurrence in
            "\(occurrence.event.reference.component) \(occurrence.begin) \(occurrence.finish)"
              + " \(occurrence.event.title)"
          }
        }.sorted()
      }
      #expect(occurrences(some) == occurrences(all))
    }
  }

  @Test("the window of the options is the one that events are made for")
  func option() throws {
    var options = CalendarReader.Options()
    let begin = Instant(secondsSinceEpoch: 1_795_219_200)
    options.window = begin..<begin.adding(seconds: 86_400)
    let source = SourceBytes(Self.calendar(copies: 1, seed: 1))
    let file = try CalendarReader(zones: Self.zones, options: options).read(source, name: "option")
    #expect(file.events.count < file.allEvents.count)
    #expect(file.eventCount == file.allEvents.count)
  }

  // Checks RFC 5545: 3.1/3
  // Checks Decisions: Reading files/3
  @Test("refolded, with other line ends, or with its components reversed, a file means the same")
  func metamorphic() throws {
    let reader = CalendarReader(zones: Self.zones)
    func meaning(_ bytes: [UInt8]) throws -> [String] {
      let file = try reader.read(SourceBytes(bytes), name: "same")
      return file.allEvents.map { FixtureText.text($0, file.details(of: $0.reference)) }.sorted()
    }
    for component in MutantTests.components where !component.starts(with: "BEGIN:VTIMEZONE".utf8) {
      let text = String(decoding: component, as: UTF8.self)
      // Quoted-printable and raw newlines depend on where the lines end.
      guard !text.contains("QUOTED-PRINTABLE"), !text.contains("\r\n\r\n"),
        !text.contains("\r\nBâtiment")
      else { continue }
      let expected = try meaning(component)
      #expect(try meaning(Array(text.replacing("\r\n", with: "\n").utf8)) == expected)
      #expect(try meaning(Array(text.replacing("\r\n", with: "\r").utf8)) == expected)
      let unfolded = text.replacing("\r\n ", with: "").replacing("\r\n\t", with: "")
      #expect(try meaning(Array(unfolded.utf8)) == expected)
      var refolded: [UInt8] = []
      for line in unfolded.split(separator: "\r\n") {
        var column = 0
        for byte in line.utf8 {
          // In the middle of characters too.
          if column == 7 {
            refolded += [13, 10, 32]
            column = 0
          }
          refolded.append(byte)
          column += 1
        }
        refolded += [13, 10]
      }
      #expect(try meaning(refolded) == expected, "\(text)")
    }
    let bodies = MutantTests.components.joined()
    let reversed = MutantTests.components.reversed().joined()
    #expect(try meaning(Array(bodies)) == meaning(Array(reversed)))
  }
}
