internal import FetchProtocol
internal import Platform

/// One run of `agenda-fetch` for several addresses. The requests go through a pipe, because they are
/// often secrets and the list of processes shows arguments.
final class FetchRun {
  private static let program = "agenda-fetch"

  private let process: PipedProgram
  private var reader = FetchMessageReader()
  private var arrived: WaitingAnswers
  private var hasEnded = false
  /// The requests without an answer, in their order.
  private(set) var pending: [Int]
  /// Called after each answer, and regularly while waiting for one.
  private let progress: (FetchRun) -> Void

  init(
    _ requests: [FetchRequest], jobs: Int, temporaryFolder: String,
    progress: @escaping (FetchRun) -> Void = { _ in }
  ) throws(SourceError) {
    pending = requests.map(\.number)
    arrived = WaitingAnswers(temporaryFolder: temporaryFolder)
    self.progress = progress
    do throws(ChildProcess.StartFailure) {
      process = try PipedProgram(
        RunningProgram.neighbour(Self.program) ?? Self.program, ["--batch", "--jobs", "\(jobs)"],
        input: requests.flatMap { $0.message.encoded() })
    } catch {
      throw .notFetched(
        "\(Self.program), which downloads addresses, is neither next to agenda nor in PATH")
    }
  }

  /// Waits for the answer to a request. Answers that arrive earlier are kept.
  func answer(to number: Int) throws(SourceError) -> FetchAnswer {
    while true {
      if let answer = try arrived.remove(number) { return answer }
      guard pending.contains(number) else { throw Self.ended }
      try read()
    }
  }

  /// Waits for the next answer; `nil` after the last one.
  func nextAnswer() throws(SourceError) -> FetchAnswer? {
    while true {
      if let answer = try arrived.removeFirst() { return answer }
      if pending.isEmpty { return nil }
      try read()
    }
  }

  private static let ended = SourceError.notFetched("\(program) ended without an answer")

  private func read() throws(SourceError) {
    guard !hasEnded else { throw Self.ended }
    while !process.isReadable(within: 250) { progress(self) }
    let piece = process.read()
    if piece.isEmpty {
      hasEnded = true
      _ = process.finish()
      return
    }
    reader.append(piece)
    do throws(FetchMessageReader.Malformed) {
      while let message = try reader.next() {
        guard let answer = FetchAnswer(message) else { throw FetchMessageReader.Malformed() }
        arrived.add(answer)
        pending.removeAll { $0 == answer.number }
        progress(self)
      }
    } catch {
      hasEnded = true
      throw .notFetched("\(Self.program) answered in a form that agenda does not understand")
    }
  }
}
