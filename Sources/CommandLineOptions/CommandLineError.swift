/// An error in a command line. It is thrown before anything is done.
package enum CommandLineError: Error, Equatable {
  case unknownCommand(String, nearest: String?, program: String, defaultCommand: String)
  case unknownOption(String, nearest: String?, command: String)
  case optionOfOtherCommand(String, command: String, other: String)
  case missingValue(option: String, valueName: String)
  case unexpectedValue(option: String)
  case wrongValue(option: String, objection: String)
  case conflict(String, String)
  case missingOperand(String, command: String)
  case unexpectedOperand(String, command: String)
  case wrongOperand(String, objection: String)
}

extension CommandLineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownCommand(let name, let nearest, let program, let defaultCommand):
      if let nearest { return "unknown command \"\(name)\"; did you mean \(nearest)?" }
      if name == "-" || name.contains(where: { $0 == "." || $0 == "/" || $0 == ":" }) {
        return
          "unknown command \"\(name)\"; to show a file, run \(program) \(defaultCommand) \(name)"
      }
      return "unknown command \"\(name)\"; \(program) help lists all commands"
    case .unknownOption(let name, let nearest, let command):
      if let nearest { return "unknown option \(name); did you mean \(nearest)?" }
      return "unknown option \(name); \(command) --help lists all options"
    case .optionOfOtherCommand(let name, let command, let other):
      return "\(command) does not have the option \(name); \(other) has it"
    case .missingValue(let option, let valueName):
      return "\(option): missing value; write \(option) \(valueName)"
    case .unexpectedValue(let option):
      return "\(option): this option does not take a value"
    case .wrongValue(let option, let objection):
      return "\(option): \(objection)"
    case .conflict(let first, let second):
      return "\(first) and \(second) cannot be used together"
    case .missingOperand(let name, let command):
      return "missing \(name); see \(command) --help"
    case .unexpectedOperand(let text, let command):
      return "unexpected argument \"\(text)\"; see \(command) --help"
    case .wrongOperand(let name, let objection):
      return "\(name): \(objection)"
    }
  }
}
