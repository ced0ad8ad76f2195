internal import AgendaStore
internal import ICalendar

/// The digest of a component's bytes without DTSTAMP and LAST-MODIFIED, which many servers renew at
/// every download. A component with a known digest is unchanged and need not be decoded.
struct ComponentDigest: Hashable, Sendable {
  let value: Int

  /// `bytes` are the component from its BEGIN to its END line.
  init(of bytes: Bytes, key: StoreKey) {
    var content = ContentDigest(key: key.number)
    var taken = 0
    var cursor = LineCursor(bytes, from: 0, to: bytes.count)
    while let line = cursor.next() {
      guard
        bytes.hasProperty("LAST-MODIFIED", at: line) || bytes.hasProperty("DTSTAMP", at: line)
      else { continue }
      content.add(UnsafeRawBufferPointer(bytes.part(taken, line.start)))
      taken = cursor.position
    }
    content.add(UnsafeRawBufferPointer(bytes.part(taken, bytes.count)))
    value = content.value
  }
}
