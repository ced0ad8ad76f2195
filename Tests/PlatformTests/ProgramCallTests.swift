import Foundation
import Platform
import TestSupport
import Testing

@Suite("programs that are run")
struct ProgramCallTests {
  init() { signal(SIGPIPE, SIG_IGN) }

  private struct NotStarted: Error {
    let reason: String
  }

  private struct End {
    let status: Int32
    let output: [UInt8]
    let errors: String
  }

  private func shell(_ script: String, input: [UInt8] = []) throws -> End {
    switch ProgramCall("/bin/sh", ["-c", script], isRead: true).run(input: input) {
    case .ended(let status, let output, let errors):
      return End(status: status, output: output, errors: errors)
    case .notStarted(let reason): throw NotStarted(reason: reason)
    case .timedOut: throw NotStarted(reason: "it took too long")
    }
  }

  /// More than any pipe holds.
  private static let much = 1 << 20

  @Test(
    "a program that writes many errors before its output does not stall", .timeLimit(.minutes(1)))
  func longComplaint() throws {
    let end = try shell("head -c \(Self.much) /dev/zero >&2; echo done")
    #expect(end.status == 0)
    #expect(end.output == Array("done\n".utf8))
    #expect(end.errors.utf8.count == Self.much)
  }

  @Test(
    "a program that writes while it reads its input does not stall", .timeLimit(.minutes(1)))
  func echo() throws {
    let input = (0..<Self.much * 4).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) }
    let end = try shell("cat; head -c \(Self.much) /dev/zero >&2", input: input)
    #expect(end.status == 0)
    #expect(end.output == input)
    #expect(end.errors.utf8.count == Self.much)
  }

  @Test("a program that reads slowly gets all of its input", .timeLimit(.minutes(1)))
  func slowReader() throws {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: Self.much)
    let end = try shell("sleep 0.2; wc -c", input: input)
    #expect(String(decoding: end.output, as: UTF8.self).contains("\(Self.much)"))
  }

  @Test("a program that ends before it has read its input is not an error", .timeLimit(.minutes(1)))
  func earlyEnd() throws {
    let input = [UInt8](repeating: 0, count: Self.much)
    let end = try shell("echo enough; exit 3", input: input)
    #expect(end.status == 3)
    #expect(end.output == Array("enough\n".utf8))
  }

  @Test("one that goes on after its limit is killed")
  func limit() {
    let call = ProgramCall(
      "/bin/sh", ["-c", "sleep 600; echo"], isRead: true, ownGroup: true)
    guard case .timedOut = call.run(input: [], limit: .milliseconds(200)) else {
      Issue.record("it was not ended")
      return
    }
  }

  @Test("a program that closes its output early is waited for")
  func closedOutput() throws {
    #expect(try shell("exec >&- 2>&-; sleep 0.2; exit 4").status == 4)
  }

  @Test("a program that a signal ends has the status -1")
  func signalled() throws {
    #expect(try shell("kill -9 $$").status == -1)
  }

  @Test("a missing program is not started, and the reason is reported")
  func absent() {
    let call = ProgramCall("/nowhere/no-program", [], isRead: true)
    guard case .notStarted(let reason) = call.run(input: [1, 2, 3]) else {
      Issue.record("it was started")
      return
    }
    #expect(reason == "No such file or directory")
  }

  @Test("a child does not ignore broken pipes, though its parent does")
  func signals() throws {
    // A writer that ignored the signal would say that its pipe is broken.
    let end = try shell("{ yes; echo \"ended by $?\" >&2; } | head -n 1")
    #expect(end.output == Array("y\n".utf8))
    #expect(!end.errors.contains("pipe"))
  }

  @Test("the empty stream has no input and discards output")
  func nothing() throws {
    let child = try ChildProcess(
      "/bin/sh", ["-c", "cat; echo lost; echo lost >&2; exit 5"], input: .nothing, output: .nothing,
      errors: .nothing)
    #expect(child.wait() == 5)
  }

  @Test("a program that never ends can be ended")
  func endless() throws {
    let child = try ChildProcess("sleep", ["600"], input: .nothing)
    child.end()
    #expect(child.wait() == -1)
  }
}
