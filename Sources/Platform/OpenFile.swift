#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is open for reading. It is closed when the value goes away.
package struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let closesDescriptor: Bool

  /// Opens a file. It never waits: opening a FIFO without a writer would otherwise block.
  package init(path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .last }
    self.init(adopting: descriptor)
  }

  /// Reads from a descriptor that stays open: standard input.
  package init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    closesDescriptor = false
  }

  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    closesDescriptor = true
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  package var status: FileStatus? { FileStatus(descriptor: descriptor) }

  /// Reads the next bytes, and waits for them if necessary. Returns how many were read; 0 at the
  /// end.
  package func read(
    into buffer: UnsafeMutablePointer<UInt8>, count: Int
  ) throws(SystemError) -> Int {
    while true {
      let got = systemRead(descriptor, buffer, count)
      if got >= 0 { return got }
      if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw .last
      }
    }
  }
}

// The system's function, whose name a method of `OpenFile` has too.
private func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int
) -> Int {
  #if canImport(Darwin)
    Darwin.read(descriptor, buffer, count)
  #elseif canImport(Musl)
    Musl.read(descriptor, buffer, count)
  #else
    Glibc.read(descriptor, buffer, count)
  #endif
}
