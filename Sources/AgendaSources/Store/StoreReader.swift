package import AgendaCore
package import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar

/// Decodes the components of a store with the reader of files.
package final class StoreReader {
  package let store: Store
  package let zones: ZoneDatabase
  /// The sources, with those that were removed, by number. They are read once for each state of the
  /// store.
  private var sources: [Int: StoredSource] = [:]
  private var hasNamedContexts = false
  private var version: Int?

  package init(_ store: Store, zones: ZoneDatabase) {
    self.store = store
    self.zones = zones
  }

  /// All components with some UIDs, and what they mean together.
  package func excerpt(
    ofUIDs uids: some Collection<Int>, at moment: Store.Moment = .present
  ) throws(StoreError) -> StoreExcerpt {
    try store.reading { () throws(StoreError) in
      StoreExcerpt(
        try files(try store.components(ofUIDs: uids, at: moment), at: moment))
    }
  }

  /// All components with some UIDs, those of one source as before a generation, and of all others the
  /// present ones: what the import of the source finds, if its command has imported others before.
  /// `present` are the present components with these UIDs.
  package func excerpt(
    ofUIDs uids: some Collection<Int>, ofSource source: Int, before generation: Int,
    present: [Event]
  ) throws(StoreError) -> StoreExcerpt {
    try store.reading { () throws(StoreError) in
      let others = try store.components(
        ids: present.lazy.map(\.reference).filter { $0.source != source }.map(\.component))
      let own = try store.components(
        ofUIDs: uids, ofSource: source, at: .before(generation: generation))
      return StoreExcerpt(
        try files(others + own, at: .before(generation: generation)))
    }
  }

  /// Components as files, each with the components of one source that have the same lines around them.
  package func files(
    _ components: [StoredComponent], at moment: Store.Moment = .present
  ) throws(StoreError) -> CalendarFiles {
    try store.reading { () throws(StoreError) in
      try readSources()
      var previous: [Int: String] = [:]
      if case .before(let generation) = moment {
        previous = try store.previousCalendars(from: generation)
      }
      let contexts = try store.contexts(Set(components.map(\.context)))
      let additions = Set(contexts.lazy.filter(\.value.isAddition).map(\.key))
      var groups: [Group: [Int]] = [:]
      var order: [Group] = []
      for (index, component) in components.enumerated() {
        // Of all decisions, each document is about events of another source or calendar.
        let isDecision = sources[component.source]?.source.kind == .decisions
        let isMessage = component.kind.isMessage || isDecision
        let group = Group(
          source: component.source, context: component.context,
          omitsCostlyRules: component.omitsCostlyRules,
          document: isMessage || additions.contains(component.context)
            ? component.document : nil)
        if groups[group] == nil { order.append(group) }
        groups[group, default: []].append(index)
      }
      var files: [CalendarFile] = []
      for group in order {
        guard let context = contexts[group.context] else { continue }
        var reader = CalendarReader(zones: zones)
        reader.options.source = group.source
        reader.options.messageScope = try scope(of: group, previous)
        let source = sources[group.source]
        let name =
          context.calendarName ?? previous[group.source] ?? source?.source.calendar ?? ""
        let pieces = CalendarPieces(
          context: CalendarFile.Context(isCalendar: context.isCalendar, context.text),
          components: (groups[group] ?? []).map { (components[$0].id, components[$0].text) },
          omitsCostlyRules: group.omitsCostlyRules)
        if let file = reader.read(pieces, calendar: name) { files.append(file) }
      }
      return CalendarFiles(
        files, order: components.map(\.reference), documents: try documents(of: components))
    }
  }

  /// The names of the files that have the components whose UIDs are in several sources.
  private func documents(
    of components: [StoredComponent]
  ) throws(StoreError) -> [EventReference: String] {
    guard let first = components.first, components.contains(where: { $0.source != first.source })
    else { return [:] }
    var sourceOfUID: [Int: Int] = [:]
    var shared: Set<Int> = []
    for component in components {
      let known = sourceOfUID[component.uid] ?? component.source
      sourceOfUID[component.uid] = known
      if known != component.source { shared.insert(component.uid) }
    }
    var names: [Int: String] = [:]
    var documents: [EventReference: String] = [:]
    for component in components where shared.contains(component.uid) {
      let name: String
      if let known = names[component.document] {
        name = known
      } else {
        let document = try store.nameAndMail(ofDocument: component.document).name
        name = document.isEmpty ? sources[component.source]?.source.location ?? "" : document
        names[component.document] = name
      }
      documents[component.reference] = name
    }
    return documents
  }

  private struct Group: Hashable {
    let source: Int
    let context: Int
    let omitsCostlyRules: Bool
    /// Only of messages: which events they are about can depend on their document.
    let document: Int?
  }

  /// Which events the messages of some components are about.
  private func scope(
    of group: Group, _ previous: [Int: String]
  ) throws(StoreError) -> Message.Scope {
    guard let document = group.document else { return .calendar }
    let (name, isMail) = try store.nameAndMail(ofDocument: document)
    guard sources[group.source]?.source.kind == .decisions else {
      return isMail ? .allCalendars : .calendar
    }
    return .calendars(try calendars(of: DecisionPlace(document: name), previous))
  }

  /// The calendars that the decisions of a place are about: the one in which they were made, and the one
  /// in which the source is now. So they stay when a source moves to another calendar, and when one of
  /// these comes back. An import moves them to the place where their events are now. `previous` has the
  /// calendars that sources had at the moment that is read, if they moved since.
  func calendars(
    of place: DecisionPlace, _ previous: [Int: String] = [:]
  ) throws(StoreError) -> Set<String> {
    try readSources()
    var calendars: Set<String> = []
    if let calendar = place.calendar { calendars.insert(calendar) }
    let own = sources.values.filter { $0.source.location == place.location }
    var holders = own.filter { !$0.isRemoved }
    // Before its removal, a decision was about the source that is gone.
    if holders.isEmpty, let last = own.max(by: { $0.id < $1.id }) { holders = [last] }
    for holder in holders {
      calendars.insert(holder.source.calendar)
      if let before = previous[holder.id] { calendars.insert(before) }
      guard hasNamedContexts else { continue }
      // Of the calendars of one file, a decision is about its own.
      let names = try store.calendarNames(ofSource: holder.id)
      if names.isEmpty { continue }
      if let calendar = place.calendar, names.contains(calendar) {
        calendars.remove(holder.source.calendar)
        calendars.insert(calendar)
      } else {
        calendars.formUnion(names)
      }
    }
    return calendars
  }

  private func readSources() throws(StoreError) {
    let present = try store.dataVersion()
    let generation = try store.state().generation
    let state = present &* 31 &+ generation
    if version == state { return }
    version = state
    sources = Dictionary(
      try store.sources(includingRemoved: true).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    hasNamedContexts = try store.hasNamedContexts()
  }

  /// Forgets what it knows of the sources, after a change by the same connection.
  package func forgetSources() { version = nil }

  /// The present sources.
  package func presentSources() throws(StoreError) -> [StoredSource] {
    try readSources()
    return sources.values.filter { !$0.isRemoved }.sorted { $0.id < $1.id }
  }

  package func source(_ id: Int) throws(StoreError) -> StoredSource? {
    try readSources()
    return sources[id]
  }

  /// The number of events and tasks that a source has, without older versions and messages.
  package func entryCount(ofSource id: Int) throws(StoreError) -> Int {
    let counts = try store.componentCounts()[id] ?? [:]
    let count = (counts[.event] ?? 0) + (counts[.task] ?? 0)
    guard let several = try store.uidsBySource(.ofSeveral)[id], !several.isEmpty else {
      return count
    }
    let excerpt = try excerpt(ofUIDs: several)
    return count - excerpt.assembly.superseded.count { $0.source == id }
  }

  /// What a selection lets a query leave out.
  package func filter(
    _ selection: Selection?, kinds: [Event.Kind] = Event.Kind.allCases
  ) throws(StoreError) -> Store.ComponentFilter {
    try readSources()
    let kinds = kinds.filter { selection?.admitsKind($0) ?? true }.map { ComponentKind($0) }
    var filter = Store.ComponentFilter(kinds: Set(kinds))
    // A source can have several calendars, and a mail is about those of other sources.
    if let selection, !hasNamedContexts {
      let admitted = sources.values.filter {
        $0.source.calendar.isEmpty || selection.admitsCalendar(named: $0.source.calendar)
      }
      if admitted.count < sources.count { filter.sources = Set(admitted.map(\.id)) }
    }
    return filter
  }
}

/// The components of some UIDs, decoded once, and what they mean together.
package struct StoreExcerpt {
  package let files: CalendarFiles
  /// All components as events, messages too.
  package let events: [Event]
  package let assembly: SeriesAssembly

  init(_ files: CalendarFiles) {
    self.files = files
    events = files.componentEvents
    assembly = files.assembly(of: events)
  }
}

extension StoredContext {
  /// Whether its components add occurrences to events of others (RFC 5546 3.2.4).
  fileprivate var isAddition: Bool {
    FileLines(text).lines.contains { $0.method == "ADD" }
  }

  /// Whether its components are in vCalendar 1.0.
  var isVersion1: Bool { FileLines(text).lines.contains(where: \.isVersion1) }
}
