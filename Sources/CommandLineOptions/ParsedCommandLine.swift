/// The command line for one command: options with their values, and operands. The declarations
/// allow each of them, and none is interpreted yet.
package struct ParsedCommandLine: Sendable {
  package let command: Command
  package var operands: [String] = []
  /// The values by option name; a flag has the empty one.
  private var values: [String: [String]] = [:]
  /// Where a configuration has the values that are its defaults.
  private var origins: [String: [String]] = [:]
  /// Flags taken back by `--no-…` on the command line.
  private var refusedFlags: Set<String> = []

  package init(command: Command) { self.command = command }

  /// Whether the flag is set, or the option has a value.
  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// The last value given.
  package func value(of option: Option) -> String? { values[option.name]?.last }

  package func values(of option: Option) -> [String] { values[option.name] ?? [] }

  /// The values on the command line; empty if the configuration set them.
  package func typedValues(of option: Option) -> [String] {
    origins[option.name] == nil ? values(of: option) : []
  }

  /// Whether it was given on the command line itself.
  package func isTyped(_ option: Option) -> Bool {
    has(option) && origins[option.name] == nil
  }

  /// Where the configuration has this value, by default the one that counts: `config:3`. `nil` if the value was
  /// typed.
  package func origin(of option: Option, _ value: String? = nil) -> String? {
    guard let origins = origins[option.name], let value else { return origins[option.name]?.last }
    return values(of: option).lastIndex(of: value).map { origins[$0] }
  }

  /// The options on the command line and their values, as arguments that mean the same.
  package var typedOptions: [String] {
    command.options.flatMap { option in
      if refusedFlags.contains(option.name) { return ["--no-\(option.name)"] }
      guard isTyped(option) else { return [String]() }
      guard option.value != nil else { return [option.spelling] }
      return values(of: option).flatMap {
        $0.hasPrefix("-") ? ["\(option.spelling)=\($0)"] : [option.spelling, $0]
      }
    }
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

  package mutating func add(_ value: String, for option: Option) throws(CommandLineError) {
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
  /// `no`, `true` or `false`. `origin` is where the configuration has the default.
  package mutating func adopt(
    _ defaults: [(option: Option, value: String, origin: String)]
  ) throws(RejectedDefault) {
    let typed = self
    for (option, value, origin) in defaults {
      if typed.has(option) || typed.refusedFlags.contains(option.name) { continue }
      if typed.rival(of: option) != nil { continue }
      do throws(CommandLineError) {
        try adopt(value, for: option)
        let known = option.isRepeatable ? origins[option.name] ?? [] : []
        origins[option.name] = has(option) ? known + [origin] : nil
      } catch {
        throw RejectedDefault(origin: origin, reason: error)
      }
    }
  }

  /// A default that cannot be used, and the reason.
  package struct RejectedDefault: Error {
    package let origin: String
    package let reason: CommandLineError
  }

  private mutating func adopt(_ value: String, for option: Option) throws(CommandLineError) {
    if let objection = option.objection(toDefault: value) {
      throw .wrongValue(option: option.spelling, objection: objection)
    }
    guard option.value == nil else { return try add(value, for: option) }
    if Option.isYes(value) { try add("", for: option) } else { values[option.name] = nil }
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
