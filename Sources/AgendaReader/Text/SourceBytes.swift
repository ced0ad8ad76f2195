package import ICalendar
internal import Platform

/// The bytes of a source, held once and never moved. They are copied out of the file and not
/// mapped: a mapped file that another program cuts short ends the process that reads it.
///
/// Unchecked because the memory is written before the initialiser returns and never after.
public final class SourceBytes: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt8>
  public let count: Int

  /// Takes over `memory`, which came from `Memory.allocate`.
  package init(adopting memory: UnsafeMutablePointer<UInt8>, count: Int) {
    self.memory = memory
    self.count = count
  }

  /// Makes room for at most `capacity` bytes and lets `fill` write them and say how many.
  init(capacity: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    memory = Memory.allocate(capacity)
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
    Memory.deallocate(memory)
  }

  /// The most that a source may have, unless the caller says otherwise.
  public static let usualLimit = 1 << 30

  package func hasSameContent(as other: SourceBytes) -> Bool {
    count == other.count && Memory.areEqual(memory, other.memory, count: count)
  }

  package var bytes: Bytes { Bytes(start: memory, count: count) }

  /// A range held to what there is.
  func bytes(_ range: Range<Int>) -> Bytes {
    let lower = min(max(range.lowerBound, 0), count)
    let upper = min(max(range.upperBound, lower), count)
    return Bytes(start: memory + lower, count: upper - lower)
  }
}
