import AgendaCore
import AgendaRendering
import CivilTime

/// Texts that try to be more than text.
enum HostileText {
  static let samples: [String] = [
    "# heading", "- item", "1. item", "> quote", "```\ncode\n```", "---", "===",
    "| a | b |\n|---|---|",
    "<script>alert(1)</script>", "<!-- ", "-->", "&lt;b&gt; &#35; &amp", "[a](javascript:alert(1))",
    "![a](http://example.com/x.png)", "[^1]", "[a]: http://example.com",
    "**bold** __bold__ *i* _i_",
    "~~gone~~", "$x^2$", "==mark==", "%%hidden%%", "`code", "\\", "\\\\`", "a\\",
    "http://example.com/*x*",
    "<http://example.com>", "x\ty", "a\nb", "a\r\n\r\n# b", "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m", "\u{90}q\u{9c}", "\u{202e}txt.exe", "\u{2066}a\u{2069}", "\u{200f}\u{200e}\u{61c}",
    "\u{feff}bom", "\u{2028}line\u{2029}", "\u{e0041}\u{e0042}tags", "nul\u{0}nul", "\u{7f}\u{8}",
    "\"quoted\" 'and' \"", "{\"a\":1}", ",\"x\":1}", "a\\u0000b", "\u{85}next", "*", "_", "[", "]",
    "(", ")",
    "!", "![", "](", "+ x", "* x", "\u{a0} \u{3000}", "👩‍👩‍👧‍👦 🏴\u{e0067}\u{e007f}",
    "e\u{301}\u{301}\u{301}",
    "日本語のとても長い題名", "لقاء مع أنا", "", " ", String(repeating: "x", count: 300),
  ]

  /// Some of them, one after the other.
  static func random(using generator: inout some RandomNumberGenerator) -> String {
    (0..<Int.random(in: 0...3, using: &generator))
      .map { _ in samples.randomElement(using: &generator) ?? "" }
      .joined(separator: [" ", "", "\n"].randomElement(using: &generator) ?? "")
  }

  /// Whether a terminal would act on a scalar instead of showing it, by a separate list.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: return scalar != "\n" && scalar != "\t"
    case .lineSeparator, .paragraphSeparator: return true
    case .format:
      // Joiners make pictures and Persian words, and tags contain a flag's region.
      return scalar != "\u{200d}" && scalar != "\u{200c}"
        && !(0xe0020...0xe007f).contains(scalar.value)
        && !scalar.isPrepended
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// Arabic, Syriac and Kaithi signs before numbers, which are shown.
  fileprivate var isPrepended: Bool {
    switch value {
    case 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: true
    default: false
    }
  }
}
