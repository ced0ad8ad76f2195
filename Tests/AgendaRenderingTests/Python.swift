import Foundation
import Testing

/// A Python with packages, made once in a folder of the tests; nothing where there is no Python or the
/// packages cannot be had.
enum Python {
  /// Runs a script with text on its standard input; `nil` and a word on the test's output where the
  /// package is missing.
  static func run(_ script: String, input: String, needing package: String, module: String)
    -> String?
  {
    guard let python = interpreter(with: package, module: module) else {
      print("skipped: no Python with \(package) at hand")
      return nil
    }
    return output(of: python, ["-c", script], input: input)
  }

  private static func interpreter(with package: String, module: String) -> String? {
    if output(of: "/usr/bin/env", ["python3", "-c", "import \(module)"]) != nil {
      return path(of: "python3")
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "agenda-tests-python")
    let python = folder.appendingPathComponent("bin/python3").path
    if !FileManager.default.isExecutableFile(atPath: python) {
      guard output(of: "/usr/bin/env", ["python3", "-m", "venv", folder.path]) != nil else {
        return nil
      }
    }
    if output(of: python, ["-c", "import \(module)"]) != nil { return python }
    guard
      output(
        of: python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package])
        != nil, output(of: python, ["-c", "import \(module)"]) != nil
    else { return nil }
    return python
  }

  private static func path(of program: String) -> String? {
    output(of: "/usr/bin/env", ["sh", "-c", "command -v \(program)"])?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// What a program prints; `nil` where it cannot be run or fails.
  static func output(of program: String, _ arguments: [String], input: String = "") -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let files = FileManager.default.temporaryDirectory
    let source = files.appendingPathComponent("agenda-\(UUID().uuidString)")
    let result = files.appendingPathComponent("agenda-\(UUID().uuidString)")
    defer {
      try? FileManager.default.removeItem(at: source)
      try? FileManager.default.removeItem(at: result)
    }
    guard (try? Data(input.utf8).write(to: source)) != nil,
      FileManager.default.createFile(atPath: result.path, contents: nil),
      let reading = try? FileHandle(forReadingFrom: source),
      let writing = try? FileHandle(forWritingTo: result)
    else { return nil }
    process.standardInput = reading
    process.standardOutput = writing
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    guard process.terminationStatus == 0, let data = try? Data(contentsOf: result) else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
