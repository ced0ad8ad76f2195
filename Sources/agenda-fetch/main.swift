internal import CCurl
internal import FetchProtocol
internal import Platform

/// Columns of help without a terminal.
let defaultWidth = 80

let trust = Trust(variable: RunningProgram.variable)

/// Downloads one address to a file or to standard output.
func fetch(_ arguments: FetchArguments) throws(FetchError) {
  var text = arguments.address
  if let path = arguments.addressPath { text = try StandardStream.firstLine(of: path) }
  let address: RemoteAddress
  do throws(FetchFailure) {
    address = try RemoteAddress(text)
  } catch {
    throw .wrongUsage("\(error)")
  }
  let path = arguments.file == "-" ? nil : arguments.file
  var file: FetchedFile?
  if let path { file = try FetchedFile(path) }
  var request = FetchRequest(number: 0, address: text, limits: arguments.limits)
  request.validators = file?.validators(for: address) ?? FetchValidators()
  request.certificates = arguments.certificates
  let downloads: Downloads
  do throws(FetchFailure) {
    downloads = try Downloads(jobs: 1) { request throws(FetchFailure) in
      try Transfer(
        request, trust: trust, mostRedirects: arguments.mostRedirects,
        takesAnything: arguments.takesAnything)
    }
  } catch {
    throw .failed(error, at: address.displayName)
  }
  try downloads.run([request]) { answer throws(FetchError) in
    switch answer.outcome {
    case .unchanged: break
    case .failed(let failure): throw .failed(failure, at: address.displayName)
    case .content(let body):
      if let file {
        try file.replace(with: body, validators: answer.validators, from: address)
      } else {
        try print(body)
      }
    }
  }
}

/// Answers all requests on standard input, each as soon as it is complete.
func answerRequests(jobs: Int, mostRedirects: Int) throws(FetchError) {
  let requests = try readRequests()
  let downloads: Downloads
  do throws(FetchFailure) {
    downloads = try Downloads(jobs: jobs) { request throws(FetchFailure) in
      try Transfer(
        request, trust: trust, mostRedirects: mostRedirects, takesAnything: false)
    }
  } catch {
    throw .failed(error, at: "libcurl")
  }
  let queue = AnswerQueue()
  try downloads.run(requests, sending: queue) { answer throws(FetchError) in
    try queue.add(answer.message)
  }
  try queue.finish()
}

/// Answers requests about the calendars of a CalDAV server until standard input ends.
func answerServerRequests() throws(FetchError) {
  let run: ServerRun
  do throws(FetchFailure) { run = try ServerRun(trust: trust) } catch {
    throw .failed(error, at: "libcurl")
  }
  try run.run()
}

func readRequests() throws(FetchError) -> [FetchRequest] {
  var reader = FetchMessageReader()
  var requests: [FetchRequest] = []
  while true {
    let chunk: [UInt8]
    do throws(SystemError) {
      chunk = try OpenFile(borrowing: 0).bytes(atMost: 1 << 16)
    } catch {
      throw .file("standard input", reason: "\(error)")
    }
    if chunk.isEmpty { break }
    reader.append(chunk[...])
    do throws(FetchMessageReader.Malformed) {
      while let message = try reader.next() {
        guard let request = FetchRequest(message) else { throw FetchMessageReader.Malformed() }
        requests.append(request)
      }
    } catch {
      throw .malformedRequests
    }
  }
  guard reader.isAtBoundary else { throw .malformedRequests }
  return requests
}

func print(_ bytes: [UInt8]) throws(FetchError) {
  if let reason = StandardStream.write(bytes, to: 1) {
    throw .file("standard output", reason: reason)
  }
}

func run() -> Int32 {
  FileDescriptor.holdStandardDescriptors()
  FileDescriptor.ignoreBrokenPipes()
  let output = FileDescriptor.standardOutput
  do throws(FetchError) {
    let width = output.isTerminal ? output.columns ?? defaultWidth : defaultWidth
    let task = try FetchArguments.parse(Array(CommandLine.arguments.dropFirst()), width: width)
    guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      throw .failed(FetchFailure("libcurl cannot start"), at: "libcurl")
    }
    switch task {
    case .fetch(let arguments): try fetch(arguments)
    case .batch(let jobs, let redirects):
      try answerRequests(jobs: jobs, mostRedirects: redirects)
    case .server: try answerServerRequests()
    case .text(let text): try print(Array(text.utf8))
    case .version:
      try print(
        Array("agenda-fetch \(agendaVersion), \(String(cString: curl_version()))\n".utf8))
    }
    return 0
  } catch {
    StandardStream.complain("\(error)")
    if case .wrongUsage = error { return 2 }
    return 1
  }
}

RunningProgram.exit(run())
