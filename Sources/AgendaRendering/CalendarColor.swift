package import AgendaCore

/// The colour of a calendar or an event: red, green and blue, each from 0 to 255.
package struct CalendarColor: Hashable, Sendable {
  let red: Int
  let green: Int
  let blue: Int

  /// A colour as calendars write it: `#RRGGBB`, `#RRGGBBAA` (Apple's, the last two are opacity), or a
  /// CSS name in any letter case.
  init?(_ text: String) {
    let value: UInt32?
    if text.hasPrefix("#") {
      let digits = text.dropFirst()
      let isColor =
        (digits.utf8.count == 6 || digits.utf8.count == 8) && digits.first?.isHexDigit == true
      value = isColor ? UInt32(digits.prefix(6), radix: 16) : nil
    } else {
      value = CSSColorNames.value(of: text.lowercased())
    }
    guard let value else { return nil }
    self.init(value)
  }

  /// One of seven colours for a calendar without one, always the same for the same name.
  init(standingFor name: String) { self = Self.palette[Self.paletteIndex(of: name)] }

  fileprivate static let palette = [
    0x3a7bd5, 0x2e8b57, 0xb8651b, 0x8e5bbf, 0xc0475f, 0x20808d, 0x7d7a1e,
  ].map { CalendarColor($0) }

  fileprivate static func paletteIndex(of name: String) -> Int {
    var digest: UInt32 = 0x811c_9dc5
    for byte in name.utf8 { digest = (digest ^ UInt32(byte)) &* 0x0100_0193 }
    return Int(digest % UInt32(palette.count))
  }

  private init(_ value: UInt32) {
    red = Int(value >> 16 & 0xff)
    green = Int(value >> 8 & 0xff)
    blue = Int(value & 0xff)
  }

  package init(red: Int, green: Int, blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#3a7bd5`
  var hexadecimal: String {
    let digits = String(red << 16 | green << 8 | blue, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }

  /// Whether black letters are easier to read on this colour than white ones. The better of the two
  /// has a contrast of at least 4.5 : 1 on every colour (WCAG 2.1, 1.4.3).
  var takesBlackText: Bool { luminance > 0.179 }

  /// Relative luminance (WCAG 2.1). A cubic approximates the curve of sRGB with an error below
  /// 0.002.
  private var luminance: Double {
    func linear(_ channel: Int) -> Double {
      let value = Double(channel) / 255
      return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}

/// The colours of all calendars that an output shows.
package struct CalendarColors {
  /// The calendars' own colours, by their names.
  private let chosen: [String: String]
  private var known: [String: CalendarColor] = [:]
  private var lastCalendar = ""
  private var lastColor: CalendarColor?

  package init(_ chosen: [String: String]) {
    self.chosen = chosen
  }

  /// The colours of calendars by their names: their own, otherwise one of seven that no other of
  /// them has. With more calendars than colours, some share a colour.
  package static func distinct(
    _ calendars: [(name: String, color: String?)]
  ) -> [String: String] {
    var colors: [String: CalendarColor] = [:]
    // If two have the same name, the later one counts, as in the store.
    for calendar in calendars {
      colors[calendar.name] = calendar.color.flatMap(CalendarColor.init)
    }
    let palette = CalendarColor.palette
    var taken = Set(colors.values)
    // A calendar keeps the colour of its name if possible, so that a further calendar changes few
    // colours.
    var rest: [String] = []
    for name in Set(calendars.map(\.name)).sorted() where colors[name] == nil {
      let color = CalendarColor(standingFor: name)
      if taken.insert(color).inserted { colors[name] = color } else { rest.append(name) }
    }
    for name in rest {
      let index = CalendarColor.paletteIndex(of: name)
      let free = (palette[index...] + palette[..<index]).first { !taken.contains($0) }
      let color = free ?? palette[index]
      taken.insert(color)
      colors[name] = color
    }
    return colors.mapValues(\.hexadecimal)
  }

  /// The event's own colour, otherwise its calendar's, otherwise one made from the calendar's name.
  package mutating func color(of event: Event) -> CalendarColor {
    if let text = event.color, let color = CalendarColor(text) { return color }
    return color(ofCalendar: event.calendar)
  }

  package mutating func color(ofCalendar calendar: String) -> CalendarColor {
    if let lastColor, lastCalendar == calendar { return lastColor }
    let color =
      known[calendar] ?? chosen[calendar].flatMap(CalendarColor.init)
      ?? CalendarColor(standingFor: calendar)
    known[calendar] = color
    lastCalendar = calendar
    lastColor = color
    return color
  }
}

// The replacement on a terminal with fewer colours.
extension CalendarColor {
  init(_ color: TerminalColor) {
    self.init(red: color.red, green: color.green, blue: color.blue)
  }

  /// The nearest of the 6 × 6 × 6 colours of xterm, which are 16 to 231.
  var nearestIndexed: Int {
    let (red, green, blue) = nearestLevels
    return 16 + 36 * red + 6 * green + blue
  }

  private var nearestLevels: (red: Int, green: Int, blue: Int) {
    func nearest(_ channel: Int) -> Int {
      Self.levels.indices.min {
        abs(Self.levels[$0] - channel) < abs(Self.levels[$1] - channel)
      } ?? 0
    }
    return (nearest(red), nearest(green), nearest(blue))
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  /// The colour that a terminal with 256 colours shows.
  private var asIndexed: CalendarColor {
    let (red, green, blue) = nearestLevels
    return CalendarColor(
      UInt32(Self.levels[red] << 16 | Self.levels[green] << 8 | Self.levels[blue]))
  }

  /// The nearest of red, green, yellow, blue, magenta and cyan, which are 1 to 6; black and white are
  /// often the background. Bright red, blue and magenta are 61, 64 and 65: they show orange, violet
  /// and pink. Bright green, yellow and cyan cannot be read on white.
  var nearestBasic: Int {
    let middle = (red + green + blue) / 3
    let bits = (red > middle ? 1 : 0) | (green > middle ? 2 : 0) | (blue > middle ? 4 : 0)
    let isBright =
      switch bits {
      case 1: green > blue
      case 4: red > green
      case 5: red > blue
      default: false
      }
    return (1...6).contains(bits) ? bits + (isBright ? 60 : 0) : 6
  }

  /// The parameters of the control sequence for exactly this colour, as far as the terminal has it.
  func exactParameters(_ depth: ColorDepth, isGround: Bool) -> String {
    let first = isGround ? 48 : 38
    return switch depth {
    case .none: ""
    case .basic: String((isGround ? 40 : 30) + nearestBasic)
    case .indexed: "\(first);5;\(nearestIndexed)"
    case .full: "\(first);2;\(red);\(green);\(blue)"
    }
  }

  /// The parameters of the control sequence for letters on this colour; empty without colours.
  func backgroundParameters(_ depth: ColorDepth) -> String {
    // Black and white of the 6 × 6 × 6 colours, which no terminal's theme changes.
    func letters(on color: CalendarColor) -> Int { color.takesBlackText ? 16 : 231 }
    return switch depth {
    case .none: ""
    // White letters on red, blue and magenta, black ones on green, yellow, cyan and bright colours.
    // Bright blue is darker than the other bright ones.
    case .basic: "\([1, 4, 5, 64].contains(nearestBasic) ? 97 : 30);\(40 + nearestBasic)"
    case .indexed: "38;5;\(letters(on: asIndexed));48;5;\(nearestIndexed)"
    case .full: "38;5;\(letters(on: self));48;2;\(red);\(green);\(blue)"
    }
  }
}
