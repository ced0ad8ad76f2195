internal import Foundation

/// What a test counted, for the page that `.ci/prove` writes. Without `AGENDA_TALLY`, which names a file,
/// nothing happens.
public enum Tally {
  private static let path = ProcessInfo.processInfo.environment["AGENDA_TALLY"]
  /// Tests run at the same time.
  private static let lock = NSLock()

  /// Adds a line to the file. `what` names the check, and `counted` has numbers by what they count.
  public static func report(_ what: String, _ counted: [String: Int]) {
    guard let path else { return }
    let object: [String: Any] = ["what": what, "counted": counted]
    guard let line = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    else { return }
    lock.lock()
    defer { lock.unlock() }
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: line + Data("\n".utf8))
  }
}
