internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar

/// What the store has of an event and of all others with its UID. It is read once for each edit.
struct LoadedSeries {
  /// A component of the event's source that is no message.
  struct Version {
    /// As messages left it.
    let event: Event
    let text: [UInt8]
    /// As its source has it.
    let sourceText: [UInt8]
    let document: Int
    let context: Int
  }

  let occurrence: Occurrence
  let source: StoredSource
  let excerpt: StoreExcerpt
  /// All versions in the source, in the order of its documents.
  let versions: [Version]
  /// The component of the occurrence; of an occurrence that only messages make, its series.
  let home: Version
  /// What the versions mean without other sources.
  let assembly: SeriesAssembly
  /// If several events have the UID, the versions that would be shown in place of this one if it were
  /// removed: older ones and copies.
  let uncoveredByRemoval: Set<EventReference>
  /// The overrides that only messages make, and that stay when the event changes: those of occurrences
  /// that do not take place, those that the user decides about, and that of the occurrence. Other answers
  /// to single occurrences apply only to the version that they answered.
  let overridesFromMessages: [Version]
  /// What the user decided about the event when agenda did not write its source. An edit writes it into the
  /// event, and then these messages go.
  let decisions: [Event]
  /// The number of each component's document, and its context.
  private let components: [StoredComponent]

