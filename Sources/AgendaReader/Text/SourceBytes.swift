package import ICalendar
package import Platform

/// The bytes of a source. They exist once, and never move. They are a copy of the file, in memory
/// or in a temporary file that is mapped. The file itself is not mapped, because the process would
/// be killed if another program shortened it.
///
/// `@unchecked Sendable` because the memory is written only before the initialiser returns.
public final class SourceBytes: @unchecked Sendable {
  private let memory: UnsafePointer<UInt8>
  public let count: Int
  /// The temporary file with the bytes, if they are not in memory.
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

  /// Reserves memory for at most `capacity` bytes. `fill` writes them and returns their number.
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

  /// Whether the bytes are in a temporary file.
  package var isInFile: Bool { mappedFile != nil }

  /// Allows the memory of a range to be freed, because it is not needed for now. The bytes must be
  /// in a temporary file.
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

  /// The part of a temporary file that is in memory at once while it is searched or scanned.
  static let partLength = 32 << 20

  /// The default limit for the length of a source.
  public static let usualLimit = 1 << 30

  package func hasSameContent(as other: SourceBytes) -> Bool {
    count == other.count && Memory.areEqual(memory, other.memory, count: count)
  }

  package var bytes: Bytes { Bytes(start: memory, count: count) }

  /// A range, limited to the existing bytes.
  func bytes(_ range: Range<Int>) -> Bytes {
    let lower = min(max(range.lowerBound, 0), count)
    let upper = min(max(range.upperBound, lower), count)
    return Bytes(start: memory + lower, count: upper - lower)
  }
}
