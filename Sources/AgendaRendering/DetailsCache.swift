internal import AgendaCore

/// What was rendered of an event's details, for the next time that it happens: a meeting of every day
/// is decoded once, not 365 times.
///
/// Holds so many bytes at most; when they are full it begins anew.
struct DetailsCache {
  private var places: [EventReference: Range<Int>] = [:]
  private var bytes: [UInt8] = []

  private static let capacity = 8 << 20

  /// Writes what `body` writes, or what it wrote for the same event before.
  mutating func write(
    _ reference: EventReference, to sink: inout ByteSink, _ body: (inout ByteSink) -> Void
  ) {
    if let place = places[reference] { return sink.write(contentsOf: bytes[place]) }
    let made = ByteSink.bytes(of: body)
    sink.write(contentsOf: made)
    if bytes.count + made.count > Self.capacity {
      places.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
    }
    guard made.count <= Self.capacity else { return }
    places[reference] = bytes.count..<(bytes.count + made.count)
    bytes += made
  }
}
