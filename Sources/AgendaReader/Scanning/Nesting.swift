/// What is open within a component: VALARM and others.
struct Nesting {
  /// Components nested deeper than this are no calendar's; the destructor of libical is recursive
  /// and does not survive 10,000 levels on the stack of a thread.
  static let most = 8

  /// Digests of the names.
  private var names: [UInt64] = []
  private(set) var isTooDeep = false

  var isEmpty: Bool { names.isEmpty }
  var depth: Int { names.count }

  mutating func removeAll() {
    names.removeAll(keepingCapacity: true)
    isTooDeep = false
  }

  mutating func begin(_ name: Bytes) {
    if names.count < Self.most {
      names.append(Self.digest(name))
    } else {
      // The component is rejected; what still matters is that its own END is found.
      isTooDeep = true
    }
  }

  /// Closes the innermost of that name and what is open within it; whether there was one.
  mutating func end(_ name: Bytes) -> Bool {
    guard let level = names.lastIndex(of: Self.digest(name)) else { return false }
    names.removeSubrange(level...)
    return true
  }

  /// The same for a name in any letter case.
  static func digest(_ name: Bytes) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name {
      let capital = byte.isLetter ? byte & 0xDF : byte
      hash = (hash ^ UInt64(capital)) &* 0x100_0000_01b3
    }
    return hash
  }
}
