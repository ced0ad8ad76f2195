import Foundation
import Platform
import Synchronization
import Testing

@Suite("work queues")
struct WorkQueueTests {
  @Test("a thread gets all work in order, without what became pointless, and ends with the queue")
  func order() {
    let queue = WorkQueue<Int>()
    for number in 1...5 { queue.add(number) }
    queue.add(6) { $0 == 3 }
    for expected in [1, 2, 4, 5, 6] { #expect(queue.next() == expected) }
    queue.add(7)
    queue.close()
    #expect(queue.next() == nil)
  }

  @Test("a queue that finishes has done all pieces that were added before")
  func finishing() throws {
    let queue = WorkQueue<Int>()
    let sum = Mutex(0)
    let isStarted = WorkerThread.start {
      while let number = queue.next() {
        usleep(1_000)
        sum.withLock { $0 += number }
      }
    }
    try #require(isStarted)
    for number in 1...20 { queue.add(number) }
    queue.finish()
    #expect(sum.withLock(\.self) == 210)
  }

  @Test("a thread that waits gets the next piece")
  func waiting() throws {
    let queue = WorkQueue<Int>()
    let results = WorkQueue<Int>()
    let isStarted = WorkerThread.start {
      while let number = queue.next() { results.add(number * 2) }
      results.add(-1)
    }
    try #require(isStarted)
    for number in 1...100 {
      queue.add(number)
      #expect(results.next() == number * 2)
    }
    queue.close()
    #expect(results.next() == -1)
  }
}
