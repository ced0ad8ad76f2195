/// What the command line asks for.
struct FetchArguments {
  var address = ""
  /// A file whose first line is the address; `-` is standard input.
  var addressPath: String?
  /// `nil` or `-` for standard output.
  var file: String?
  var limits = Transfer.Limits()
  var takesAnything = false

  enum Request {
    case fetch(FetchArguments)
    case help, manual, version
  }

  /// Reads what follows the program's name: `--option value`, `--option=value`, `--`.
  static func parse(_ arguments: [String]) throws(FetchError) -> Request {
    var parsed = FetchArguments()
    var operands: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      if argument == "--" {
        operands += rest
        break
      }
      let equals = argument.firstIndex(of: "=")
      let name = String(argument[..<(equals ?? argument.endIndex)])
      let attached = equals.map { String(argument[argument.index(after: $0)...]) }
      switch name {
      case "-h", "--help": return .help
      case "--man": return .manual
      case "--version": return .version
      case "--any":
        guard attached == nil else { throw .wrongUsage("--any takes no value") }
        parsed.takesAnything = true
      case "--url-from", "--timeout", "--max-size", "--max-redirects":
        guard let value = attached ?? rest.popFirst() else {
          throw .wrongUsage("\(name) needs a value: see agenda-fetch --help")
        }
        try parsed.take(value, for: name)
      default: throw .wrongUsage("unknown option \(name): see agenda-fetch --help")
      }
    }
    if parsed.addressPath == nil {
      guard let address = operands.first else {
        throw .wrongUsage("an address is missing: see agenda-fetch --help")
      }
      parsed.address = address
      operands.removeFirst()
    }
    guard operands.count <= 1 else {
      throw .wrongUsage("more than one file is named: see agenda-fetch --help")
    }
    parsed.file = operands.first
    return .fetch(parsed)
  }

  private mutating func take(_ value: String, for name: String) throws(FetchError) {
    switch name {
    case "--url-from": addressPath = value
    case "--timeout": limits.timeout = try Self.number(value, in: 1...3_600, name)
    case "--max-redirects": limits.redirects = try Self.number(value, in: 0...50, name)
    default:
      let units: [Character: Int] = ["k": 10, "m": 20, "g": 30]
      let shift = value.lowercased().last.flatMap { units[$0] }
      let digits = shift == nil ? value : String(value.dropLast())
      limits.size = try Self.number(digits, in: 1...(1 << 30) >> (shift ?? 0), name) << (shift ?? 0)
    }
  }

  private static func number(
    _ text: String, in range: ClosedRange<Int>, _ name: String
  ) throws(FetchError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw .wrongUsage(
        "\(name): \"\(text)\" is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
