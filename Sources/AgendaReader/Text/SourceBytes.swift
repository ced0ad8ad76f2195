package import ICalendar
package import Platform

/// The bytes of a source, held once and never moved. They are copied out of the file, into memory or
/// into a temporary file that is mapped. The file itself is not mapped: if another program shortened
/// it, the process that reads it would end.
///
/// Unchecked because the memory is written before the initialiser returns and never after.
public final class SourceBytes: @unchecked Sendable {
  private let memory: UnsafePointer<UInt8>
  public let count: Int
  /// The temporary file that has them, if they are not in memory.
  private let mappedFile: MappedFile?

  /// Takes over `memory`, which came from `Memory.allocate`.
  package init(adopting memory: UnsafeMutablePointer<UInt8>, count: Int) {
    self.memory = UnsafePointer(memory)
    self.count = count
    mappedFile = nil
  }

  /// Takes over a temporary file.
  package init(_ file: MappedFile) {
    count = file.bytes.count
    if let start = file.bytes.baseAddress {
      memory = start
      mappedFile = file
    } else {
      memory = UnsafePointer(Memory.allocate(0))
      mappedFile = nil
    }
  }

  /// Makes room for at most `capacity` bytes and lets `fill` write them and say how many.
  init(capacity: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    let room = Memory.allocate(capacity)
    count = fill(UnsafeMutableBufferPointer(start: room, count: capacity))
    memory = UnsafePointer(room)
    mappedFile = nil
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
    if mappedFile == nil { Memory.deallocate(UnsafeMutablePointer(mutating: memory)) }
  }

  /// Whether they are in a temporary file.
  package var isInFile: Bool { mappedFile != nil }

  /// Says that a range is not needed for now. Memory of a temporary file is returned to the system.
  package func release(_ range: Range<Int>) { mappedFile?.release(range) }

  /// The first `byte` at or after `start`, searched in parts that are released afterwards.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var index = start
    while index < count {
      let end = min(index + Self.partLength, count)
      let found = bytes.index(of: byte, from: index, to: end)
      if found < end { return found }
      release(index..<end)
      index = end
    }
    return nil
  }

  /// So much of a temporary file is in memory at once where it is searched or scanned.
  static let partLength = 32 << 20

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
