internal import SystemLibrary

/// Memory of the system, and its fast functions for bytes.
package enum Memory {
  /// Memory for at least one byte that `deallocate` frees.
  package static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    // Huge pages save one page fault in 512 where a large file is read into fresh memory.
    let hugePage = 2 << 20
    if capacity >= 4 * hugePage {
      var memory: UnsafeMutableRawPointer?
      if posix_memalign(&memory, hugePage, capacity) == 0, let memory {
        #if os(Linux)
          madvise(memory, capacity, MADV_HUGEPAGE)
        #endif
        return memory.bindMemory(to: UInt8.self, capacity: capacity)
      }
    }
    guard let memory = malloc(max(capacity, 1)) else {
      // An allocation of Swift's own reports the lack of memory as the rest of the program does.
      return UnsafeMutablePointer<UInt8>.allocate(capacity: max(capacity, 1))
    }
    return memory.bindMemory(to: UInt8.self, capacity: max(capacity, 1))
  }

  /// Frees what `allocate` returned.
  package static func deallocate(_ memory: UnsafeMutablePointer<UInt8>) { free(memory) }

  package static func areEqual(
    _ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    memcmp(one, other, count) == 0
  }

  /// Whether the bytes of `one` come before those of `other` (-1), after them (1) or are the same (0).
  package static func order(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if let first = one.baseAddress, let second = other.baseAddress {
      let order = memcmp(first, second, min(one.count, other.count))
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return (one.count - other.count).signum()
  }

  /// Whether `part` occurs in `bytes`, in time that grows with their length whatever they are.
  package static func contains(
    _ part: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let start = bytes.baseAddress, let first = part.baseAddress else { return part.isEmpty }
    return memmem(start, bytes.count, first, part.count) != nil
  }

  /// How many bytes there are before the first `byte`; `nil` if it is missing.
  package static func distance(
    from start: UnsafePointer<UInt8>, to byte: UInt8, count: Int
  ) -> Int? {
    memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) }
  }
}
