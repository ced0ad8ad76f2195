#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads addresses by `agenda-fetch`, the program that alone knows the network. The address goes to
/// its standard input: it is often a secret, and arguments stand in the list of processes.
enum NetworkReader {
  enum Outcome {
    case bytes([UInt8])
    /// In words that hold nothing of the address but its host.
    case failed(String)
  }

  static func read(_ address: String) -> Outcome {
    let fetch = ChildProcess(
      program: programBesideThisOne() ?? "agenda-fetch", arguments: ["--url-from", "-"],
      isRead: true)
    switch fetch.run(input: Array((address + "\n").utf8)) {
    case .ended(status: 0, let bytes, _): return .bytes(bytes)
    case .ended(_, _, let errors):
      let line = errors.split(separator: "\n").first.map(String.init) ?? "agenda-fetch failed"
      // "agenda-fetch: https://host/…: reason": the caller names the source.
      let reason = line.firstRange(of: "/…: ").map { line[$0.upperBound...] } ?? line[...]
      return .failed(String(reason))
    case .notStarted:
      return .failed(
        "addresses are fetched by agenda-fetch, which is neither beside agenda nor in PATH")
    }
  }

  private static func programBesideThisOne() -> String? {
    #if canImport(Darwin)
      var length: UInt32 = 0
      _NSGetExecutablePath(nil, &length)
      var path = [CChar](repeating: 0, count: Int(length) + 1)
      guard _NSGetExecutablePath(&path, &length) == 0 else { return nil }
      let own = path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
    #else
      guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
      defer { free(resolved) }
      let own = String(cString: resolved)
    #endif
    guard let slash = own.lastIndex(of: "/") else { return nil }
    let path = own[...slash] + "agenda-fetch"
    return access(String(path), X_OK) == 0 ? String(path) : nil
  }
}
