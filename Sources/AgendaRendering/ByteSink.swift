/// Where rendered bytes go: collected in one buffer and handed on when it is full.
///
/// Writing never fails. The first error of `flush` is kept, everything after it is dropped, and
/// `finish()` throws it. Long renderings check `hasFailed` now and then, so that they end when the
/// reader of the output has closed it.
///
///     var sink = ByteSink { bytes in try output.write(bytes) }
///     TextFormat(wording: wording).render(agenda, to: &sink)
///     try sink.finish()
public struct ByteSink: ~Copyable {
  public typealias Flush = (UnsafeRawBufferPointer) throws -> Void

  private let memory: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  /// The number of bytes in the buffer.
  private var waiting = 0
  private var handedOn = 0
  private let flush: Flush
  private var failure: (any Error)?
  /// Whether the next key is the first of its JSON object. A sink may also begin inside an object.
  var isAtFirstKey = false

  /// The length of the longest piece that is written without a check of the free space.
  private static let longestPiece = 64

  public init(capacity: Int = 64 * 1024, flush: @escaping Flush) {
    self.capacity = max(Self.longestPiece, capacity)
    self.flush = flush
    memory = .allocate(capacity: self.capacity)
  }

  deinit { memory.deallocate() }

  /// Whether an error occurred. After that, nothing is passed on.
  public var hasFailed: Bool { failure != nil }

  /// The number of bytes that were written so far.
  package var count: Int { handedOn &+ waiting }

  /// Passes on the rest. Throws the first error.
  public mutating func finish() throws {
    handOn()
    if let failure { throw failure }
  }

  private mutating func handOn() {
    handOn(UnsafeBufferPointer(start: memory, count: waiting))
    waiting = 0
  }

  private mutating func handOn(_ bytes: UnsafeBufferPointer<UInt8>) {
    handedOn += bytes.count
    guard failure == nil, !bytes.isEmpty else { return }
    do {
      try flush(UnsafeRawBufferPointer(bytes))
    } catch {
      failure = error
    }
  }

  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  @inline(__always)
  package mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { write($0) }
  }

  @inline(__always)
  package mutating func write(_ byte: UInt8) {
    if waiting == capacity { handOn() }
    memory[waiting] = byte
    waiting &+= 1
  }

  package mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if bytes.count > capacity - waiting {
      handOn()
      guard bytes.count <= capacity else { return handOn(bytes) }
    }
    (memory + waiting).update(from: source, count: bytes.count)
    waiting &+= bytes.count
  }

  package mutating func write(contentsOf bytes: some Collection<UInt8>) {
    let isWritten: Void? = bytes.withContiguousStorageIfAvailable { write($0) }
    if isWritten == nil { Array(bytes).withUnsafeBufferPointer { write($0) } }
  }

  /// A short piece. `body` writes it and returns its length.
  @inline(__always)
  mutating func writePiece(_ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity - waiting < Self.longestPiece { handOn() }
    waiting &+= min(body(memory + waiting), Self.longestPiece)
  }

  /// A number in decimal digits.
  package mutating func write(_ number: Int) {
    if (0...9).contains(number) { return write(UInt8(ascii: "0") + UInt8(number)) }
    writePiece { piece in
      var rest = number.magnitude
      var length = number < 0 ? 1 : 0
      var digits = rest
      repeat {
        digits /= 10
        length += 1
      } while digits > 0
      if number < 0 { piece[0] = UInt8(ascii: "-") }
      var place = length
      repeat {
        place -= 1
        piece[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      return length
    }
  }

  /// The bytes that `body` writes, for tests and short texts.
  public static func bytes(of body: (inout ByteSink) -> Void) -> [UInt8] {
    var collected: [UInt8] = []
    withUnsafeMutablePointer(to: &collected) { collected in
      var sink = ByteSink(capacity: 4096) { collected.pointee.append(contentsOf: $0) }
      body(&sink)
      sink.handOn()
    }
    return collected
  }
}
