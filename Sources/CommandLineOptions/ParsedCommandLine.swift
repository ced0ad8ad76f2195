/// The command line for one command: options with their values, and operands. The declarations
/// allow each of them, and none is interpreted yet.
package struct ParsedCommandLine: Sendable {
  package let command: Command
  package internal(set) var operands: [String] = []
  /// The values by option name; a flag has the empty one.
  private var values: [String: [String]] = [:]
  /// Options whose values are defaults of a configuration.
  private var adopted: Set<String> = []
  /// Flags taken back by `--no-…`.
  private var refusedFlags: Set<String> = []

  package init(command: Command) { self.command = command }

  /// Whether the flag is set, or the option has a value.
  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// The last value given.
  package func value(of option: Option) -> String? { values[option.name]?.last }

  package func values(of option: Option) -> [String] { values[option.name] ?? [] }

  /// The values on the command line; empty if the configuration set them.
  package func typedValues(of option: Option) -> [String] {
    adopted.contains(option.name) ? [] : values(of: option)
  }

  /// Whether it was given on the command line itself.
  package func isTyped(_ option: Option) -> Bool {
    has(option) && !adopted.contains(option.name)
  }

  /// The value of an option whose kind is a number.
  package func number(of option: Option) -> Int? { value(of: option).flatMap(Value.number) }

  /// The spelling and the kind of value of the option or operand that an argument belongs to; `nil` if it
  /// is the value of none.
  package func declaration(ofArgument argument: String) -> (name: String, value: Value)? {
    for option in command.options {
      guard let declared = option.value else { continue }
      let isOwn = typedValues(of: option).contains { value in
        argument == value || !value.isEmpty && argument.hasPrefix("-") && argument.hasSuffix(value)
      }
      if isOwn { return (option.spelling, declared) }
    }
    guard let place = operands.firstIndex(of: argument), let last = command.operands.last else {
      return nil
    }
    let operand = place < command.operands.count ? command.operands[place] : last
    return (operand.value.name, operand.value)
  }

  mutating func add(_ value: String, for option: Option) throws(CommandLineError) {
    if let objection = option.value?.objection(to: value) {
      throw .wrongValue(option: option.spelling, objection: objection)
    }
    if let rival = rival(of: option) { throw .conflict(rival.spelling, option.spelling) }
    refusedFlags.remove(option.name)
    if option.isRepeatable {
      values[option.name, default: []].append(value)
    } else {
      values[option.name] = [value]
    }
  }

  mutating func refuse(_ flag: Option) {
    values[flag.name] = nil
    refusedFlags.insert(flag.name)
  }

  /// Another option of the same exclusive set that has been given.
  private func rival(of option: Option) -> Option? {
    guard let set = option.exclusiveSet else { return nil }
    return command.options.first {
      $0.exclusiveSet == set && $0.name != option.name && values[$0.name] != nil
    }
  }

  /// Sets defaults from a configuration for options that are not on the command line. An option on
  /// the command line of the same exclusive set removes a default. The default of a flag is `yes`,
  /// `no`, `true` or `false`.
  package mutating func adopt(_ defaults: [(option: Option, value: String)])
    throws(RejectedDefault)
  {
    let typed = self
    for (index, (option, value)) in defaults.enumerated() {
      if typed.has(option) || typed.refusedFlags.contains(option.name) { continue }
      if typed.rival(of: option) != nil { continue }
      do throws(CommandLineError) {
        try adopt(value, for: option)
        adopted.insert(option.name)
      } catch {
        throw RejectedDefault(index: index, reason: error)
      }
    }
  }

  /// A default that cannot be used, and the reason.
  package struct RejectedDefault: Error {
    package let index: Int
    package let reason: CommandLineError
  }

  private mutating func adopt(_ value: String, for option: Option) throws(CommandLineError) {
    guard option.value == nil else { return try add(value, for: option) }
    switch value {
    case "yes", "true": try add("", for: option)
    case "no", "false": refuse(option)
    default:
      throw .wrongValue(option: option.spelling, objection: "expected yes or no, got \"\(value)\"")
    }
  }

  /// Throws if operands are missing, or if there are more than are declared.
  func checkOperands(call name: String) throws(CommandLineError) {
    let declared = command.operands
    let required = declared.filter { !$0.isOptional }
    if operands.count < required.count {
      throw .missingOperand(required[operands.count].value.name, command: name)
    }
    if !(declared.last?.isRepeatable ?? false), operands.count > declared.count {
      throw .unexpectedOperand(operands[declared.count], command: name)
    }
    for (operand, text) in zip(declared, operands) {
      if let objection = operand.value.objection(to: text) {
        throw .wrongOperand(operand.value.name, objection: objection)
      }
    }
  }
}
