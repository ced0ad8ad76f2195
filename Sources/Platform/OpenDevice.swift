internal import SystemLibrary

/// A device or a named pipe that is written in place.
package final class OpenDevice {
  private let descriptor: Int32

  package init(path: String) throws(SystemError) {
    descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    switch bytes.withUnsafeBytes(FileDescriptor(number: descriptor).write) {
    case nil: return
    case .readerHasGone?: throw SystemError(code: EPIPE)
    case .failed?: throw .last
    }
  }
}
