internal import Platform

/// The components that are open inside the current one, such as a VALARM.
@usableFromInline package struct Nesting {
  /// The deepest nesting that is accepted. libical's destructor is recursive and overflows a
  /// thread's stack at 10,000 levels.
  package static let most = 8

  /// Digests of the names.
  @usableFromInline private(set) var names: [UInt64] = []
  package private(set) var isTooDeep = false

  package init() {}

  @inlinable
  package var isEmpty: Bool { names.isEmpty }
  @inlinable
  package var depth: Int { names.count }

  package mutating func removeAll() {
    names.removeAll(keepingCapacity: true)
    isTooDeep = false
  }

  package mutating func begin(_ name: Bytes) {
    if names.count < Self.most {
      names.append(Self.digest(name))
    } else {
      // The component will be rejected; only its own END still has to be found.
      isTooDeep = true
    }
  }

  /// Closes the innermost component with that name and everything open inside it. Returns whether
  /// there was one.
  package mutating func end(_ name: Bytes) -> Bool {
    guard let level = names.lastIndex(of: Self.digest(name)) else { return false }
    names.removeSubrange(level...)
    return true
  }

  /// A digest of a component name that ignores letter case.
  package static func digest(_ name: Bytes) -> UInt64 {
    var digest = StableDigest()
    for byte in name { digest.add(byte.isLetter ? byte & 0xDF : byte) }
    return digest.value
  }
}
