internal import SystemLibrary

/// The program that this process runs.
package enum RunningProgram {
  /// A path by which it can be started again, even if its file was renamed.
  package static var path: String? {
    #if canImport(Darwin)
      var length: UInt32 = 0
      _NSGetExecutablePath(nil, &length)
      var path = [CChar](repeating: 0, count: Int(length) + 1)
      guard _NSGetExecutablePath(&path, &length) == 0 else { return nil }
      return path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    #else
      return "/proc/self/exe"
    #endif
  }

  /// The path of a program in the same folder, links followed; `nil` if none can be run.
  package static func neighbour(_ name: String) -> String? {
    guard let path, let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let own = String(cString: resolved)
    guard let slash = own.lastIndex(of: "/") else { return nil }
    let neighbour = String(own[...slash] + name)
    return FileAccess.canRun(neighbour) ? neighbour : nil
  }

  /// The path of a program in the same folder, otherwise in one of those that PATH lists.
  package static func path(of name: String) -> String? {
    if let neighbour = neighbour(name) { return neighbour }
    let folders = (variable("PATH") ?? "").split(separator: ":")
    return folders.lazy.filter { $0.first == "/" }.map { "\($0)/\(name)" }
      .first(where: FileAccess.canRun)
  }

  /// Different from that of every other process that runs at the same time.
  package static var processIdentifier: Int32 { getpid() }

  /// A variable of the environment; `nil` if it is not set.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Sets a variable for the programs that this one starts, unless it is set already.
  package static func setVariable(_ name: String, unlessSet value: String) {
    setenv(name, value, 0)
  }

  /// Sets a variable for the programs that this one starts.
  package static func setVariable(_ name: String, to value: String) {
    setenv(name, value, 1)
  }

  package static func exit(_ status: Int32) -> Never { endProcess(status) }
}

// The system's function, whose name a method of `RunningProgram` has too.
private func endProcess(_ status: Int32) -> Never { exit(status) }
