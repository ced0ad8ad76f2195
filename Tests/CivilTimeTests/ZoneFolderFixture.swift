import Foundation

/// A temporary zone folder with good and bad files.
final class ZoneFolderFixture {
  let folder: URL
  var path: String { folder.path }

  static let system = URL(filePath: "/usr/share/zoneinfo")

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: system.appending(path: name)))
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: name).path, withDestinationPath: target)
  }

  func fifo(_ name: String) {
    mkfifo(folder.appending(path: name).path, 0o600)
  }
}
