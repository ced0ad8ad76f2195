internal import SystemLibrary

/// A temporary file as memory: the system reads its pages when somebody uses them. The file has no
/// name, so no other program can shorten it, which would end this process.
///
/// `@unchecked Sendable` because the memory is only read.
package final class MappedFile: @unchecked Sendable {
  package let bytes: UnsafeBufferPointer<UInt8>
  private let memory: UnsafeMutableRawPointer?

  init(_ descriptor: Int32, count: Int) throws(SystemError) {
    // An empty file cannot be mapped.
    guard count > 0 else {
      memory = nil
      bytes = UnsafeBufferPointer(start: nil, count: 0)
      return
    }
    let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { throw .last }
    self.memory = memory
    bytes = UnsafeBufferPointer(
      start: memory.bindMemory(to: UInt8.self, capacity: count), count: count)
  }

  deinit {
    if let memory { munmap(memory, bytes.count) }
  }

  /// Linux maps up to this much around a page that is used: what it keeps together in its cache.
  private static let mappedLength = 2 << 20

  /// Returns the memory of a range, and what is mapped with it, to the system, which reads it again
  /// if somebody uses it.
  package func release(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<bytes.count)
    let length = Self.mappedLength
    let lower = range.lowerBound / length * length
    let upper = min((range.upperBound + length - 1) / length * length, bytes.count)
    guard let memory, !range.isEmpty else { return }
    madvise(memory + lower, upper - lower, MADV_DONTNEED)
  }
}