  init(_ occurrence: Occurrence, viewer: Zone, _ reader: StoreReader) throws(StoreError) {
    let event = occurrence.event
    let unknown = StoreError.unknown(what: "event", name: event.identity.uid)
    let store = reader.store
    self.occurrence = occurrence
    components = try store.components(
      ofUIDs: [store.uidDigest(of: event.identity.uid, ComponentKind(event.kind))])
    excerpt = StoreExcerpt(try reader.files(components))
    guard let source = try reader.source(event.reference.source), !source.isRemoved else {
      throw unknown
    }
    self.source = source
    let stored = Dictionary(components.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var shown: [EventReference: Event] = [:]
    var series: [EventReference: EventReference] = [:]
    for found in excerpt.assembly.series {
      for part in [found.master] + found.overrides {
        shown[part.reference] = part
        series[part.reference] = found.master.reference
      }
    }
    let files = excerpt.files
    versions = excerpt.events.compactMap { component in
      guard component.reference.source == source.id, !files.isMessage(component.reference),
        let row = stored[component.reference.component]
      else { return nil }
      var event = component
      var text = files.text(of: event.reference) ?? row.text
      if let shown = shown[event.reference] {
        event.status = shown.status
        event.identity = shown.identity
        event.recurrence = shown.recurrence
        text = ComponentText(text).changing(component, to: shown, reader.zones)
      }
      return Version(
        event: event, text: text, sourceText: row.text, document: row.document,
        context: row.context)
    }
    let contents = versions
    func version(_ reference: EventReference) -> Version? {
      contents.first { $0.event.reference == reference }
    }
    assembly = SeriesAssembly(versions.map(\.event)) { files.content(of: $0) }
    let superseded = assembly.superseded
    // A change since the occurrence was read has given the event a new component.
    func successor() -> Version? {
      let all = contents.filter { !superseded.contains($0.event.reference) }
      return all.first { $0.event.identity == event.identity }
        ?? all.first { $0.event.identity.recurrenceID == nil }
    }
    guard
      let home = version(event.reference) ?? series[event.reference].flatMap(version)
        ?? successor()
    else { throw unknown }
    self.home = home
    let decided = try reader.presentSources().first { $0.source.kind == .decisions }?.id
    let calendars = Set(versions.map(\.event.calendar))
    let others = Set(
      excerpt.events.lazy.filter { !files.isMessage($0.reference) }.map(\.calendar)
    ).subtracting(calendars)
    let isShared = assembly.eventCount > 1
    decisions = excerpt.events.filter { message in
      guard !isShared, message.reference.source == decided,
        case .calendars(let names)? = files.file(of: message.reference)?.messageScope
      else { return false }
      return !names.isDisjoint(with: calendars) && names.isDisjoint(with: others)
    }
    uncoveredByRemoval = Self.versionsUncovered(
      byRemoving: home, of: versions, assembly, excerpt.files)
    let places = ([occurrence.recurrenceID] + decisions.map(\.identity.recurrenceID))
      .compactMap(\.self)
    var made: [Version] = []
    for found in excerpt.assembly.series {
      guard let master = version(found.master.reference) else { continue }
      for override in found.overrides {
        guard
          excerpt.assembly.derivations[override.reference]?.isMade(for: override.reference) == true,
          let text = files.text(of: override.reference)
        else { continue }
        let isChosen = places.contains {
          override.identity.recurrenceID?.isSameStart(as: $0, viewer: viewer) == true
        }
        let isOfOne = !override.identity.includesFollowing
        guard override.status == .cancelled || isChosen && isOfOne else { continue }
        made.append(
          Version(
            event: override, text: text, sourceText: text, document: master.document,
            context: master.context))
      }
    }
    overridesFromMessages = made
  }

  var event: Event { occurrence.event }

  /// Whether several events of the source have the UID, so that no version replaces another one.
  var sharesUID: Bool { assembly.eventCount > 1 }

  /// Whether a newer version replaces it.
  func isOlder(_ version: Version) -> Bool {
    assembly.superseded.contains(version.event.reference)
  }

  /// Whether the user hides it.
  func isHidden(_ version: Version) -> Bool {
    excerpt.assembly.hidden.contains(version.event.reference)
  }

  /// Whether it belongs to another event with the UID.
  func isOfOther(_ version: Version) -> Bool {
    guard sharesUID else { return false }
    let own = assembly.series(with: home.event.reference)
    let other = assembly.series(with: version.event.reference)
    return other != nil && other?.master.reference != own?.master.reference
  }

  private static func versionsUncovered(
    byRemoving home: Version, of versions: [Version], _ assembly: SeriesAssembly,
    _ files: CalendarFiles
  ) -> Set<EventReference> {
    guard assembly.eventCount > 1, let own = assembly.series(with: home.event.reference) else {
      return []
    }
    let removed = Set(([own.master] + own.overrides).map(\.reference))
    var uncovered: Set<EventReference> = []
    while true {
      let rest = versions.map(\.event).filter {
        !removed.contains($0.reference) && !uncovered.contains($0.reference)
      }
      let after = SeriesAssembly(rest) { files.content(of: $0) }
      let more = rest.lazy.map(\.reference).filter {
        assembly.superseded.contains($0) && !after.superseded.contains($0)
      }
      if more.isEmpty { return uncovered }
      uncovered.formUnion(more)
    }
  }

  /// The versions of the event that no newer one replaces. If several events have the UID, those in
  /// the document of the event.
  var current: [Version] {
    versions.filter {
      !isOlder($0) && !isOfOther($0) && !isHidden($0)
        && (!sharesUID || $0.document == home.document)
    }
  }

  /// Whether a source has an event with the UID and kind.
  func isIn(source: Int) -> Bool {
    components.contains { $0.source == source && !$0.kind.isMessage }
  }

  /// The locations of the other sources of the calendar that have the event.
  func copies(_ reader: StoreReader) throws(StoreError) -> [String] {
    let others = excerpt.events.filter {
      $0.reference.source != source.id && $0.calendar == event.calendar
        && !excerpt.files.isMessage($0.reference)
    }
    if others.isEmpty { return [] }
    let files = excerpt.files
    let all = SeriesAssembly(versions.map(\.event) + others) { files.content(of: $0) }
    if all.eventCount > 1 { return [] }
    var locations: Set<String> = []
    for other in others {
      if let found = try reader.source(other.reference.source) {
        locations.insert(found.source.location)
      }
    }
    return locations.sorted()
  }

  /// Versions as text of iCalendar 2.0, with the lines that decide what their times mean.
  func text(of versions: [Version], _ store: Store) throws(StoreError) -> [UInt8] {
    let contexts = try store.contexts(Set(versions.map(\.context)))
    let old = versions.filter { contexts[$0.context]?.isVersion1 == true }
    let others = versions.filter { contexts[$0.context]?.isVersion1 != true }
    return try StoredText(store: store).calendars(of: others.map { ($0.context, $0.text) })
      + converted(old)
  }

  private func converted(_ versions: [Version]) -> [UInt8] {
    if versions.isEmpty { return [] }
    var converted = ConvertedComponents()
    let components = versions.map { version in
      let reference = version.event.reference
      return converted.add(
        version.text, as: reference, version.event, excerpt.files.details(of: reference)
      ).flatMap { FileLines.folded($0) }
    }
    return CalendarText.wrapping(components, definitions: converted.definitions.flatMap(\.self))
  }

  /// Versions as components for an editor.
  func members(of versions: [Version]) -> [SeriesEditor.Member] {
    versions.enumerated().map { index, version in
      SeriesEditor.Member(
        id: .component(index, document: 0), event: version.event, text: version.text
      ).withoutUnusedRecurrenceID
    }
  }
}

extension SeriesAssembly {
  /// The number of different events.
  var eventCount: Int { series.count { $0.master.identity.recurrenceID == nil } }

  /// The event that has a component.
  func series(with reference: EventReference) -> Series? {
    series.first { ([$0.master] + $0.overrides).contains { $0.reference == reference } }
  }
}
