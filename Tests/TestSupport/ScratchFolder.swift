public import Foundation

/// A temporary folder that is removed after the test.
public final class ScratchFolder {
  public let url: URL

  public init() throws {
    url = Self.parent.appendingPathComponent("agenda-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// A folder in memory if there is one with enough space: tests write thousands of small stores, and a
  /// disk takes twice as long to sync them.
  public static let parent: URL = {
    if let scratch = TestSettings.scratch { return scratch }
    let memory = "/dev/shm"
    let files = FileManager.default
    let space =
      (try? files.attributesOfFileSystem(forPath: memory))?[.systemFreeSize] as? NSNumber
    return files.isWritableFile(atPath: memory) && space?.int64Value ?? 0 > leastSpace
      ? URL(fileURLWithPath: memory) : files.temporaryDirectory
  }()
  private static let leastSpace: Int64 = 4 << 30

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Replaces a file as a whole, as editors and vdirsyncer do: whoever watches it never sees a part.
  public func replace(_ name: String, _ text: String) throws {
    let part = url.appendingPathComponent("part-\(UUID().uuidString)")
    try Data(text.utf8).write(to: part)
    guard rename(part.path, url.appendingPathComponent(name).path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
