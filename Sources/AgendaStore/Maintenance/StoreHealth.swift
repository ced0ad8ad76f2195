/// The result of `doctor`'s checks of a store.
package struct StoreHealth: Hashable, Sendable {
  /// The version of SQLite that reads it.
  package var sqliteVersion: String
  package var schemaVersion: Int
  package var bytes: Int
  /// Of those, bytes that are free within the file.
  package var freeBytes: Int
  package var components: Int
  /// Kept for `changes` and `undo`.
  package var removedComponents: Int
  package var generations: Int
  /// The permissions of the file and of its folder.
  package var filePermissions: UInt32
  package var folderPermissions: UInt32
  /// One sentence each; empty for a healthy store.
  package var problems: [String]
}
