internal import SystemLibrary

/// A program whose output is read while it runs.
package final class PipedProgram {
  private let child: ChildProcess
  private var output: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts the program and writes its whole input. The program must read all of it before it
  /// writes: otherwise both processes would wait for each other.
  package init(
    _ program: String, _ arguments: [String], input: [UInt8]
  ) throws(ChildProcess.StartFailure) {
    child = try ChildProcess(program, arguments, input: .pipe, output: .pipe)
    output = child.output
    // If the program has ended already, reading its output shows it.
    _ = input.withUnsafeBytes(FileDescriptor(number: child.input).write)
    closeDescriptor(child.input)
  }

  deinit {
    guard output >= 0 else { return }
    closeDescriptor(output)
    child.end()
    child.wait()
  }

  /// Waits until `read` has something to return, for at most this long. Returns whether it has.
  package func isReadable(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) != 0
  }

  /// The next piece of its output; empty at the end.
  package func read() -> ArraySlice<UInt8> {
    guard output >= 0 else { return [] }
    while true {
      let count = buffer.withUnsafeMutableBytes {
        readDescriptor(output, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      return buffer.prefix(max(0, count))
    }
  }

  /// Waits for its end and returns its exit status, -1 if a signal ended it.
  package func finish() -> Int32 {
    guard output >= 0 else { return -1 }
    closeDescriptor(output)
    output = -1
    return child.wait()
  }
}
