import Foundation
import TestSupport
import Testing

@testable import AgendaRendering

/// The colours of calendars that do not set one.
@Suite("Calendar colours")
struct CalendarColorTests {
  @Test("up to seven calendars have different colours, in whatever order they come")
  func different() {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<500 {
      let count = Int.random(in: 1...7, using: &generator)
      let calendars = (0..<count).map { number in
        (
          name: "calendar \(number) \(Int.random(in: 0..<1000, using: &generator))",
          color: String?.none
        )
      }
      let colors = CalendarColors.distinct(calendars)
      #expect(Set(colors.keys) == Set(calendars.map(\.name)))
      #expect(Set(colors.values).count == count)
      #expect(CalendarColors.distinct(calendars.shuffled(using: &generator)) == colors)
    }
  }

  @Test("seven calendars look different on every terminal with colours")
  func differentInTerminals() {
    let calendars = (0..<7).map { (name: "calendar \($0)", color: String?.none) }
    let colors = CalendarColors.distinct(calendars).values.compactMap { CalendarColor($0) }
    #expect(colors.count == 7)
    for depth in [ColorDepth.basic, .indexed, .full] {
      let letters = Set(colors.map { TerminalColor($0).parameters(depth) })
      let grounds = Set(colors.map { $0.backgroundParameters(depth) })
      #expect(letters.count == 7 && grounds.count == 7, "\(letters) \(grounds)")
    }
  }

  /// The colours of xterm's 16: https://invisible-island.net/xterm
  @Test("letters can be read on the colours of a terminal that has 16")
  func basicContrast() throws {
    let xterm: [Int: (Double, Double, Double)] = [
      1: (205, 0, 0), 2: (0, 205, 0), 3: (205, 205, 0), 4: (0, 0, 238), 5: (205, 0, 205),
      6: (0, 205, 205), 61: (255, 0, 0), 64: (92, 92, 255), 65: (255, 0, 255),
    ]
    func luminance(_ color: (Double, Double, Double)) -> Double {
      let linear = [color.0, color.1, color.2].map { $0 / 255 }.map {
        $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    var seen: Set<Int> = []
    for value in stride(from: 0, to: 0x100_0000, by: 4_999) {
      let digits = String(value, radix: 16)
      let text = "#" + String(repeating: "0", count: 6 - digits.count) + digits
      let parameters = try #require(CalendarColor(text)).backgroundParameters(.basic)
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      let ground = try #require(xterm[numbers[1] - 40], "\(parameters)")
      seen.insert(numbers[1] - 40)
      let letters = numbers[0] == 97 ? 1.0 : 0.0
      let (light, dark) = (max(letters, luminance(ground)), min(letters, luminance(ground)))
      #expect((light + 0.05) / (dark + 0.05) >= 4.5, "\(text) \(parameters)")
    }
    #expect(seen == Set(xterm.keys))
  }

  @Test("a calendar keeps its own colour, and no other calendar is given it")
  func own() {
    // The colour of the name "work".
    let taken = CalendarColor(standingFor: "work").hexadecimal
    let colors = CalendarColors.distinct([("work", nil), ("mine", taken), ("other", "Tomato")])
    #expect(colors["mine"] == taken)
    #expect(colors["other"] == "#ff6347")
    #expect(colors["work"] != nil && colors["work"] != taken)
    #expect(CalendarColors.distinct([("work", "none of CSS")]) == ["work": taken])
    #expect(CalendarColors.distinct([("work", "tomato"), ("work", nil)]) == ["work": taken])
  }

  @Test("more calendars than colours all have one")
  func many() {
    let calendars = (0..<20).map { (name: "\($0)", color: String?.none) }
    let colors = CalendarColors.distinct(calendars)
    #expect(colors.count == 20)
    #expect(Set(colors.values).count == 7)
  }
}
