/// Where rendered bytes go: collected in one buffer and handed on when it is full.
///
/// Writing never fails: the first error that handing on meets is kept, what is written after it is
/// dropped, and `finish()` throws it. Whoever renders much looks at `hasFailed` now and then, so that
/// a reader who went away ends the work.
///
///     var sink = ByteSink { bytes in try output.write(bytes) }
///     TextFormat(wording: wording).render(agenda, to: &sink)
///     try sink.finish()
public struct ByteSink: ~Copyable {
  public typealias Flush = (UnsafeRawBufferPointer) throws -> Void

  private var buffer: [UInt8] = []
  private let capacity: Int
  private let flush: Flush
  private var failure: (any Error)?

  public init(capacity: Int = 64 * 1024, flush: @escaping Flush) {
    self.capacity = max(1, capacity)
    self.flush = flush
    buffer.reserveCapacity(self.capacity + self.capacity / 4)
  }

  /// Whether an error came up. Nothing is handed on from then on.
  public var hasFailed: Bool { failure != nil }

  /// Hands on what is left. Throws the first error of all.
  public mutating func finish() throws {
    handOn()
    if let failure { throw failure }
  }

  private mutating func handOn() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil, !buffer.isEmpty else { return }
    do {
      try buffer.withUnsafeBytes(flush)
    } catch {
      failure = error
    }
  }

  public mutating func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= capacity { handOn() }
  }

  package mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { buffer.append(contentsOf: $0) }
    if buffer.count >= capacity { handOn() }
  }

  package mutating func write(_ byte: UInt8) {
    buffer.append(byte)
    if buffer.count >= capacity { handOn() }
  }

  package mutating func write(contentsOf bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= capacity { handOn() }
  }

  /// A number in decimal digits.
  package mutating func write(_ number: Int) {
    if (0...9).contains(number) {
      write(UInt8(ascii: "0") + UInt8(number))
    } else {
      write(String(number))
    }
  }

  /// A number of at least two digits, as in times and dates.
  package mutating func write(twoDigits number: Int) {
    guard (0...99).contains(number) else { return write(number) }
    write(UInt8(ascii: "0") + UInt8(number / 10))
    write(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// What `body` writes, as bytes: for tests, and for what is small.
  public static func bytes(of body: (inout ByteSink) -> Void) -> [UInt8] {
    var collected: [UInt8] = []
    withUnsafeMutablePointer(to: &collected) { collected in
      var sink = ByteSink { collected.pointee.append(contentsOf: $0) }
      body(&sink)
      sink.handOn()
    }
    return collected
  }
}
