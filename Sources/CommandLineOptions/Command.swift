/// The declaration of a command: how users type it, without its code.
package struct Command: Sendable {
  package let name: String
  /// One line without a full stop, in lower case.
  package let summary: String
  /// Paragraphs that help and the manual page show below the summary.
  package let discussion: [String]
  package let operands: [Operand]
  package let options: [Option]
  package let examples: [Example]
  /// The heading under which the program's help lists it.
  package let group: String

  package init(
    _ name: String, summary: String, discussion: [String] = [], operands: [Operand] = [],
    options: [Option] = [], examples: [Example] = [], group: String = "Commands"
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.options = options
    self.examples = examples
    self.group = group
  }

  /// A command line and its purpose.
  package struct Example: Sendable {
    package let line: String
    package let meaning: String

    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The options that help and completions list; rarely needed ones are last.
  package var visibleOptions: [Option] {
    let visible = options.filter { !$0.isHidden }
    return visible.filter { $0.group != Option.rareGroup }
      + visible.filter { $0.group == Option.rareGroup }
  }

  package func option(named name: String) -> Option? { options.first { $0.name == name } }
}

/// An argument that is not an option.
package struct Operand: Sendable {
  package let value: Value
  package let help: String
  package let isOptional: Bool
  /// Only the last one may repeat.
  package let isRepeatable: Bool

  package init(_ value: Value, help: String, isOptional: Bool = false, isRepeatable: Bool = false) {
    self.value = value
    self.help = help
    self.isOptional = isOptional
    self.isRepeatable = isRepeatable
  }

  /// `[SOURCE…]`, as a usage line writes it.
  package var usage: String {
    let name = isRepeatable ? "\(value.name)…" : value.name
    return isOptional ? "[\(name)]" : name
  }
}
