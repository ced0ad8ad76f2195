package import AgendaStore
package import CivilTime
internal import Platform

/// A store that stays open while other processes change it. It is used by one thread.
package final class FollowedStore {
  /// The difference between this look and the last one.
  package struct News: Sendable {
    /// The state of the store at the last look.
    package let previous: StoreState
    /// The last generation of that state that still exists: an undo removes generations.
    package let common: Int
    /// The store was opened, or another file replaced it.
    package let isNewFile: Bool
  }

  package let path: String
  private let zones: ZoneDatabase
  /// `nil` if it does not exist yet.
  package private(set) var reader: StoreReader?
  package var store: Store? { reader?.store }
  package private(set) var state = StoreState.empty
  /// The inode of the open file, because another file can replace it.
  private var inode: UInt64?
  private var version: Int?

  package init(at path: String, zones: ZoneDatabase) {
    self.path = path
    self.zones = zones
  }

  /// Looks at the store again; opens it if it is a new file. `nil` if no command has changed it.
  package func look() throws(StoreError) -> News? {
    let previous = state
    let present = FileStatus(path: path)?.inode
    let isNewFile = present != inode || store == nil
    let hadStore = store != nil
    if isNewFile {
      reader = try Store.open(reading: path).map { StoreReader($0, zones: zones) }
      inode = store == nil ? nil : present
    }
    guard let store else {
      return hadStore ? News(previous: previous, common: previous.generation, isNewFile: true) : nil
    }
    let previousVersion = version
    version = try store.dataVersion()
    if version == previousVersion, !isNewFile { return nil }
    let common = try store.lastGeneration(of: previous)
    state = try store.state()
    if state == previous, common == previous.generation, !isNewFile { return nil }
    return News(previous: previous, common: common, isNewFile: isNewFile)
  }
}
