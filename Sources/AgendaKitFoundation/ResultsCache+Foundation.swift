public import AgendaKit
public import Foundation

extension ResultsCache {
  /// A cache in a folder, which is created if it is missing; without one in the user's folder of
  /// caches, in a folder of the program's name.
  public init(named name: String, in folder: URL? = nil) throws(CalendarError) {
    let folder =
      folder
      ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
      .appendingPathComponent(ProcessInfo.processInfo.processName)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .failed(reason: "\(folder.path): \(error.localizedDescription)")
    }
    try self.init(named: name, in: folder.path)
  }
}
