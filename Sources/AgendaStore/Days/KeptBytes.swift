/// What a file beside the store begins and ends with: what it holds for, and a digest of all before
/// it under the store's key.
enum KeptBytes {
  private static let digestLength = 8

  static func sealed(_ bytes: [UInt8], _ key: StoreKey) -> [UInt8] {
    let digest = digest(bytes[...], key)
    return bytes
      + (0..<digestLength).map { UInt8(truncatingIfNeeded: digest >> (8 * $0)) }
  }

  /// Where the digest begins; `nil` where the bytes hold for something else, or are not what agenda
  /// wrote.
  static func end(
    of bytes: [UInt8], beginningWith head: [UInt8], _ key: StoreKey
  ) -> Int? {
    guard bytes.count >= head.count + digestLength, bytes.starts(with: head) else { return nil }
    let end = bytes.count - digestLength
    let written = bytes[end...].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    return written == digest(bytes[..<end], key) ? end : nil
  }

  private static func digest(_ bytes: ArraySlice<UInt8>, _ key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    bytes.withUnsafeBytes { digest.add($0) }
    return digest.value
  }
}
