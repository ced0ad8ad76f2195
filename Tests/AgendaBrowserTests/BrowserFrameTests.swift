import AgendaBrowser
import AgendaCore
import AgendaRendering
import CivilTime
import TestSupport
import Testing

@Suite("browser pictures")
struct BrowserFrameTests {
  @Test("the list has days with their entries, the time now, and the selected entry below")
  func list() throws {
    let sample = try BrowserSample(columns: 60, rows: 12)
    #expect(
      sample.lines == [
        "Saturday, 21 November 2026 · today                   Week 47",
        "* all day      Market day",
        "* 09:00–09:30  Breakfast",
        "  10:00 ────────────────────────────────────────────────────",
        "* 12:00–13:00  Lunch",
        "",
        "Tuesday, 24 November 2026                            Week 48",
        "* 12:00–13:00  Dentist",
        "",
        "Wednesday, 2 December 2026                           Week 49",
        "? keys  Enter details  a add  e edit  x remove  / search",
        "Lunch · Sat 21 Nov, 12:00–13:00",
      ])
  }

  @Test("a long title leaves room for the time in the last line")
  func longTitle() throws {
    let sample = try BrowserSample(
      [
        BrowserSample.event(
          "a", "DTSTART:20261121T110000Z", "DTEND:20261121T120000Z",
          "SUMMARY:Lunch with everybody from the old office")
      ], columns: 60, rows: 8)
    #expect(sample.lines.last == "Lunch with everybody from the old… · Sat 21 Nov, 12:00–13:00")
  }

  @Test("a picture has exactly the size of the screen, in every view")
  func sizes() throws {
    for view in BrowserView.allCases {
      for (columns, rows) in [(1, 1), (2, 9), (7, 3), (39, 5), (80, 24), (400, 200)] {
        var sample = try BrowserSample(columns: columns, rows: rows, view: view)
        for keys in [["j"], ["?"], ["Esc", "c"], ["Esc", "a", "x"], ["Esc", "/"]] {
          for key in keys { sample.press(key) }
          let frame = BrowserFrame(sample.state)
          #expect(frame.canvas.lines.count == rows)
          #expect(frame.canvas.lines.allSatisfy { $0.count == columns })
          let cursor = frame.cursor ?? (0, 0)
          #expect(cursor.column < columns && cursor.row < rows, "\(view) \(columns) × \(rows)")
        }
      }
    }
  }

  @Test("no entry is unreachable: a cell that is full leads to its day")
  func fullCells() throws {
    let events = (0..<12).map {
      BrowserSample.event("\($0)", "DTSTART:20261121T\(10 + $0)0000Z", "SUMMARY:Talk \($0)")
    }
    var sample = try BrowserSample(events, columns: 80, rows: 24, view: .month)
    let row = try #require(sample.lines.firstIndex { $0.contains("+1") })
    let line = sample.lines[row]
    let column = line.distance(
      from: line.startIndex, to: try #require(line.firstRange(of: "+1")?.lowerBound))
    sample.receive(.input(.mouse(MouseEvent(.press, column: column, row: row))))
    #expect(sample.state.view == .day)
    #expect(sample.state.date.description == "2026-11-21")
    for number in 0..<11 {
      #expect(sample.title == "Talk \(number)")
      sample.press("j")
    }
  }

  @Test("entries of whole days stay above the hours, whichever hour is selected")
  func wholeDays() throws {
    let events = [
      BrowserSample.event("a", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Market day"),
      BrowserSample.event("b", "DTSTART:20261121T210000Z", "SUMMARY:Concert"),
    ]
    for view in [BrowserView.day, .week] {
      var sample = try BrowserSample(events, columns: 120, rows: 14, view: view)
      for _ in 0..<3 { sample.press("j") }
      #expect(sample.title == "Concert")
      #expect(sample.lines[3].contains("Market day"), "\(sample.lines)")
      #expect(sample.lines[4...].contains { $0.contains("Concert") }, "\(sample.lines)")
    }
  }

  @Test("titles from strangers have no control characters and few marks")
  func hostileTitles() throws {
    let marks = String(repeating: "\u{301}", count: 10_000)
    let titles = [
      "\u{1b}[31mred", "\u{9b}31m", "\u{202e}txt.exe", "bell\u{7}", "e" + marks, "\u{feff}bom",
    ]
    let events = titles.enumerated().map {
      BrowserSample.event("\($0)", "DTSTART:20261121T110000Z", "SUMMARY:\($1)", "LOCATION:\($1)")
    }
    for view in BrowserView.allCases {
      let sample = try BrowserSample(events, columns: 80, rows: 24, view: view)
      for line in BrowserFrame(sample.state).canvas.lines {
        for cell in line {
          let scalars = cell.text.unicodeScalars
          #expect(scalars.count <= 12)
          for scalar in scalars {
            #expect(scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value))
            #expect(!(0x202a...0x202e).contains(scalar.value) && scalar.value != 0xfeff)
          }
        }
      }
    }
  }

  @Test("a move of the cursor writes less than 200 bytes")
  func movedCursor() throws {
    for color in [ColorDepth.none, .basic, .indexed, .full] {
      var sample = try BrowserSample(color: color)
      var writer = ScreenWriter(depth: color)
      #expect(writer.bytes(for: BrowserFrame(sample.state)).count > 200)
      #expect(writer.bytes(for: BrowserFrame(sample.state)).isEmpty)
      for key in ["k", "j", "j", "k"] {
        sample.press(key)
        let count = writer.bytes(for: BrowserFrame(sample.state)).count
        #expect((1..<200).contains(count), "\(key) with \(color) writes \(count) bytes")
      }
    }
  }

  @Test("help names every action, in every language")
  func help() throws {
    for locale in ["en", "de", "ar", "he", "ja", "zh-Hant", "uk"] {
      var sample = try BrowserSample(rows: 60, locale: locale)
      sample.press("?")
      let text = sample.lines.joined(separator: "\n")
      for action in BrowserAction.allCases {
        let key = try #require(KeyBindings.usual.keys(of: action).first)
        #expect(text.contains("\(key)"), "\(action) in \(locale)")
      }
    }
  }
}
