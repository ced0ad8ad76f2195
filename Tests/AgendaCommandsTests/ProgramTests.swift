import AgendaCore
import Platform
import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

@Suite("program")
struct ProgramTests {
  @Test("the version, from one place")
  func version() {
    let run = InMemoryRun(["--version"])
    #expect(run.status == .done)
    #expect(run.output == "agenda \(agendaVersion)\n")
    #expect(run.errors == "")
  }

  @Test("every command has help, a manual page and a summary")
  func help() {
    for command in AgendaCommand.all.map(\.declaration) {
      let run = InMemoryRun(["help", command.name])
      #expect(run.status == .done)
      #expect(run.output.contains("agenda \(command.name) - \(command.summary)".prefix(60)))
      #expect(InMemoryRun([command.name, "--help"]).output == run.output)
      #expect(InMemoryRun(["help", "--man", command.name]).output.hasPrefix(".Dd "))
      #expect(!command.summary.hasSuffix("."))
    }
    #expect(InMemoryRun(["help"]).output == InMemoryRun(["--help"]).output)
  }

  @Test("one name is one option: short name and value are the same in all commands that have it")
  func consistentOptions() {
    var takesValue: [String: Bool] = [:]
    for command in AgendaCommand.all.map(\.declaration) {
      var letters: Set<Character> = []
      var names: Set<String> = []
      for option in command.options + Program.universalOptions {
        #expect(names.insert(option.name).inserted, "\(command.name) \(option.spelling)")
        if let letter = option.shortName {
          #expect(letters.insert(letter).inserted, "\(command.name) -\(letter)")
        }
        // A reply goes to the organizer: its `--mail` takes no address. `--only` chooses one occurrence of
        // a series, and calendars of a server by their names.
        if command.name == "reply", option.name == "mail" { continue }
        if command.name == "import", option.name == "only" { continue }
        let known = takesValue.updateValue(option.value != nil, forKey: option.name)
        #expect(known == nil || known == (option.value != nil), "\(option.spelling)")
        #expect(!option.help.hasSuffix("."), "\(option.spelling)")
      }
      for operand in command.operands.dropLast() { #expect(!operand.isRepeatable) }
    }
  }

  @Test("a wrong command line gives status 2 and no standard output")
  func wrongCommandLines() {
    for arguments in [["--bogus"], ["bogus"], ["help", "bogus"], ["completions"]] {
      let run = InMemoryRun(arguments)
      #expect(run.status == .wrongCommandLine)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("agenda: "))
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("no control character of an argument reaches standard error")
  func hostileArguments() {
    let run = InMemoryRun(["\u{1b}]0;x\u{7}\u{202e}\n\u{85}"])
    let line = run.errors.dropLast()
    #expect(!line.unicodeScalars.contains { $0.value < 32 || (127..<160).contains($0.value) })
    #expect(!line.unicodeScalars.contains("\u{202e}"))
  }

  @Test("a reader that has gone away ends it quietly, a full disk does not")
  func failingOutput() {
    let gone = InMemoryRun(["--version"], outputFailure: .readerHasGone)
    #expect(gone.status == .done)
    #expect(gone.errors == "")
    let full = InMemoryRun(["--version"], outputFailure: .failed("No space left on device"))
    #expect(full.status == .failed)
    #expect(full.errors == "agenda: cannot write to standard output: No space left on device\n")
  }
}
