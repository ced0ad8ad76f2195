import Foundation
import Platform
import Testing

@Suite struct OrderedWorkTests {
  /// What takes its time to go: a thread that lets some go hears meanwhile of nothing.
  private final class Piece: Sendable {
    let number: Int

    init(_ number: Int) {
      self.number = number
      usleep(20)
    }

    deinit {
      usleep(200)
    }
  }

  @Test("results come in their order, and the end comes, whoever lets them go meanwhile")
  func endings() {
    for round in 0..<200 {
      let pieces = 10 + round % 17
      let work = OrderedWork(pieces: pieces, threads: 1 + round % 2, ahead: 1 + round % 3) {
        Piece($0)
      }
      var taken: [Int] = []
      while let piece = work.take() {
        taken.append(piece.number)
        work.giveBack(piece)
      }
      work.stop()
      #expect(taken == Array(0..<pieces))
    }
  }

  @Test("work that is stopped halfway ends")
  func stopping() {
    for round in 0..<200 {
      let work = OrderedWork(pieces: 50, threads: 2, ahead: 3) { Piece($0) }
      for _ in 0..<round % 5 {
        if let piece = work.take() { work.giveBack(piece) }
      }
      work.stop()
    }
  }
}
