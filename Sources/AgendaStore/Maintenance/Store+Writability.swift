internal import Platform

extension Store {
  /// Tries to write to a store, and throws the reason if that fails. The content of the store stays as
  /// it is, and a store that doesn't exist isn't created.
  package static func tryWriting(to path: String) throws(StoreError) {
    switch try StoreFile.check(path) {
    case .missing: try StoreFile.tryCreating(path)
    case .empty: try StoreFile.tryOpening(path)
    case .filled:
      let connection = try open(writing: path).connection
      try connection.writing { () throws(StoreError) in
        // Writes the number that the store already has. SQLite writes its page nevertheless.
        try connection.run("PRAGMA user_version = \(Schema.version)")
      }
    }
  }
}

extension StoreFile {
  /// Creates and removes a folder at the path of the store, or of its first missing folder.
  fileprivate static func tryCreating(_ path: String) throws(StoreError) {
    var parent = folder(of: path)
    while !FileAccess.exists(parent), parent != "/", parent != "." { parent = folder(of: parent) }
    do throws(SystemError) {
      _ = try TemporaryFolder(in: parent)
    } catch {
      throw .system(path: parent, what: "cannot be written", number: error.code)
    }
  }

  fileprivate static func tryOpening(_ path: String) throws(StoreError) {
    do throws(SystemError) {
      try FileAccess.tryWriting(path)
    } catch {
      throw .system(path: path, what: "cannot be written", number: error.code)
    }
  }
}
