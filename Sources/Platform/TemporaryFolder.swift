internal import SystemLibrary

/// A new folder that only its owner can enter. It is removed with this object if it is empty then.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init(in parent: String) throws(SystemError) {
    var template = Array("\(parent)/agenda-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .last }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { rmdir(path) }
}

/// Removes a file if it is there.
package func removeFile(_ path: String) { unlink(path) }
