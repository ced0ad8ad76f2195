import AgendaCore
import CivilTime
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Bytes on their way out")
struct ByteSinkTests {
  @Test(
    "a number is its decimal digits",
    arguments: [0, 7, 9, 10, 42, 99, 100, 12_345, -1, -10, -999, Int.max, Int.min])
  func numbers(number: Int) {
    #expect(text { $0.write(number) } == "\(number)")
  }

  @Test("pieces come out whole and in order, however little is held back")
  func order() throws {
    var generator = SeededGenerator(seed: 11)
    var expected = ""
    var written: [UInt8] = []
    try withUnsafeMutablePointer(to: &written) { written in
      var sink = ByteSink(capacity: 1) { written.pointee.append(contentsOf: $0) }
      for _ in 0..<3000 {
        let number = Int.random(in: -5...1_000_000, using: &generator)
        switch Int.random(in: 0...4, using: &generator) {
        case 0:
          sink.write(number)
          expected += "\(number)"
        case 1:
          let piece = String(repeating: "é", count: Int.random(in: 0...150, using: &generator))
          sink.write(piece)
          expected += piece
        case 2:
          let date = try #require(CivilDate(dayNumber: number))
          sink.write(date)
          expected += date.description
        case 3:
          sink.write(UInt8(ascii: ","))
          expected += ","
        default:
          sink.write("a literal" as StaticString)
          expected += "a literal"
        }
        let count = sink.count
        #expect(count == expected.utf8.count)
      }
      try sink.finish()
    }
    #expect(String(decoding: written, as: UTF8.self) == expected)
  }

  @Test("special characters are escaped anywhere in a text")
  func escapes() {
    let escapes = [
      "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\u{8}": "\\b", "\u{1f}": "\\u001f",
      "\u{7f}": "\\u007f", "\u{80}": "\\u0080", "\u{202e}": "\\u202e",
      "\u{e0041}": "\\udb40\\udc41", "é": "é", "会": "会", "🎂": "🎂", "!": "!", "#": "#", "[": "[",
      "]": "]", "~": "~", " ": " ",
    ]
    for (special, escaped) in escapes {
      for before in 0...17 {
        for after in [0, 1, 6, 7, 8, 9, 15, 16, 17] {
          let (left, right) = (
            String(repeating: "a", count: before), String(repeating: "z", count: after)
          )
          #expect(
            text { $0.write(json: left + special + right + special) }
              == "\"\(left)\(escaped)\(right)\(escaped)\"")
        }
      }
    }
  }

  @Test("cached fields equal freshly rendered ones, even with a small cache")
  func renderedEvents() throws {
    var sample = try RenderingSample()
    for number in 0..<20 {
      try sample.add(
        String(repeating: "\(number) ", count: number), "2026-11-21", to: "2026-11-22")
    }
    let events = sample.occurrences.map(\.event)
    for capacity in [0, 40, 200, 1 << 20] {
      var generator = SeededGenerator(seed: UInt64(capacity))
      var rendered = RenderedEvents<Int>(capacity: capacity)
      var renderings = 0
      for _ in 0..<500 {
        let event = events[Int.random(in: 0..<events.count, using: &generator)]
        rendered.use(event, isRepeated: Bool.random(using: &generator)) { sink in
          renderings += 1
          sink.write(event.title)
          return event.title.utf8.count
        } _: { bytes, count in
          #expect(String(decoding: bytes, as: UTF8.self) == event.title)
          #expect(count == event.title.utf8.count)
        }
      }
      #expect(capacity < 1 << 20 ? renderings > 250 : renderings < 300)
    }
  }

  @Test("an entry is written the same alone and among the others that share its event")
  func sharedEvents() throws {
    var sample = try RenderingSample.fortnight()
    try sample.add("Trip", "2026-11-19", to: "2026-11-29", location: "Oslo")
    let york = try #require(RenderingSample.database.zone(named: "America/New_York"))
    var occurrences = sample.occurrences
    // Each of them again on other days, one of them in another zone, one without its own start.
    for occurrence in sample.occurrences where occurrence.allDay == nil {
      for days in 1...3 {
        var later = occurrence
        later.begin = occurrence.begin.adding(seconds: days * 90_000)
        later.finish = occurrence.finish.adding(seconds: days * 90_000)
        let civil = (days == 2 ? york : sample.zone).civil(at: later.begin)
        later.start = days == 3 ? .floating(civil) : .zoned(civil, days == 2 ? york : sample.zone)
        later.recurrenceID = later.start
        occurrences.append(later)
      }
    }
    let window = try #require(
      DateWindow(
        firstDay: RenderingSample.date("2026-11-20"), length: .days(14), zone: sample.zone))
    let format = JSONFormat(details: sample.detailsSource())
    for key in SectionKey.allCases {
      let agenda = Agenda(occurrences, in: window, options: .init(groupedBy: key))
      let document = text { format.render(agenda, to: &$0) }
      var alone: [String] = []
      for (section, value) in agenda.sections.enumerated() {
        for (place, entry) in value.entries.enumerated() {
          let path = EntryPath(section: section, entry: place)
          alone.append(
            text {
              $0.beginObject()
              format.write(entry, at: path, zone: sample.zone, to: &$0)
              $0.endObject()
            })
        }
      }
      let lines = document.split(separator: "\n").filter { $0.hasPrefix("{\"indexPath\"") }
        .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      #expect(lines == alone)
      #expect(alone.count >= occurrences.count)
    }
  }
}
