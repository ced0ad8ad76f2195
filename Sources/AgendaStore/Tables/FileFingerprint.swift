/// The status of a file. As long as the status is the same, the bytes are the same too.
///
/// The rule is that of git: the status is not trusted if the file was changed so shortly before the
/// import that a later change could have the same time.
package struct FileFingerprint: Hashable, Sendable {
  package var size: Int
  /// Nanoseconds since 1970 of the last change of its bytes, and of the last change of the file or
  /// its attributes.
  package var modified: Int
  package var changed: Int
  package var inode: Int

  package init(size: Int, modified: Int, changed: Int, inode: Int) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
  }

  private static let shortlyBefore = 2_000_000_000

  /// Whether its last change was so long before `now`, in nanoseconds since 1970, that a later
  /// change has another time.
  package func isTrusted(at now: Int) -> Bool {
    max(modified, changed) < now - Self.shortlyBefore
  }
}
