/// The number of colours that a terminal can show.
public enum ColorDepth: Hashable, Sendable {
  case none
  /// The 16 that every colour terminal has.
  case basic
  /// The 256 of xterm.
  case indexed
  /// Red, green and blue as they are.
  case full
}

/// A colour that is readable on a dark and on a light background.
package struct TerminalColor: Hashable {
  /// 0 to 255.
  let red: Int
  let green: Int
  let blue: Int

  /// Relative luminance with a contrast of 3 : 1 and more against white and against black (WCAG 2.1).
  private static let readable = 0.11...0.29

  /// Makes a colour darker or lighter until it is readable.
  package init(_ color: CalendarColor) {
    self.init(makingReadable: (color.red, color.green, color.blue))
  }

  init?(_ text: String) {
    guard let color = CalendarColor(text) else { return nil }
    self.init(color)
  }

  /// A colour for a calendar without one. The same name always has the same colour.
  init(standingFor name: String) {
    self.init(CalendarColor(standingFor: name))
  }

  private init(makingReadable color: (red: Int, green: Int, blue: Int)) {
    var channels = [color.red, color.green, color.blue].map(Double.init)
    // It changes in steps that are too small to see.
    let step = 0.03
    while Self.luminance(channels) < Self.readable.lowerBound {
      channels = channels.map { $0 + (255 - $0) * step + 0.5 }
    }
    while Self.luminance(channels) > Self.readable.upperBound {
      channels = channels.map { $0 * (1 - step) }
    }
    red = Self.byte(channels[0])
    green = Self.byte(channels[1])
    blue = Self.byte(channels[2])
  }

  private static func byte(_ channel: Double) -> Int { min(255, max(0, Int(channel.rounded()))) }

  /// The square approximates sRGB's curve well enough to choose a shade.
  private static func luminance(_ channels: [Double]) -> Double {
    let linear = channels.map { $0 / 255 * ($0 / 255) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// The parameters of the control sequence that turns it on; empty without colours.
  package func parameters(_ depth: ColorDepth) -> String {
    switch depth {
    case .none: ""
    case .basic: String(30 + CalendarColor(self).nearestBasic)
    case .indexed: "38;5;\(CalendarColor(self).nearestIndexed)"
    case .full: "38;2;\(red);\(green);\(blue)"
    }
  }
}
