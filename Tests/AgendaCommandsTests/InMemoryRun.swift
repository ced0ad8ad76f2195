import AgendaCommands
import CivilTime
import Platform

/// The program run inside the test, in a separate environment.
struct InMemoryRun {
  let status: ExitStatus
  let output: String
  let errors: String

  private final class Collector {
    var bytes: [UInt8] = []
  }

  init(
    _ arguments: [String], variables: [String: String] = [:], columns: Int? = nil,
    now: Instant = Instant(secondsSinceEpoch: 1_795_251_600), mostEntries: Int? = nil,
    outputFailure: FileDescriptor.WriteFailure? = nil, typedLines: [String]? = nil,
    ask: ((String) -> String?)? = nil,
    runProgram: @escaping (String, [String]) -> Int32? = { _, _ in nil }
  ) {
    let output = Collector()
    let errors = Collector()
    var environment = Environment(
      arguments: arguments, variable: { variables[$0] }, clock: { now },
      outputColumns: { columns }, errorIsTerminal: { false },
      writeOutput: { bytes in
        if let outputFailure { return outputFailure }
        output.bytes += bytes
        return nil
      },
      writeError: { bytes in
        errors.bytes += bytes
        return nil
      })
    environment.ask = ask
    if let typedLines {
      var rest = typedLines[...]
      environment.typedLines = { { rest.popFirst() } }
    }
    environment.runProgram = runProgram
    if let mostEntries { environment.mostEntries = mostEntries }
    status = AgendaProgram(environment: environment).run()
    self.output = String(decoding: output.bytes, as: UTF8.self)
    self.errors = String(decoding: errors.bytes, as: UTF8.self)
  }
}
