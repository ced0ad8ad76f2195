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
  /// The problems that were found.
  package var found: [Problem]

  /// The problems that were found, one sentence each; empty for a healthy store.
  public var problems: [String] { found.map(\.description) }

  package enum Problem: Hashable, Sendable {
    /// The index of words, which can be made again.
    case searchIndex
    /// The times of this component, which can be made again.
    case times(component: Int)
    case other(String)
  }
}

extension StoreHealth.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .searchIndex: "the search index is damaged or was modified outside agenda"
    case .times(let component): "the times of component \(component) differ from its text"
    case .other(let words): words
    }
  }
}
