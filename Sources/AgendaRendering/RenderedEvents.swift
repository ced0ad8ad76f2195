internal import AgendaCore

/// Keeps the rendered parts of events that occur often. So a daily meeting is decoded and escaped
/// once, and not 365 times.
///
/// `Outline` describes the bytes. The memory is limited. When it is full, it is emptied.
struct RenderedEvents<Outline> {
  // The key is the event object that all of its occurrences share. The agenda keeps it alive during
  // the rendering.
  private var known: [ObjectIdentifier: (place: Range<Int>, outline: Outline)] = [:]
  private var bytes: [UInt8] = []
  private let capacity: Int

  init(capacity: Int = 16 << 20) {
    self.capacity = capacity
  }

  /// Calls `use` with the bytes that `render` writes for an event, or wrote for it before.
  ///
  /// `isRepeated` is true if the event can occur again. Other events are not kept.
  mutating func use(
    _ event: borrowing Event, isRepeated: Bool, rendering render: (inout ByteSink) -> Outline,
    _ use: (_ bytes: UnsafeBufferPointer<UInt8>, _ outline: Outline) -> Void
  ) {
    if isRepeated, let (place, outline) = find(event) {
      return withBytes(at: place) { use($0, outline) }
    }
    var made: Outline?
    let rendered = ByteSink.bytes { made = render(&$0) }
    guard let made else { return }
    rendered.withUnsafeBufferPointer { use($0, made) }
    if isRepeated { keep(rendered, made, of: event) }
  }

  /// Where the bytes of an event are; `nil` if they are not kept.
  func find(_ event: borrowing Event) -> (place: Range<Int>, outline: Outline)? {
    known[event.object]
  }

  func withBytes(at place: Range<Int>, _ use: (UnsafeBufferPointer<UInt8>) -> Void) {
    bytes.withUnsafeBufferPointer { use(UnsafeBufferPointer(rebasing: $0[place])) }
  }

  /// Keeps the bytes of an event, unless they need more than all of the memory.
  mutating func keep(_ rendered: [UInt8], _ outline: Outline, of event: borrowing Event) {
    guard rendered.count <= capacity else { return }
    if bytes.count + rendered.count > capacity {
      known.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
    }
    known[event.object] = (bytes.count..<(bytes.count + rendered.count), outline)
    bytes += rendered
  }
}
