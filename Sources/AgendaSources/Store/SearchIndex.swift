internal import AgendaCore
internal import AgendaReader
internal import AgendaStore

/// The words of events, by which a search finds their UIDs: in the title, location, categories,
/// description and the names of the people, in any letter case and with or without accents.
struct SearchIndex {
  private let reader: StoreReader

  init(_ reader: StoreReader) { self.reader = reader }

  /// The UIDs of all components that contain each of the words, also within longer words, and maybe
  /// others. `nil` if the index cannot narrow the search: then every component must be read.
  ///
  /// The index is updated first. That fails if the store cannot be written.
  func uids(withWords words: [String]) throws(StoreError) -> [Int]? {
    let store = reader.store
    let isComplete = try store.updateSearchIndex { pieces throws(StoreError) in
      try self.words(of: pieces)
    }
    guard isComplete else { return nil }
    let query = try SearchText.query(words) { part throws(StoreError) in
      try store.indexedWords(containing: part)
    }
    return try query.map { query throws(StoreError) in try store.uids(matching: query) }
  }

  private func words(
    of components: [StoredComponent]
  ) throws(StoreError) -> [(component: Int, words: [UInt8])] {
    var found: [(component: Int, words: [UInt8])] = []
    var text = SearchText()
    for file in try reader.files(components).files {
      file.forEachEventWithDetails(in: 0..<file.eventCount) { event, details, _, _ in
        text.removeAll()
        text.add(event.title)
        text.add(event.location)
        text.add(details.description)
        text.add(details.organizer?.name)
        text.add(details.organizer?.email)
        for category in event.categories { text.add(category) }
        for attendee in details.attendees {
          text.add(attendee.person.name)
          text.add(attendee.person.email)
        }
        found.append((event.reference.component, text.bytes))
      }
    }
    return found
  }
}
