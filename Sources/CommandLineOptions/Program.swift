/// A program of several commands with a default command, or of a single command that is never
/// typed.
package struct Program: Sendable {
  package let name: String
  package let version: String
  /// The date of this version, as manual pages write it: `November 21, 2026`.
  package let date: String
  package let summary: String
  package let discussion: [String]
  package let examples: [Command.Example]
  /// A sentence about where to read on; `nil` if there is nothing more.
  package let furtherReading: String?
  /// Further sections of its manual page: `ENVIRONMENT`, `FILES`, `EXIT STATUS`.
  package let sections: [Section]
  package let commands: [Command]
  package let defaultCommandName: String
  /// What other programs call a command, and its name here.
  package let synonyms: [String: String]
  /// Manual pages of other programs that belong to it.
  package let relatedPages: [String]

  package init(
    name: String, version: String, date: String, summary: String, discussion: [String] = [],
    examples: [Command.Example] = [], furtherReading: String? = nil,
    sections: [Section] = [], commands: [Command], defaultCommandName: String,
    synonyms: [String: String] = [:], relatedPages: [String] = []
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.furtherReading = furtherReading
    self.sections = sections
    self.commands = commands
    self.defaultCommandName = defaultCommandName
    self.synonyms = synonyms
    self.relatedPages = relatedPages
  }

  /// The command that a person probably means by a word that is not the name of a command.
  package func command(meantBy typed: String) -> String? {
    synonyms[typed] ?? nearestName(to: typed, among: commands.map(\.name))
  }

  /// A program with a single command of the same name, which is never typed.
  package init(
    version: String, date: String, sections: [Section] = [], command: Command,
    relatedPages: [String] = []
  ) {
    self.init(
      name: command.name, version: version, date: date, summary: command.summary,
      sections: sections, commands: [command], defaultCommandName: command.name,
      relatedPages: relatedPages)
  }

  /// The command of a program that does one thing.
  package var onlyCommand: Command? { name == defaultCommandName ? commands.first : nil }

  /// How the command is called: `agenda show`.
  package func call(of command: Command) -> String {
    onlyCommand == nil ? "\(name) \(command.name)" : name
  }

  /// Whether shells have to ask it for words.
  var listsWords: Bool {
    commands.contains { command in
      (command.visibleOptions.compactMap(\.value) + command.operands.map(\.value)).contains {
        if case .listed = $0.kind { true } else { false }
      }
    }
  }

  /// A heading with terms and their meanings.
  package struct Section: Sendable {
    package let title: String
    package let entries: [(term: String, meaning: String)]

    package init(_ title: String, _ entries: [(term: String, meaning: String)]) {
      self.title = title
      self.entries = entries
    }
  }

  /// Understood by every command.
  package static let helpOption = Option(
    "help", short: "h", help: "print all help; -h prints help that fits on one screen",
    group: "General")
  package static let versionOption = Option(
    "version", help: "print the version", group: "General")
  package static let universalOptions = [helpOption, versionOption]

  package func command(named name: String) -> Command? { commands.first { $0.name == name } }

  package var defaultCommand: Command? { command(named: defaultCommandName) }
}
