import CommandLineOptions
import Testing

@Suite("help")
struct HelpTextTests {
  @Test("names every option, its value, what is allowed and the default")
  func content() {
    let text = HelpText(Sample.program, width: 80).text(of: Sample.show)
    #expect(text.contains("Usage: sample show [OPTION…] [SOURCE…]\n"))
    #expect(
      text.contains(
        "  -f, --format FORMAT  how it is written: text, json, jsonl (default: text)\n"))
    #expect(text.contains("      --days N         how many days\n"))
    #expect(text.contains("only this one (repeatable)"))
    #expect(text.contains("  -h, --help"))
    #expect(!text.contains("secret"))
    #expect(text.contains("  sample show -f json\n      for programs\n"))
  }

  @Test("keeps to the width", arguments: [30, 40, 80, 100, 1000, 0])
  func width(_ width: Int) {
    let help = HelpText(Sample.program, width: width)
    let allowed = max(30, min(width, 100))
    let texts = [
      help.programText(), help.text(of: Sample.show), help.text(of: Sample.event),
      help.shortProgramText(), help.shortText(of: Sample.show),
    ]
    for text in texts {
      for line in text.split(separator: "\n") where !line.contains("Usage") {
        #expect(line.count <= allowed || line.split(separator: " ").count <= 4, "\(line)")
      }
      #expect(text.hasSuffix("\n"))
      #expect(!text.contains(" \n"))
    }
  }

  @Test("the program's help lists every command")
  func program() {
    let text = HelpText(Sample.program, width: 80).programText()
    for command in Sample.program.commands { #expect(text.contains("  \(command.name)")) }
  }

  @Test(
    "-h asks for short help, which has the names of the options and no more lines than a screen")
  func short() throws {
    for (line, isShort) in [("show -h", true), ("show --help", false), ("-fh", nil)] {
      guard let isShort else { continue }
      guard case .help(let command?, isShort: isShort) = try Sample.parse(line) else {
        Issue.record("no help: \(line)")
        continue
      }
      #expect(command.name == "show")
    }
    let text = HelpText(Sample.program, width: 80).shortText(of: Sample.show)
    #expect(
      text.contains("--format FORMAT") && text.contains("\n\nExamples:\n  sample show -f json\n"))
    #expect(!text.contains("how it is written") && !text.contains("secret"))
    #expect(text.hasSuffix("\nsample show --help explains all options.\n"))
  }
}
