/// An option of a command, declared once: parser, help, manual pages and completions come from it.
package struct Option: Sendable {
  /// The long name, without dashes: `format` for `--format`.
  package let name: String
  /// The one letter of the short form, `f` for `-f`.
  package let shortName: Character?
  /// Its value; `nil` for a flag.
  package let value: Value?
  /// One sentence without a full stop, in lower case.
  package let help: String
  /// The heading under which help lists it.
  package private(set) var group: String
  /// The default in words; `nil` without a default.
  package let defaultText: String?
  /// Whether each use adds a value; otherwise the last one counts.
  package let isRepeatable: Bool
  /// Options with the same word here exclude each other: `--to` and `--days`.
  package let exclusiveSet: String?
  /// Left out of help, manual pages and completions.
  package private(set) var isHidden: Bool
  /// Only accepted on the command line, not in a configuration: it is meant for a single call.
  package private(set) var isTypedOnly = false
  /// The variable of the environment that sets the same, which a default of a configuration does not replace.
  package private(set) var variable: String?

  package init(
    _ name: String, short shortName: Character? = nil, value: Value? = nil, help: String,
    group: String = "Options", default defaultText: String? = nil, isRepeatable: Bool = false,
    exclusiveSet: String? = nil, isHidden: Bool = false
  ) {
    self.name = name
    self.shortName = shortName
    self.value = value
    self.help = help
    self.group = group
    self.defaultText = defaultText
    self.isRepeatable = isRepeatable
    self.exclusiveSet = exclusiveSet
    self.isHidden = isHidden
  }

  /// The same, only accepted on the command line.
  package var typedOnly: Option {
    var option = self
    option.isTypedOnly = true
    return option
  }

  /// The same, with a variable of the environment that a configuration does not replace.
  package func orVariable(_ name: String) -> Option {
    var option = self
    option.variable = name
    return option
  }

  /// The heading of options that few people need. Help lists it after all others.
  package static let rareGroup = "More options"

  /// The same for a command whose users seldom need it.
  package var rarelyNeeded: Option {
    var option = self
    option.group = Self.rareGroup
    return option
  }

  /// The same for a command that accepts it, but in which it makes no difference to most people.
  package var unlisted: Option {
    var option = self
    option.isHidden = true
    return option
  }

  /// What is wrong with a default of a configuration; `nil` if it is valid. That of a flag is yes or no.
  package func objection(toDefault text: String) -> String? {
    if let value { return value.objection(to: text) }
    let isAnswer = Self.isYes(text) || ["no", "false"].contains(text)
    return isAnswer ? nil : "expected yes or no, got \"\(text)\""
  }

  static func isYes(_ text: String) -> Bool { ["yes", "true"].contains(text) }

  /// As it is typed: `--format`.
  package var spelling: String { "--\(name)" }
}

/// Options are equal if they have the same name.
extension Option: Hashable {
  package static func == (left: Option, right: Option) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
