internal import Platform

/// The path for the store of a dry run if no store exists, so that no store is created at the real
/// path. The file is removed together with this object.
package final class TemporaryStore {
  package let path: String
  private let folder: TemporaryFolder

  /// Creates the folder in `parent`; only its owner can enter it.
  package init(in parent: String) throws(SourceError) {
    do throws(SystemError) {
      folder = try TemporaryFolder(in: parent)
    } catch {
      throw .system("no temporary folder: \(error)")
    }
    path = folder.path + "/agenda.sqlite"
  }

  deinit { removeFile(path) }
}
