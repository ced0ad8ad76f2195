/// The result of `doctor`'s checks of a store.
public struct StoreHealth: Hashable, Sendable {
  /// The version of SQLite that reads it.
  public var sqliteVersion: String
  public var schemaVersion: Int
  public var bytes: Int
  /// Of those, bytes that are free within the file.
  public var freeBytes: Int
  public var components: Int
  /// Kept for `changes` and `undo`.
  public var removedComponents: Int
  public var generations: Int
  /// Attachments whose thumbnails have not been made yet.
  public var pendingThumbnails: Int
  /// The permissions of the file and of its folder.
  public var filePermissions: UInt32
  public var folderPermissions: UInt32
  /// One sentence each; empty for a healthy store.
  public var problems: [String]
}
