import Foundation
import Platform
import Testing

@Suite("pieces of work that take turns")
struct TakingTurnsTests {
  /// A value that is not made for several threads.
  private final class Counter {
    var running = 0
    var waiting = 0
    var mostRunning = 0
    var mostWaiting = 0
    var steps = 0
  }

  @Test("only one runs at a time, and all wait together")
  func turns() {
    let counter = Counter()
    let pieces = (0..<4).map { _ in
      { (turns: TakingTurns) in
        for _ in 0..<10 {
          counter.running += 1
          counter.mostRunning = max(counter.mostRunning, counter.running)
          counter.steps += 1
          counter.running -= 1
          counter.waiting += 1
          counter.mostWaiting = max(counter.mostWaiting, counter.waiting)
          turns.whileOthersRun { _ = usleep(5_000) }
          counter.waiting -= 1
        }
      }
    }
    TakingTurns.run(pieces)
    #expect(counter.steps == 40)
    #expect(counter.mostRunning == 1)
    #expect(counter.mostWaiting > 1)
    #expect(counter.waiting == 0)
  }

  @Test("an error while others run reaches the piece, which goes on alone")
  func failure() {
    struct Failed: Error {}
    let counter = Counter()
    let piece = { (turns: TakingTurns) in
      do throws(Failed) {
        try turns.whileOthersRun { () throws(Failed) in throw Failed() }
      } catch {
        counter.steps += 1
      }
    }
    TakingTurns.run([piece, piece])
    #expect(counter.steps == 2)
    TakingTurns.run([])
  }

  /// Something that a piece uses, and that holds the turns in which it is used, as the connection to a
  /// server does.
  private final class Owner {
    var turns: TakingTurns?
  }

  @Test("what the pieces hold is released at the end")
  func release() {
    weak var released: Owner?
    do {
      let owner = Owner()
      released = owner
      TakingTurns.run([{ turns in owner.turns = turns }])
      #expect(owner.turns != nil)
    }
    #expect(released == nil)
  }
}
