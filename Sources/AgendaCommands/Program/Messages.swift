internal import AgendaCore
internal import AgendaRendering

/// The only place that writes to standard error. Each message is one line, and no text of the data
/// reaches the terminal as a control sequence.
final class Messages {
  private let environment: Environment
  /// Whether anything was rejected, which sets the exit status.
  private(set) var hasRejections = false
  /// The problems of the sources, for documents that list them.
  private(set) var findings: [SourceFinding] = []
  /// The lines for the end of the run.
  private var last: [String] = []

  init(_ environment: Environment) { self.environment = environment }

  /// Prints the reason why the program, or a part of it, stopped.
  func complain(_ message: String) { write("agenda: \(message)") }

  /// Prints that something was not done; the program goes on.
  func reject(_ message: String) {
    hasRejections = true
    complain(message)
  }

  /// Records that something was rejected, without a message, because the result contains it.
  func noteRejection() { hasRejections = true }

  func warn(_ message: String) { complain("warning: \(message)") }

  /// Prints lines that belong to the next message.
  func list(_ lines: [String]) {
    for line in lines { write(line) }
  }

  /// Prints the problems of sources, one line for each kind of problem. All findings of a source
  /// must be passed together.
  func report(_ findings: [SourceFinding]) {
    let findings = findings.grouped
    if findings.contains(where: { $0.finding.severity == .error }) { hasRejections = true }
    self.findings += findings
    for line in FindingSummary.lines(findings) { write(line) }
  }

  /// The same at the end of the run, for what a listing leaves out at its end.
  func reportLast(_ findings: [SourceFinding]) {
    if findings.contains(where: { $0.finding.severity == .error }) { hasRejections = true }
    self.findings += findings
    last += FindingSummary.lines(findings.grouped)
  }

  /// Prints what was reported for the end of the run.
  func end() {
    for line in last { write(line) }
    last = []
  }

  /// Replaces the previous line, on a terminal that shows progress.
  func showProgress(_ line: String) { write(raw: "\r\u{1b}[K" + SafeText.line(line)) }

  private func write(_ line: String) { write(raw: SafeText.line(line) + "\n") }

  private func write(raw text: String) {
    var text = text
    // If standard error cannot be written, nothing can report that.
    _ = text.withUTF8 { environment.writeError(UnsafeRawBufferPointer($0)) }
  }
}
