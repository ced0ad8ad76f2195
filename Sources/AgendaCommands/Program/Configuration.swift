internal import CommandLineOptions

/// The configuration file, with one `option = value` per line and the names of the long options.
/// Empty lines and lines that begin with `#` are ignored.
struct Configuration {
  let path: String
  let lines: [Line]

  struct Line: Equatable {
    let number: Int
    let name: String
    let value: String
  }

  /// `nil` if the file is missing.
  static func read(by environment: Environment) throws(CommandError) -> Configuration? {
    guard let path = environment.configurationPath else { return nil }
    let text: String
    switch TextFile.read(path, atMost: maximumBytes) {
    case .text(let found): text = found
    case .absent: return nil
    case .failed(let reason): throw .wrongUsage("\(path): \(reason)")
    }
    return try Configuration(path: path, text: text)
  }

  init(path: String, text: String) throws(CommandError) {
    var lines: [Line] = []
    for (index, raw) in Self.lines(of: text).enumerated() {
      let line = raw.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else {
        throw .wrongUsage(
          "\(path):\(index + 1): expected option = value, such as timezone = Europe/Berlin")
      }
      let name = line[..<equals].trimmed
      var value = line[line.index(after: equals)...].trimmed
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = String(value.dropFirst().dropLast())
      }
      lines.append(Line(number: index + 1, name: name, value: value))
    }
    self.path = path
    self.lines = lines
  }

  /// Sets the defaults of the command's options. A name that no command has is an error.
  func apply(
    to parsed: inout ParsedCommandLine, program: Program, environment: Environment
  ) throws(CommandError) {
    var defaults: [(option: Option, value: String, origin: String)] = []
    for line in lines {
      let origin = "\(path):\(line.number)"
      let known = program.commands.compactMap { $0.option(named: line.name) }
      if !known.isEmpty, known.allSatisfy(\.isTypedOnly) {
        throw .wrongUsage(
          "\(origin): \(line.name) cannot be set here; use --\(line.name) on the command line")
      }
      guard !known.isEmpty else {
        let options = program.commands.flatMap(\.visibleOptions).filter { !$0.isTypedOnly }
        let names = inOrder(options.map(\.name))
        let nearest = nearestName(to: line.name, among: names)
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; agenda help show lists options"
        throw .wrongUsage("\(origin): unknown option \(line.name)\(hint)")
      }
      // A command without the format ignores `format = tsv`, but no command has `format = nonsense`.
      let own = parsed.command.option(named: line.name).flatMap { $0.isTypedOnly ? nil : $0 }
      let others = known.filter { !$0.isTypedOnly }
      let objections = ([own].compactMap(\.self) + others).map {
        $0.objection(toDefault: line.value)
      }
      if let objection = objections.first ?? nil, !objections.contains(nil) {
        throw .wrongUsage("\(origin): --\(line.name): \(objection)")
      }
      guard let own, own.objection(toDefault: line.value) == nil,
        own.variable.flatMap(environment.filled) == nil
      else { continue }
      defaults.append((own, line.value, origin))
    }
    do throws(ParsedCommandLine.RejectedDefault) {
      try parsed.adopt(defaults)
    } catch {
      throw .wrongUsage("\(error.origin): \(error.reason)")
    }
  }

  /// Each with its place in the file, so empty ones too. CRLF is one character of Swift's.
  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// A larger file is not a configuration file.
  private static let maximumBytes = 1 << 20
}

extension ParsedCommandLine {
  /// An error about a value that the configuration has, with its place there; `nil` for other errors.
  func placing(_ error: CommandError) -> CommandError? {
    guard case .wrongValue(let named, _) = error, let origin = origin(of: named) else { return nil }
    return .wrongUsage("\(origin): \(error)")
  }
}

extension StringProtocol {
  /// Without blanks at either end.
  fileprivate var trimmed: String {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" || first == "\r" {
      rest.removeFirst()
    }
    while let last = rest.last, last == " " || last == "\t" || last == "\r" { rest.removeLast() }
    return String(rest)
  }
}
