/// A pattern for dates or times (Unicode UTS 35), split into its elements: `EEEE, d MMMM y`.
package struct DatePattern: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case text(String)
    case weekday, weekdayAlone, shortWeekday, shortWeekdayAlone
    case month, monthAlone, shortMonth, shortMonthAlone
    /// A number with at least this many digits.
    case monthNumber(digits: Int)
    case day(digits: Int)
    case year, weekYear, week, era
    case hour24(digits: Int)
    case hour12(digits: Int)
    case minute(digits: Int)
    case dayPeriod
  }

  let elements: [Element]
  /// The text in CLDR.
  package let source: String

  init(_ source: String) {
    self.source = source
    var elements: [Element] = []
    var literal = ""
    var rest = source[...]
    while let character = rest.first {
      if character == "'" {
        rest.removeFirst()
        let quoted = rest.prefix { $0 != "'" }
        literal += quoted.isEmpty ? "'" : String(quoted)
        rest = rest.dropFirst(quoted.count + 1)
      } else if character.isASCII, character.isLetter {
        let run = rest.prefix { $0 == character }
        rest = rest.dropFirst(run.count)
        guard let element = Self.field(character, count: run.count) else { continue }
        if !literal.isEmpty { elements.append(.text(literal)) }
        literal = ""
        elements.append(element)
      } else {
        literal.append(character)
        rest.removeFirst()
      }
    }
    if !literal.isEmpty { elements.append(.text(literal)) }
    self.elements = elements
  }

  private static func field(_ letter: Character, count: Int) -> Element? {
    switch letter {
    case "E": count >= 4 ? .weekday : .shortWeekday
    case "c": count >= 4 ? .weekdayAlone : .shortWeekdayAlone
    case "M": count >= 4 ? .month : count == 3 ? .shortMonth : .monthNumber(digits: count)
    case "L": count >= 4 ? .monthAlone : count == 3 ? .shortMonthAlone : .monthNumber(digits: count)
    case "d": .day(digits: count)
    case "y": .year
    case "Y": .weekYear
    case "w": .week
    case "G": .era
    case "H": .hour24(digits: count)
    case "h": .hour12(digits: count)
    case "m": .minute(digits: count)
    case "a", "B", "b": .dayPeriod
    default: nil
    }
  }

  /// Whether AM or PM comes first.
  var beginsWithDayPeriod: Bool { elements.first == .dayPeriod }

  /// The same without AM or PM and the space next to it.
  var withoutDayPeriod: DatePattern {
    var kept = elements
    guard let place = kept.firstIndex(of: .dayPeriod) else { return self }
    kept.remove(at: place)
    let neighbour = place == 0 ? 0 : place - 1
    if kept.indices.contains(neighbour), kept[neighbour] == .text(" ") {
      kept.remove(at: neighbour)
    }
    return DatePattern(elements: kept, source: source)
  }

  private init(elements: [Element], source: String) {
    self.elements = elements
    self.source = source
  }

  /// Whether it has a 12-hour clock.
  package var hasTwelveHours: Bool {
    elements.contains { if case .hour12 = $0 { true } else { false } }
  }
}
