internal import SystemLibrary

/// The lines that a person types on a terminal, also if standard input is something else.
package final class TerminalLines {
  private let input: Int32
  private let ownsInput: Bool
  private var bytes: [UInt8] = []

  /// A person does not type more as an answer.
  private static let longestLine = 1 << 16

  package init() throws(SystemError) {
    if isatty(0) == 1 {
      (input, ownsInput) = (0, false)
    } else {
      let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
      guard terminal >= 0 else { throw .last }
      (input, ownsInput) = (terminal, true)
    }
  }

  /// Lines of a descriptor, which stays open.
  package init(borrowing input: Int32) {
    self.input = input
    ownsInput = false
  }

  deinit { if ownsInput { closeDescriptor(input) } }

  /// Control-C ends the process without an error, as the key for it does.
  package static func endOnInterrupt() { signal(SIGINT) { _ in _exit(0) } }

  /// The next line without its end; `nil` when there are no more.
  package func next() -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        return line
      }
      guard bytes.count < Self.longestLine else { return nil }
      var more = [UInt8](repeating: 0, count: 4096)
      let count = readDescriptor(input, &more, more.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += more[..<count]
    }
  }
}
