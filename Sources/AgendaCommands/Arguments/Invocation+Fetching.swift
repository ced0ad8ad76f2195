internal import AgendaCore
internal import AgendaKit
internal import CommandLineOptions
internal import Phrases
internal import Platform

extension Invocation {
  /// `--timeout`, `--max-size`, `--cacert` and `--password-command`.
  func fetchSettings() throws(CommandError) -> FetchSettings {
    var settings = FetchSettings()
    settings.timeout = line.number(of: Options.timeout)
    if let text = line.value(of: Options.maxSize) {
      guard let bytes = Value.byteCount(text) else {
        throw .wrongValue(
          Options.maxSize, "expected a size from 1 to 1G, such as 64M, got \"\(text)\"")
      }
      settings.maxSize = bytes
    }
    if let path = line.value(of: Options.certificates) {
      do throws(SystemError) {
        // `refresh` may run in another folder.
        settings.certificates = try resolvedPath(path)
      } catch {
        throw .wrongValue(Options.certificates, "\(path): \(error)")
      }
    }
    if let command = line.value(of: Options.passwordCommand) {
      guard !command.isEmpty else {
        throw .wrongValue(Options.passwordCommand, "expected a command, got an empty one")
      }
      settings.passwordCommand = command
    }
    return settings
  }

  /// `--user`, `--token-command`, `--only` and `--trust`.
  func addServerSettings(to settings: inout FetchSettings) throws(CommandError) {
    func filled(_ option: Option) throws(CommandError) -> [String] {
      let values = line.values(of: option)
      guard !values.contains("") else {
        throw .wrongUsage("\(option.spelling): expected a value, got an empty one")
      }
      return values
    }
    settings.user = try filled(Options.user).last
    settings.tokenCommand = try filled(Options.tokenCommand).last
    if settings.tokenCommand != nil, settings.passwordCommand != nil {
      throw .wrongUsage("--token-command and --password-command cannot be used together")
    }
    let origins = try filled(Options.trust)
    for origin in origins {
      guard case .url(let url) = Source(origin), ["https", "http"].contains(url.scheme) else {
        throw .wrongUsage(
          "--trust: expected an origin such as https://p42.example.com, got \"\(origin)\"")
      }
      settings.trustedOrigins.append("\(url.scheme)://\(url.origin)")
    }
    let names = try filled(Options.onlyCalendar)
    settings.chosenCalendars = names.isEmpty ? nil : names
  }

  /// The sources of these names and those of `--url-from`.
  func sources(_ names: [String]) throws(CommandError) -> [Source] {
    var sources = try names.map { (text) throws(CommandError) -> Source in
      try Self.refuse(unsupported: text)
      return text == "-" ? .standardInput : Source(text)
    }
    for path in line.values(of: Options.addressesFrom) {
      sources += try Self.addresses(in: try addresses(from: path), place: "--url-from: \(path)")
    }
    return sources
  }

  /// Throws for a scheme that is not supported. The rest of an address can be a secret.
  private static func refuse(unsupported text: String, place: String = "") throws(CommandError) {
    guard let scheme = Source.unsupportedScheme(of: text) else { return }
    if Source.schemes.contains(scheme) {
      throw .wrongUsage(
        "\(place)\(scheme): expected // after the colon, as in \(scheme)://example.com/work.ics")
    }
    throw .wrongUsage(
      "\(place)\(scheme): addresses are not supported; use https, http or webcal")
  }

  /// One address per line.
  private static func addresses(
    in text: String, place: String
  ) throws(CommandError) -> [Source] {
    var sources: [Source] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let address = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
      if address.isEmpty || address.first == "#" { continue }
      try refuse(unsupported: String(address), place: "\(place):\(index + 1): ")
      guard case .url(let url) = Source(String(address)) else {
        throw .wrongUsage(
          "\(place):\(index + 1): expected an address that begins with https, http or webcal; "
            + "name files and folders on the command line")
      }
      sources.append(.url(url))
    }
    guard !sources.isEmpty else {
      throw .wrongUsage("\(place): the list is empty; expected one address per line")
    }
    return sources
  }

  private func addresses(from path: String) throws(CommandError) -> String {
    if path == "-" {
      guard let bytes = FileDescriptor.standardInput.readAll(atMost: Self.largestList) else {
        throw .failed("--url-from: cannot read standard input")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    switch TextFile.read(path, atMost: Self.largestList, acceptsPipe: true) {
    case .text(let text): return text
    case .absent: throw .failed("--url-from: \(path): No such file or directory")
    case .failed(let reason): throw .failed("--url-from: \(path): \(reason)")
    }
  }

  /// Twenty thousand addresses, far more than anybody subscribes to.
  private static let largestList = 1 << 20

  /// `--stale`.
  func staleAge(_ option: Option) throws(CommandError) -> Age? {
    guard let text = line.value(of: option) else { return nil }
    guard let length = LengthText(text) else {
      throw .wrongValue(Options.staleWarning, "expected a length such as 6h or 2d, got \"\(text)\"")
    }
    return Age(seconds: length.days * 24 * 60 * 60 + length.seconds, text: text)
  }
}

/// The greatest age of something.
struct Age {
  let seconds: Int
  /// The text on the command line.
  let text: String
}
