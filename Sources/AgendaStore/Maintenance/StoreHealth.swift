/// The result of `doctor`'s checks of a store.
public struct StoreHealth: Hashable, Sendable {
  /// The version of the SQLite library.
  package var sqliteVersion: String
  /// The version of the store's schema.
  package var schemaVersion: Int
  /// The size of the file in bytes.
  package var bytes: Int
  /// The number of those bytes that are free within the file.
  package var freeBytes: Int
  /// The number of events, tasks and journals, including overrides.
  package var components: Int
  /// The number of earlier versions that are kept for `changes` and `undo`.
  package var removedComponents: Int
  /// The number of imports and changes that `changes` and `undo` know.
  package var generations: Int
  /// The number of attachments whose thumbnails have not been made yet.
  package var pendingThumbnails: Int
  /// The permissions of the file, as in `chmod`.
  package var filePermissions: UInt32
  /// The permissions of its folder, as in `chmod`.
  package var folderPermissions: UInt32
  /// Whether rows or the structure of the file are damaged, which agenda cannot repair.
  package var isDamaged: Bool
  /// The problems that were found, one sentence each; empty for a healthy store.
  public package(set) var problems: [String]
}
