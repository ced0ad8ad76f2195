public import Foundation

/// A temporary folder that is removed after the test.
public final class ScratchFolder {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("agenda-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

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
