internal import AgendaCore
internal import AgendaRendering

/// The only place that writes to standard error. Each message is one line, and no text of the data
/// reaches the terminal as a control sequence.
final class Messages {
  private let environment: Environment
  /// Whether anything was rejected, so that the exit status must say so.
  private(set) var hasRejections = false
  /// What was found wrong with the sources, for documents that list it.
  private(set) var findings: [SourceFinding] = []

  init(_ environment: Environment) { self.environment = environment }

  /// What stopped the program, or a part of it.
  func complain(_ message: String) { write("agenda: \(message)") }

  /// Something was not done; the program goes on.
  func reject(_ message: String) {
    hasRejections = true
    complain(message)
  }

  /// Something was rejected, as the result says itself.
  func noteRejection() { hasRejections = true }

  func warn(_ message: String) { complain("warning: \(message)") }

  /// Reports what is wrong with sources, one line for each kind of problem. The findings of one
  /// source are given together.
  func report(_ findings: [SourceFinding]) {
    let findings = findings.grouped
    if findings.contains(where: { $0.finding.severity == .error }) { hasRejections = true }
    self.findings += findings
    for line in FindingSummary.lines(findings) { write(line) }
  }

  /// Puts a line in the place of the one before, on a terminal that shows progress.
  func showProgress(_ line: String) { write(raw: "\r\u{1b}[K" + SafeText.line(line)) }

  private func write(_ line: String) { write(raw: SafeText.line(line) + "\n") }

  private func write(raw text: String) {
    var text = text
    // If standard error cannot be written, nothing can report that.
    _ = text.withUTF8 { environment.writeError(UnsafeRawBufferPointer($0)) }
  }
}
