import Foundation

/// Programs in Python that answer independently of the code under test.
enum Python {
  /// Folder of the oracles' sources.
  static let oracles = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Oracles")

  static let isThere =
    run(["-c", "import sys, zoneinfo; print(sys.version_info >= (3, 9))"]) != nil

  /// What python3 prints, `nil` where it is missing or fails.
  static func run(_ arguments: [String], input: String = "") -> [UInt8]? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    guard
      (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true))
        != nil
    else { return nil }
    defer { try? FileManager.default.removeItem(at: folder) }
    let inputFile = folder.appending(path: "in")
    let outputFile = folder.appending(path: "out")
    guard (try? Data(input.utf8).write(to: inputFile)) != nil,
      FileManager.default.createFile(atPath: outputFile.path, contents: nil),
      let reading = try? FileHandle(forReadingFrom: inputFile),
      let writing = try? FileHandle(forWritingTo: outputFile)
    else { return nil }
    process.standardInput = reading
    process.standardOutput = writing
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    guard process.terminationStatus == 0, let data = try? Data(contentsOf: outputFile) else {
      return nil
    }
    return [UInt8](data)
  }
}
