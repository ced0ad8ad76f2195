/// Finds the entries of some components among many: which of an agenda's occurrences are theirs is
/// worked out once, and not again for each of its sections.
package struct ComponentMarks {
  private let components: Set<EventReference>
  /// By agenda, then by occurrence.
  private var marks: [ObjectIdentifier: [Bool]] = [:]

  package init(_ components: Set<EventReference>) {
    self.components = components
  }

  /// The places of their entries, in order.
  package mutating func places(in entries: [Entry]) -> [Int] {
    var places: [Int] = []
    var agenda: AgendaStorage?
    var marked: [Bool] = []
    for place in entries.indices {
      if entries[place].storage !== agenda {
        let storage = entries[place].storage
        agenda = storage
        marked = marks[ObjectIdentifier(storage)] ?? mark(storage)
      }
      if marked[entries[place].occurrenceIndex] { places.append(place) }
    }
    return places
  }

  private mutating func mark(_ storage: AgendaStorage) -> [Bool] {
    var marked = [Bool](repeating: false, count: storage.occurrences.count)
    // Occurrences of one event mostly follow each other.
    var last: (component: EventReference, isMarked: Bool)?
    for index in storage.occurrences.indices {
      let component = storage.occurrences[index].event.reference
      if last?.component != component { last = (component, components.contains(component)) }
      marked[index] = last?.isMarked ?? false
    }
    marks[ObjectIdentifier(storage)] = marked
    return marked
  }
}
