/// How many colours a terminal can show.
public enum ColorDepth: Hashable, Sendable {
  case none
  /// The 256 of xterm.
  case indexed
  /// Red, green and blue as they are.
  case full
}

/// A colour that can be read on a dark and on a light ground.
package struct TerminalColor: Hashable {
  /// 0 to 255.
  let red: Int
  let green: Int
  let blue: Int

  /// Relative luminance with a contrast of 3 : 1 and more against white and against black (WCAG 2.1).
  private static let readable = 0.11...0.29

  /// A colour as calendars write it: `#RRGGBB`, `#RRGGBBAA` (Apple's, the last two are opacity), or a
  /// CSS name in any letter case. It is made darker or lighter until it can be read.
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
    self.init(
      makingReadable: (Int(value >> 16 & 0xff), Int(value >> 8 & 0xff), Int(value & 0xff)))
  }

  /// One of a few colours for what has none, always the same for the same name.
  init(standingFor name: String) {
    let palette = ["#3a7bd5", "#2e8b57", "#b8651b", "#8e5bbf", "#c0475f", "#20808d", "#7d7a1e"]
    var digest: UInt32 = 0x811c_9dc5
    for byte in name.utf8 { digest = (digest ^ UInt32(byte)) &* 0x0100_0193 }
    self = TerminalColor(palette[Int(digest % UInt32(palette.count))]) ?? .gray
  }

  private static let gray = TerminalColor(makingReadable: (0x80, 0x80, 0x80))

  private init(makingReadable color: (red: Int, green: Int, blue: Int)) {
    var channels = [color.red, color.green, color.blue].map(Double.init)
    // Towards white or towards black, in steps too small to see.
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

  /// With the square for sRGB's curve, which is near enough to choose a shade by.
  private static func luminance(_ channels: [Double]) -> Double {
    let linear = channels.map { $0 / 255 * ($0 / 255) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// The parameters of the control sequence that turns it on; empty where there are no colours.
  func parameters(_ depth: ColorDepth) -> String {
    switch depth {
    case .none: ""
    case .indexed: "38;5;\(indexed)"
    case .full: "38;2;\(red);\(green);\(blue)"
    }
  }

  /// The nearest of the 6 × 6 × 6 colours from 16 on.
  private var indexed: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func nearest(_ channel: Int) -> Int {
      levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
    }
    return 16 + 36 * nearest(red) + 6 * nearest(green) + nearest(blue)
  }
}
