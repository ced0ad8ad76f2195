internal import Processes

/// Reads addresses by `agenda-fetch`, the program that alone knows the network. The address goes to
/// its standard input: it is often a secret, and arguments stand in the list of processes.
enum NetworkReader {
  private static let name = "agenda-fetch"

  enum Outcome {
    case bytes([UInt8])
    /// In words that hold nothing of the address but its host.
    case failed(String)
  }

  static func read(_ address: String) -> Outcome {
    let fetch = ProgramCall(
      RunningProgram.neighbour(name) ?? name, ["--url-from", "-"], isRead: true)
    switch fetch.run(input: Array((address + "\n").utf8)) {
    case .ended(status: 0, let bytes, _): return .bytes(bytes)
    case .ended(_, _, let errors):
      let line = errors.split(separator: "\n").first.map(String.init) ?? "\(name) failed"
      // "agenda-fetch: https://host/…: reason": the caller names the source.
      let reason = line.firstRange(of: "/…: ").map { line[$0.upperBound...] } ?? line[...]
      return .failed(String(reason))
    case .notStarted:
      return .failed(
        "addresses are fetched by \(name), which is neither beside agenda nor in PATH")
    }
  }
}
