import CommandLineOptions
import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// What a reader meets who has never seen the program: its help and its messages.
@Suite("help and messages")
struct HelpTests {
  private static let commands = Program.agenda.commands

  @Test("every command explains its examples", arguments: commands.map(\.name))
  func examples(name: String) throws {
    let command = try #require(Self.commands.first { $0.name == name })
    #expect(!command.examples.isEmpty)
    for example in command.examples {
      #expect(!example.meaning.isEmpty, "\(example.line)")
      #expect(example.line.contains("agenda "), "\(example.line)")
    }
  }

  @Test("-h is one screen: examples, and the names of all options that are not rare")
  func oneScreen() {
    for command in [nil] + Self.commands {
      let help = InMemoryRun((command.map { [$0.name] } ?? []) + ["-h"]).output
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count < 24 && lines.allSatisfy { $0.count <= 80 }, "\(help)")
      #expect(help.contains("\n\nExamples:\n  "), "\(help)")
      for option in command?.visibleOptions ?? [] where option.group != Option.rareGroup {
        #expect(help.contains(option.spelling), "\(option.spelling)\n\(help)")
      }
    }
    for command in Self.commands {
      #expect(InMemoryRun(["-h"]).output.contains(" \(command.name)"))
    }
  }

  @Test("help begins with examples; that of the program has four and names the Cookbook")
  func beginsWithExamples() {
    for command in Self.commands {
      let help = InMemoryRun(["help", command.name]).output
      let head = help.prefix { !$0.isNewline }
      #expect(head.hasPrefix("agenda \(command.name) - "))
      let paragraphs = help.split(separator: "\n\n")
      #expect(paragraphs[1].hasPrefix("Examples:\n"), "\(help)")
      #expect(InMemoryRun([command.name, "--help"]).output == help)
    }
    let help = InMemoryRun(["help"]).output
    #expect(help.matches(of: #/\n    agenda.*\n        /#).count == 4)
    #expect(help.contains("The Cookbook (Docs/Cookbook.md"))
  }

  @Test("--now is listed under \"More options\" in every command, after what more people need")
  func rareOptions() throws {
    for command in Self.commands where command.option(named: "now") != nil {
      let help = InMemoryRun([command.name, "--help"]).output
      let heading = try #require(help.firstRange(of: "\nMore options:\n"), "\(command.name)")
      let option = try #require(help.firstRange(of: " --now "), "\(command.name)")
      let last = try #require(help.firstRange(of: "\nGeneral:\n"), "\(command.name)")
      #expect(heading.upperBound < option.lowerBound, "\(command.name)")
      #expect(option.upperBound < last.lowerBound, "\(command.name)")
      let between = help[heading.upperBound..<last.lowerBound]
      #expect(!between.contains(/\n[A-Z][a-z ]*:\n/), "\(command.name)")
    }
  }

  @Test("the help of --allow-shrink gives the limits, and its exception for small calendars")
  func shrinkGuard() {
    let help = InMemoryRun(["import", "--help"]).output.split(separator: " ").joined(separator: " ")
    for text in ["more than half of them", "had 10 events or fewer", "may lose more than half"] {
      #expect(help.contains(text), "\(text)")
    }
  }

  /// Words and turns that make people read a sentence twice.
  private static let unusual = [
    "is no ", "are none", "tells", "stands in", "beside", "nobody",
    "where there is no",
    "was given", "takes away", "found out", "so many", "habits of", "say how", "say what",
    "say why",
  ]

  @Test("help and manual pages use everyday words", arguments: commands.map(\.name) + [""])
  func words(name: String) {
    let page = InMemoryRun(["help"] + (name.isEmpty ? [] : [name])).output
    let text = page.split { $0.isWhitespace }.joined(separator: " ")
    for phrase in Self.unusual { #expect(!text.contains(phrase), "\(phrase)") }
  }

  /// Sentences of more than 25 words are hard to follow.
  @Test("sentences in help are short", arguments: commands.map(\.name))
  func sentences(name: String) throws {
    let command = try #require(Self.commands.first { $0.name == name })
    for text in command.discussion + [command.summary] + command.options.map(\.help) {
      for sentence in text.split(separator: #/[.;:] /#) {
        #expect(sentence.split(separator: " ").count <= 25, "\(sentence)")
      }
    }
  }

  /// All messages about a wrong command line, as the sources spell them.
  /// `namesOption`: the message begins with the name of the option.
  private static func usageMessages() throws -> [(
    file: String, text: String, namesOption: Bool
  )] {
    let sources = Repository.root.appendingPathComponent("Sources/AgendaCommands")
    let message =
      /wrong(Usage|Value)\(\s*(?:(?:Options\.\w+|option),\s*)?((?:"(?:[^"\\]|\\.)*"[\s+]*)+)/
    var messages: [(String, String, Bool)] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
    where name.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
      for match in text.matches(of: message) {
        messages.append((name, String(match.2), match.1 == "Value"))
      }
    }
    return messages
  }

  @Test("every message about a wrong command line names its place and a way out")
  func messages() throws {
    let messages = try Self.usageMessages()
    try #require(messages.count > 30)
    // Some only pass on the message of a module below, or end with a hint.
    for (file, text, namesOption) in messages where !text.contains(/^"\\\(error\)"|hint\)"/) {
      let namesPlace = namesOption || text.contains(/--|[A-Z]{2,}|\\\(/)
      let helps = text.contains(
        /expected|missing|needs|choose|use |such as|like |must be|cannot be used|can only be used|would|;|contains a|: \\\(/
      )
      #expect(namesPlace && helps, "\(file): \(text)")
      for phrase in Self.unusual { #expect(!text.contains(phrase), "\(file): \(text)") }
    }
  }
}
