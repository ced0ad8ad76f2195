import FetchProtocol
import Testing

@testable import AgendaSources

@Suite("answers that wait for their turn")
struct WaitingAnswersTests {
  @Test("answers that exceed the memory limit wait in a file and come back unchanged")
  func spill() throws {
    var answers = WaitingAnswers(temporaryFolder: "/tmp", mostBytes: 1_000)
    let bodies = (0..<50).map { number in
      [UInt8](repeating: UInt8(number), count: 1 + number * 37)
    }
    for (number, body) in bodies.enumerated() {
      answers.add(FetchAnswer(number: number, outcome: .content(body)))
    }
    answers.add(FetchAnswer(number: 50, outcome: .unchanged))
    #expect(try answers.remove(50)?.outcome == .unchanged)
    for number in bodies.indices.reversed() {
      #expect(try answers.remove(number)?.outcome == .content(bodies[number]))
      #expect(try answers.remove(number) == nil)
    }
  }

  @Test("without a place for a file, answers stay in memory")
  func noFolder() throws {
    var answers = WaitingAnswers(temporaryFolder: "/nowhere", mostBytes: 0)
    answers.add(FetchAnswer(number: 1, outcome: .content([1, 2, 3])))
    #expect(try answers.remove(1)?.outcome == .content([1, 2, 3]))
  }
}
