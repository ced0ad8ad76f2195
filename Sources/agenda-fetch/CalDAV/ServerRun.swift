internal import CCurl
internal import FetchProtocol
internal import Platform

/// What a job does next.
enum ServerStep {
  /// Sends a request and goes on with its answer.
  case exchange(WebRequest, then: (WebAnswer) throws(FetchFailure) -> ServerStep)
  case done(ServerAnswer.Outcome)
}

/// The conversation with `agenda` about one account: it answers the requests on standard input, many at
/// once, until that ends. Connections stay open from one request to the next.
final class ServerRun {
  /// As many as browsers open to one host.
  private static let mostConnections = 8
  /// Requests that libcurl has at the same time; the rest waits here.
  private static let mostTransfers = 32

  private let multi: UnsafeMutableRawPointer
  private let trust: Trust
  private let queue = AnswerQueue()
  private var reader = FetchMessageReader()
  private var account: (login: ServerLogin, access: ServerAccess)?
  private var running: [UnsafeMutableRawPointer: Running] = [:]
  private var waiting: [Waiting] = []
  private var hasEnded = false

  private struct Running {
    let transfer: WebTransfer
    let number: Int
    let then: (WebAnswer) throws(FetchFailure) -> ServerStep
  }

  private struct Waiting {
    let number: Int
    let request: WebRequest
    let then: (WebAnswer) throws(FetchFailure) -> ServerStep
  }

  init(trust: Trust) throws(FetchFailure) {
    guard let multi = curl_multi_init() else { throw FetchFailure("libcurl cannot start") }
    self.multi = multi
    self.trust = trust
    _ = agenda_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.mostConnections)
  }

  deinit {
    for handle in running.keys { curl_multi_remove_handle(multi, handle) }
    running = [:]
    curl_multi_cleanup(multi)
  }

  func run() throws(FetchError) {
    while !hasEnded || !running.isEmpty || !waiting.isEmpty {
      // Whoever asked has gone.
      if hasEnded, queue.isFull { break }
      try start()
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      let ended = endedTransfers()
      for (handle, code) in ended { try finish(handle, code) }
      if ended.isEmpty { try wait() }
      try queue.send()
    }
    try queue.finish()
  }

  // MARK: Requests

  private func wait() throws(FetchError) {
    var descriptors: [curl_waitfd] = []
    if !hasEnded {
      descriptors.append(curl_waitfd(fd: 0, events: Int16(CURL_WAIT_POLLIN), revents: 0))
    }
    if !queue.isEmpty {
      descriptors.append(
        curl_waitfd(fd: queue.descriptor, events: Int16(CURL_WAIT_POLLOUT), revents: 0))
    }
    curl_multi_poll(multi, &descriptors, UInt32(descriptors.count), 1_000, nil)
    if !hasEnded, descriptors.first?.revents != 0 { try read() }
  }

  private func read() throws(FetchError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let size = chunk.count
    let count: Int
    do throws(SystemError) {
      var failure: SystemError?
      count = chunk.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        do throws(SystemError) {
          return try OpenFile(borrowing: 0).read(into: start, count: size)
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
    } catch {
      throw .file("standard input", reason: "\(error)")
    }
    if count == 0 { hasEnded = true }
    reader.append(chunk[..<count])
    do throws(FetchMessageReader.Malformed) {
      while let message = try reader.next() { try take(message) }
    } catch {
      throw .malformedRequests
    }
  }

  private func take(_ message: FetchMessage) throws(FetchMessageReader.Malformed) {
    if let login = ServerLogin(message) {
      account = (login, ServerAccess(login))
      return
    }
    guard let request = ServerRequest(message), let account else {
      throw FetchMessageReader.Malformed()
    }
    do throws(FetchFailure) {
      try go(on: try ServerJob(account.access).begin(request.job), request.number)
    } catch {
      reply(request.number, .failed(error))
    }
  }

  private func go(on step: ServerStep, _ number: Int) throws(FetchFailure) {
    switch step {
    case .done(let outcome): reply(number, outcome)
    case .exchange(let request, let then):
      waiting.append(Waiting(number: number, request: request, then: then))
    }
  }

  private func reply(_ number: Int, _ outcome: ServerAnswer.Outcome) {
    // A failure to write ends the program at the next call.
    try? queue.add(ServerAnswer(number: number, outcome: outcome).message)
  }

  // MARK: Transfers

  private func start() throws(FetchError) {
    guard !queue.isFull, let account else { return }
    while running.count < Self.mostTransfers, !waiting.isEmpty {
      let next = waiting.removeFirst()
      do throws(FetchFailure) {
        try account.access.check(next.request.address)
        let transfer = try WebTransfer(next.request, account.login, account.access, trust)
        running[transfer.handle] = Running(
          transfer: transfer, number: next.number, then: next.then)
        curl_multi_add_handle(multi, transfer.handle)
      } catch {
        reply(next.number, .failed(error))
      }
    }
  }

  private func finish(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) throws(FetchError) {
    guard let own = running[handle] else { return }
    curl_multi_remove_handle(multi, handle)
    do throws(FetchFailure) {
      switch try own.transfer.finish(code) {
      case .again: curl_multi_add_handle(multi, handle)
      case .done(let answer):
        running[handle] = nil
        try go(on: try own.then(answer), own.number)
      }
    } catch {
      running[handle] = nil
      reply(own.number, .failed(error))
    }
  }

  private func endedTransfers() -> [(UnsafeMutableRawPointer, CURLcode)] {
    var ended: [(UnsafeMutableRawPointer, CURLcode)] = []
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle
      else { continue }
      ended.append((handle, message.pointee.data.result))
    }
    return ended
  }
}
