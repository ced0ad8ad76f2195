package import ICalendar
internal import Platform

/// The bytes of a source, held once and never moved. They are copied out of the file and not
/// mapped: a mapped file that another program cuts short ends the process that reads it.
///
/// Unchecked because the memory is written before the initialiser returns and never after.
public final class SourceBytes: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt8>
  public let count: Int

  /// Takes over `memory`, which came from `malloc`.
  package init(adopting memory: UnsafeMutablePointer<UInt8>, count: Int) {
    self.memory = memory
    self.count = count
  }

  /// Makes room for at most `capacity` bytes and lets `fill` write them and say how many.
  init(capacity: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    memory = Self.allocate(capacity)
    count = fill(UnsafeMutableBufferPointer(start: memory, count: capacity))
  }

  public convenience init(_ bytes: some Sequence<UInt8>) {
    let array = Array(bytes)
    self.init(capacity: array.count) { room in
      _ = room.update(fromContentsOf: array)
      return array.count
    }
  }

  public convenience init(_ text: String) {
    self.init(text.utf8)
  }

  deinit {
    Self.deallocate(memory)
  }

  /// The most that a source may have, unless the caller says otherwise.
  public static let usualLimit = 1 << 30

  package func hasSameContent(as other: SourceBytes) -> Bool {
    count == other.count && memcmp(memory, other.memory, count) == 0
  }

  package var bytes: Bytes { Bytes(start: memory, count: count) }

  /// A range held to what there is.
  func bytes(_ range: Range<Int>) -> Bytes {
    let lower = min(max(range.lowerBound, 0), count)
    let upper = min(max(range.upperBound, lower), count)
    return Bytes(start: memory + lower, count: upper - lower)
  }

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
}
