internal import CCurl
internal import FetchProtocol

/// Runs many transfers at once with libcurl's multi interface: connections, name look-ups and TLS
/// sessions are shared.
final class Downloads {
  /// At most this many requests are under way to one host.
  private static let mostPerHost = 4

  private let multi: UnsafeMutableRawPointer
  private let jobs: Int
  private let start: (FetchRequest) throws(FetchFailure) -> Transfer
  private var running: [UnsafeMutableRawPointer: (transfer: Transfer, host: String)] = [:]
  private var runningByHost: [String: Int] = [:]

  /// `start` makes the transfer of a request when its turn comes.
  init(
    jobs: Int, start: @escaping (FetchRequest) throws(FetchFailure) -> Transfer
  ) throws(FetchFailure) {
    guard let multi = curl_multi_init() else { throw FetchFailure("libcurl cannot start") }
    self.multi = multi
    self.jobs = jobs
    self.start = start
  }

  deinit {
    for handle in running.keys { curl_multi_remove_handle(multi, handle) }
    running = [:]
    curl_multi_cleanup(multi)
  }

  /// Hands over the answers in the order in which they arrive. `queue` is sent while transfers wait.
  func run(
    _ requests: [FetchRequest], sending queue: AnswerQueue? = nil,
    receive: (FetchAnswer) throws(FetchError) -> Void
  ) throws(FetchError) {
    var waiting = requests.map { Waiting($0) }
    while !waiting.isEmpty || !running.isEmpty {
      if queue?.isFull != true {
        try startTransfers(from: &waiting, receive: receive)
        if running.isEmpty { continue }
      }
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      let ended = endedTransfers()
      for (transfer, code) in ended {
        curl_multi_remove_handle(multi, transfer.handle)
        switch transfer.finish(code) {
        case .again: curl_multi_add_handle(multi, transfer.handle)
        case .done(let answer):
          if let host = running.removeValue(forKey: transfer.handle)?.host {
            runningByHost[host, default: 1] -= 1
          }
          try receive(answer)
        }
      }
      if ended.isEmpty { wait(for: queue) }
      try queue?.send()
    }
  }

  /// A request and the host that it counts for.
  private struct Waiting {
    let request: FetchRequest
    let host: String

    init(_ request: FetchRequest) {
      self.request = request
      host = (try? RemoteAddress(request.address))?.origin ?? ""
    }
  }

  /// Waits until a transfer can go on, or the reader of the queue takes more.
  private func wait(for queue: AnswerQueue?) {
    guard let queue, !queue.isEmpty else {
      curl_multi_poll(multi, nil, 0, 1_000, nil)
      return
    }
    var reader = curl_waitfd(fd: queue.descriptor, events: Int16(CURL_WAIT_POLLOUT), revents: 0)
    curl_multi_poll(multi, &reader, 1, 1_000, nil)
  }

  private func startTransfers(
    from waiting: inout [Waiting], receive: (FetchAnswer) throws(FetchError) -> Void
  ) throws(FetchError) {
    var place = waiting.startIndex
    while running.count < jobs, place < waiting.endIndex {
      let next = waiting[place]
      guard runningByHost[next.host, default: 0] < Self.mostPerHost else {
        place += 1
        continue
      }
      waiting.remove(at: place)
      do throws(FetchFailure) {
        let transfer = try start(next.request)
        running[transfer.handle] = (transfer, next.host)
        runningByHost[next.host, default: 0] += 1
        curl_multi_add_handle(multi, transfer.handle)
      } catch {
        try receive(FetchAnswer(number: next.request.number, outcome: .failed(error)))
      }
    }
  }

  private func endedTransfers() -> [(Transfer, CURLcode)] {
    var ended: [(Transfer, CURLcode)] = []
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
        let transfer = running[handle]?.transfer
      else { continue }
      ended.append((transfer, message.pointee.data.result))
    }
    return ended
  }
}
