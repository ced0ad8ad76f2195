internal import FetchProtocol
internal import Platform

/// A conversation with the server of one account, through `agenda-fetch`, which keeps its connections
/// open.
final class ServerConversation {
  private static let program = "agenda-fetch"
  /// `agenda-fetch` limits each request itself. This is for one that hangs.
  private static let longestWait = Duration.seconds(3_700)

  private let process: ConnectedProgram
  private var reader = FetchMessageReader()
  private var next = 0
  private var arrived: [Int: ServerAnswer.Outcome] = [:]
  /// Requests that were sent before anybody asked for their answer.
  private var prepared: [(job: ServerRequest.Job, number: Int)] = []
  /// The other conversations that go on while this one waits.
  var turns: TakingTurns?
  /// Called regularly while waiting for answers.
  private let progress: () -> Void

  init(
    _ login: ServerLogin, turns: TakingTurns?, progress: @escaping () -> Void
  ) throws(SourceError) {
    guard
      let process = ConnectedProgram(
        RunningProgram.neighbour(Self.program) ?? Self.program, ["--caldav"])
    else {
      throw .notFetched(
        "\(Self.program), which talks to servers, is neither next to agenda nor in PATH")
    }
    self.process = process
    self.turns = turns
    self.progress = progress
    try write(login.message)
  }

  private func write(_ message: FetchMessage) throws(SourceError) {
    do throws(ConnectedProgram.Failure) {
      try process.write(message.encoded(), before: .now + Self.longestWait)
    } catch {
      throw Self.ended
    }
  }

  private static let ended = SourceError.notFetched("\(program) ended without an answer")

  /// Sends a request, whose answer is read later.
  func begin(_ job: ServerRequest.Job) throws(SourceError) -> Int {
    next += 1
    try write(ServerRequest(number: next, job: job).message)
    return next
  }

  /// Waits for the answer to a request.
  func answer(to number: Int) throws(SourceError) -> ServerAnswer.Outcome {
    let deadline = ContinuousClock.now + Self.longestWait
    while true {
      if let outcome = arrived.removeValue(forKey: number) { return outcome }
      guard deadline > .now else { throw Self.ended }
      let piece: [UInt8]
      do throws(ConnectedProgram.Failure) {
        piece = try waiting { () throws(ConnectedProgram.Failure) in
          try process.readSome(1 << 18, within: 250)
        }
      } catch {
        throw Self.ended
      }
      if piece.isEmpty { progress() }
      reader.append(piece)
      do throws(FetchMessageReader.Malformed) {
        while let message = try reader.next() {
          guard let answer = ServerAnswer(message) else { throw FetchMessageReader.Malformed() }
          arrived[answer.number] = answer.outcome
        }
      } catch {
        throw .notFetched("\(Self.program) answered in a form that agenda does not understand")
      }
    }
  }

  private func waiting<Result, Failure: Error>(
    _ wait: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let turns else { return try wait() }
    return try turns.whileOthersRun(wait)
  }

  /// Sends a request that is certainly made later, so that its answer is on its way meanwhile.
  func prepare(_ job: ServerRequest.Job) throws(SourceError) {
    prepared.append((job, try begin(job)))
  }

  func answer(_ job: ServerRequest.Job) throws(SourceError) -> ServerAnswer.Outcome {
    if let index = prepared.firstIndex(where: { $0.job == job }) {
      return try answer(to: prepared.remove(at: index).number)
    }
    return try answer(to: try begin(job))
  }

  /// Sends many requests, at most `atOnce` of them without an answer, and passes on the answers in the
  /// order of the requests.
  func answers(
    to jobs: [ServerRequest.Job], atOnce: Int, _ receive: (Int, ServerAnswer.Outcome) throws -> Void
  ) throws {
    var numbers: [Int] = []
    for index in jobs.indices {
      while numbers.count < jobs.count, numbers.count < index + atOnce {
        numbers.append(try begin(jobs[numbers.count]))
      }
      try receive(index, try answer(to: numbers[index]))
    }
  }
}
