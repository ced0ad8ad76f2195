internal import AgendaCore

/// The only place that writes to standard error. Each message is one line, and no text of the data
/// reaches the terminal as a control sequence.
final class Messages {
  private let environment: Environment
  /// Whether anything was rejected, so that the exit status must say so.
  private(set) var hasRejections = false

  init(_ environment: Environment) { self.environment = environment }

  /// What stopped the program, or a part of it.
  func complain(_ message: String) { write("agenda: \(message)") }

  /// Something was not done; the program goes on.
  func reject(_ message: String) {
    hasRejections = true
    complain(message)
  }

  func warn(_ message: String) { complain("warning: \(message)") }

  private func write(_ line: String) {
    var text = Self.plain(line) + "\n"
    // Nobody is left to hear that standard error cannot be written.
    _ = text.withUTF8 { environment.writeError(UnsafeRawBufferPointer($0)) }
  }

  private static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
  }
}
