/// Finds the entries of some components among many. Which entries of an agenda belong to these
/// components is computed once, and not again for each section.
package struct ComponentMarks {
  private let components: Set<EventReference>
  /// One of 64 bits for each component. Most other events are ruled out by it, without a search in
  /// the set.
  private let bits: UInt64
  /// By agenda, then by the number of the occurrence.
  private var marks: [ObjectIdentifier: [Bool]] = [:]

  package init(_ components: Set<EventReference>) {
    self.components = components
    bits = components.reduce(0) { $0 | Self.bit(of: $1) }
  }

  private static func bit(of component: EventReference) -> UInt64 {
    1 << UInt64(truncatingIfNeeded: component.component & 63)
  }

  /// The positions of their entries, in order.
  package mutating func places(in entries: [Entry]) -> [Int] {
    var places: [Int] = []
    entries.withUnsafeBufferPointer { entries in
      var start = 0
      while start < entries.count {
        // Consecutive entries usually belong to the same agenda.
        let listed = entries[start].listed
        var end = start + 1
        while end < entries.count, entries[end].listed === listed { end += 1 }
        marks(in: listed).withUnsafeBufferPointer { marked in
          for place in start..<end where marked[entries[place].occurrenceIndex] {
            places.append(place)
          }
        }
        start = end
      }
    }
    return places
  }

  private mutating func marks(in listed: ListedOccurrences) -> [Bool] {
    if let known = marks[ObjectIdentifier(listed)] { return known }
    let marked = listed.components.map {
      bits & Self.bit(of: $0) != 0 && components.contains($0)
    }
    marks[ObjectIdentifier(listed)] = marked
    return marked
  }
}
