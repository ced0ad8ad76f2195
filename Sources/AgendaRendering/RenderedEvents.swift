internal import AgendaCore

/// What was rendered of events that happen often, for the next time that they do: a meeting of every
/// day is decoded and escaped once, not 365 times.
///
/// `Outline` is what else is known of the bytes. Holds so many bytes at most; when they are full it
/// begins anew.
struct RenderedEvents<Outline> {
  // An event is known by the one reference that all its occurrences carry: the agenda holds them as
  // long as it is rendered.
  private var known: [ObjectIdentifier: (place: Range<Int>, outline: Outline)] = [:]
  private var bytes: [UInt8] = []
  private let capacity: Int

  init(capacity: Int = 16 << 20) {
    self.capacity = capacity
  }

  /// Gives to `use` what `render` writes of an event, or what it wrote of it before.
  ///
  /// `isRepeated` says whether the event comes again; nothing is kept of the others.
  mutating func use(
    _ event: borrowing Event, isRepeated: Bool, rendering render: (inout ByteSink) -> Outline,
    _ use: (_ bytes: UnsafeBufferPointer<UInt8>, _ outline: Outline) -> Void
  ) {
    let object = event.object
    if isRepeated, let (place, outline) = known[object] {
      return bytes.withUnsafeBufferPointer {
        use(UnsafeBufferPointer(rebasing: $0[place]), outline)
      }
    }
    var made: Outline?
    let rendered = ByteSink.bytes { made = render(&$0) }
    guard let made else { return }
    rendered.withUnsafeBufferPointer { use($0, made) }
    guard isRepeated, rendered.count <= capacity else { return }
    if bytes.count + rendered.count > capacity {
      known.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
    }
    known[object] = (bytes.count..<(bytes.count + rendered.count), made)
    bytes += rendered
  }
}

extension Occurrence {
  /// Whether the event that happens here may happen elsewhere in an agenda too.
  func isRepeated(days: Int) -> Bool { recurrenceID != nil || days > 1 }
}
