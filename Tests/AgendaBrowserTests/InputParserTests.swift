import TestSupport
import Testing

@testable import AgendaBrowser

@Suite("keys of a terminal")
struct InputParserTests {
  private func events(_ text: String) -> [InputEvent] {
    var parser = InputParser()
    return parser.read(Array(text.utf8)) + parser.finish()
  }

  private func key(_ code: Key.Code, control: Bool = false, alt: Bool = false) -> InputEvent {
    .key(Key(code, control: control, alt: alt))
  }

  @Test("sequences of the Linux console, xterm, tmux, screen and kitty are keys")
  func sequences() {
    let cases: [(String, InputEvent)] = [
      ("a", key(.character("a"))), ("é", key(.character("é"))), ("東", key(.character("東"))),
      ("\r", key(.enter)), ("\t", key(.tab)), ("\u{7f}", key(.backspace)), ("\u{1b}", key(.escape)),
      ("\u{3}", key(.character("c"), control: true)), ("\u{1b}[A", key(.up)),
      ("\u{1b}OB", key(.down)),
      ("\u{1b}[1;5C", key(.right, control: true)), ("\u{1b}[5~", key(.pageUp)),
      ("\u{1b}[1~", key(.home)), ("\u{1b}[7~", key(.home)), ("\u{1b}OF", key(.end)),
      ("\u{1b}[[A", key(.function(1))), ("\u{1b}OP", key(.function(1))),
      ("\u{1b}[15~", key(.function(5))), ("\u{1b}[24~", key(.function(12))),
      ("\u{1b}[Z", key(.backTab)), ("\u{1b}x", key(.character("x"), alt: true)),
      ("\u{1b}[27u", key(.escape)), ("\u{1b}[115;5u", key(.character("s"), control: true)),
      ("\u{1b}[97;2u", key(.character("A"))), ("\u{1b}[13u", key(.enter)),
      ("\u{1b}[<0;5;7M", .mouse(MouseEvent(.press, column: 4, row: 6))),
      ("\u{1b}[<0;5;7m", .mouse(MouseEvent(.release, column: 4, row: 6))),
      ("\u{1b}[<32;5;7M", .mouse(MouseEvent(.drag, column: 4, row: 6))),
      ("\u{1b}[<65;1;1M", .mouse(MouseEvent(.scrollDown, column: 0, row: 0))),
      ("\u{1b}[200~a\nq\u{1b}[201~", .paste("a\nq")),
    ]
    for (text, expected) in cases {
      #expect(events(text) == [expected], "\(text.debugDescription)")
    }
  }

  @Test("a sequence that comes in pieces is the same key")
  func pieces() {
    let text = "a\u{1b}[1;5Cé\u{1b}[<0;12;34M\u{1b}[200~x\u{1b}[2y\u{1b}[201~東\u{1b}[6~"
    let bytes = Array(text.utf8)
    let expected = events(text)
    #expect(expected.count == 7)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = InputParser()
        var found = parser.read(Array(bytes[..<first]))
        found += parser.read(Array(bytes[first..<second]))
        found += parser.read(Array(bytes[second...]))
        #expect(found == expected)
      }
    }
  }

  @Test("Control-C quits also after an escape")
  func controlAfterEscape() {
    #expect(events("\u{1b}\u{3}") == [key(.escape), key(.character("c"), control: true)])
    for begun in ["\u{1b}[", "\u{1b}[[", "\u{1b}O", "\u{1b}[1;", "\u{1b}[<0;1"] {
      #expect(events(begun + "\u{3}").last == key(.character("c"), control: true), "\(begun)")
    }
  }

  @Test("any bytes are read to their end, and unknown sequences are no keys")
  func anyBytes() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<(2000 * TestSettings.rounds) {
      let count = Int.random(in: 0...20, using: &generator)
      let bytes = (0..<count).map { _ in
        Bool.random(using: &generator)
          ? Array("\u{1b}[O<;0159~uMm".utf8).randomElement(using: &generator) ?? 0
          : UInt8.random(in: 0...255, using: &generator)
      }
      var parser = InputParser()
      _ = parser.read(bytes)
      _ = parser.finish()
      #expect(!parser.isWaiting)
    }
    #expect(events("\u{1b}[999~\u{1b}[?1;2c").isEmpty)
  }

  // Checks limit: InputParser.longestSequence
  @Test("a sequence of more than 64 bytes is not waited for")
  func longSequence() {
    for count in [64, 65] {
      var parser = InputParser()
      _ = parser.read(Array("\u{1b}[".utf8) + [UInt8](repeating: 0x31, count: count - 2))
      #expect(parser.isWaiting == (count == 64))
    }
  }

  // Checks limit: InputParser.mostPasted
  @Test("65,536 bytes of a pasted text are taken")
  func longPaste() {
    for count in [65_535, 65_536, 65_537, 200_000] {
      let pasted = String(repeating: "x", count: count)
      let kept = InputEvent.paste(String(repeating: "x", count: min(count, 65_536)))
      #expect(events("\u{1b}[200~\(pasted)\u{1b}[201~a") == [kept, key(.character("a"))])
    }
  }

  // Checks limit: LineEditor.mostCharacters
  @Test("a field takes 10,000 characters")
  func longField() {
    for count in [9_999, 10_000, 10_001] {
      var editor = LineEditor(String(repeating: "é", count: count - 1))
      editor.insert("y")
      #expect(editor.text.count == min(count, 10_000))
    }
  }

  @Test("a key is read by the name that help gives it")
  func names() {
    for name in ["x", "Space", "PageUp", "Ctrl-S", "F5", "Enter", "+", "Alt-x", "Ctrl-Left", "é"] {
      #expect(Key(name).map { "\($0)" } == name)
    }
    #expect(Key("ctrl-s") == Key(.character("s"), control: true))
    #expect(Key("") == nil)
    #expect(Key("F13") == nil)
    #expect(Key("Ctrl-") == nil)
  }
}
