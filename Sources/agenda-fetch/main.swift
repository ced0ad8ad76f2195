internal import Processes

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Fetches what the arguments ask for.
func fetch(_ arguments: FetchArguments) throws(FetchError) {
  var text = arguments.address
  if let path = arguments.addressPath { text = try StandardStream.firstLine(of: path) }
  let address = try RemoteAddress(text)
  do throws(FetchError) {
    let path = arguments.file == "-" ? nil : arguments.file
    var file: FetchedFile?
    if let path { file = try FetchedFile(path) }
    let transfer = Transfer(address: address, limits: arguments.limits)
    let known = file?.validators(for: address) ?? Validators()
    guard case .body(let body, let validators) = try transfer.perform(CurlLibrary(), knowing: known)
    else { return }
    if !arguments.takesAnything { try CalendarLook(body).check() }
    if let file {
      try file.replace(with: body, validators: validators, from: address)
    } else if let reason = StandardStream.write(body, to: 1) {
      throw .file("standard output", reason: reason)
    }
  } catch {
    if case .file = error { throw error }
    throw .transfer("\(address.displayName): \(error)")
  }
}

func say(_ text: String) throws(FetchError) {
  if let reason = StandardStream.write(Array(text.utf8), to: 1) {
    throw .file("standard output", reason: reason)
  }
}

func run() -> Int32 {
  FileDescriptor.holdStandardDescriptors()
  FileDescriptor.ignoreBrokenPipes()
  let output = FileDescriptor.standardOutput
  do throws(FetchError) {
    let width = output.isTerminal ? output.columns ?? usualWidth : usualWidth
    switch try FetchArguments.parse(Array(CommandLine.arguments.dropFirst()), width: width) {
    case .fetch(let arguments): try fetch(arguments)
    case .text(let text): try say(text)
    case .version: try say("agenda-fetch \(agendaVersion), \(CurlLibrary().version)\n")
    }
    return 0
  } catch {
    StandardStream.complain("\(error)")
    if case .wrongUsage = error { return 2 }
    return 1
  }
}

/// Of text for people, where there is no terminal.
let usualWidth = 80

exit(run())
