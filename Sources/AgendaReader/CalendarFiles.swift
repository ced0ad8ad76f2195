package import AgendaCore
package import CivilTime
internal import ICalendar

/// Files that are read together: what one has can replace, cancel or answer what another has.
/// `SeriesAssembly` decides what they mean.
package struct CalendarFiles: Sendable {
  package let files: [CalendarFile]
  /// The name of each file in findings.
  let names: [String]
  /// The names of the documents of stored components.
  private let documents: [EventReference: String]
  /// Whether any component is a message about events.
  package let hasMessages: Bool
  private let components: FileComponents
  /// The positions of components that are not read in the order of the files.
  private let positions: [EventReference: Int]
  /// The events that messages change or make, and the components that these are made of.
  private var derived: [EventReference: Derived] = [:]
  private var bases: [EventReference: Event] = [:]

  private struct Derived {
    let event: Event
    let derivation: Derivation
  }

  /// `names` are the names of the files; by default those of their calendars. `order` is that of all
  /// components, if it is not that of the files. `documents` are the names of the files that have
  /// components of a store, if they matter.
  package init(
    _ files: [CalendarFile], names: [String]? = nil, order: [EventReference] = [],
    documents: [EventReference: String] = [:]
  ) {
    self.files = files
    self.names = names ?? files.map(\.name)
    self.documents = documents
    hasMessages = files.contains(where: \.hasMessages)
    components = FileComponents(files)
    // A single file has them in its own order.
    positions =
      files.count < 2
      ? [:]
      : Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    if hasMessages { derive() }
  }

  private mutating func derive() {
    let uids = files.reduce(into: Set<UInt64>()) { $0.formUnion($1.uidsOfMessages) }
    let (events, messages) = decoded(uids)
    let assembly = assembly(of: events, messages)
    guard !assembly.derivations.isEmpty else { return }
    for series in assembly.series {
      for event in [series.master] + series.overrides {
        guard let derivation = assembly.derivations[event.reference] else { continue }
        derived[event.reference] = Derived(event: event, derivation: derivation)
      }
    }
    let needed = Set(
      assembly.derivations.values.flatMap { [$0.base, $0.completedBy].compactMap(\.self) })
    for event in events where needed.contains(event.reference) { bases[event.reference] = event }
  }

  // MARK: Assemblies

  /// What all components mean. `components` are all of them, as `componentEvents` decoded them.
  package func assembly(of components: [Event]) -> SeriesAssembly {
    let (events, messages) = divided(components)
    return assembly(of: events, messages)
  }

  /// What all components mean.
  package var assembly: SeriesAssembly { assembly(of: componentEvents) }

  /// What the components with some UIDs mean. The UIDs are given by their digests.
  package func assembly(ofUIDs uids: Set<UInt64>) -> SeriesAssembly {
    let (events, messages) = decoded(uids)
    return assembly(of: events, messages)
  }

  /// What the components with a UID mean.
  package func assembly(ofUID uid: String) -> SeriesAssembly {
    assembly(ofUIDs: [Array(uid.utf8).withUnsafeBufferPointer { $0.digest() }])
  }

  /// What can affect a span of time: if one component of a UID may touch it, all components with the
  /// UID are read, because one can replace, move or outdate another.
  package func assembly(touching span: Range<Instant>) -> SeriesAssembly {
    assembly(ofUIDs: files.reduce(into: Set<UInt64>()) { $0.formUnion($1.uids(touching: span)) })
  }

  private func assembly(of events: [Event], _ messages: [Message]) -> SeriesAssembly {
    var budget = WorkBudget()
    return SeriesAssembly(events, messages: messages, reading: self, budget: &budget)
  }

  private func decoded(_ uids: Set<UInt64>) -> (events: [Event], messages: [Message]) {
    divided(inOrder(files.flatMap { $0.events(withUIDs: uids) }))
  }

  /// All components as events, messages too.
  package var componentEvents: [Event] { inOrder(files.flatMap(\.allEvents)) }

  private func inOrder(_ events: [Event]) -> [Event] {
    if positions.isEmpty { return events }
    let places = events.map { positions[$0.reference] ?? .max }
    return events.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { events[$0] }
  }

  /// Versions of events, and messages about them.
  private func divided(_ components: [Event]) -> (events: [Event], messages: [Message]) {
    if !hasMessages { return (components, []) }
    var events: [Event] = []
    var messages: [Message] = []
    for event in components {
      guard let file = self.components.file(of: event.reference) else { continue }
      switch file.method(ofComponent: event.reference.component) {
      case .version: events.append(event)
      case .message(let method):
        messages.append(
          Message(
            method: method, event: event, scope: file.messageScope,
            hides: file.hides(event.reference.component),
            completes: file.completes(event.reference.component)))
      case .ignored: break
      }
    }
    return (events, messages)
  }

  // MARK: Components

  /// The file of a component.
  package func fileIndex(of reference: EventReference) -> Int? {
    components.fileIndex(of: component(of: reference))
  }

  package func file(of reference: EventReference) -> CalendarFile? {
    fileIndex(of: reference).map { files[$0] }
  }

  /// Whether it has an event, or the component that it is made of.
  package func contains(_ reference: EventReference) -> Bool { file(of: reference) != nil }

  /// The component whose text and details an event has: its own, unless messages made the event.
  package func component(of reference: EventReference) -> EventReference {
    derived[reference]?.derivation.base ?? reference
  }

  /// Whether a component is a cancellation.
  package func isCancellation(_ reference: EventReference) -> Bool {
    components.file(of: reference)?.isCancellation(reference.component) ?? false
  }

  /// Whether a component is a message about events, and no version of one.
  package func isMessage(_ reference: EventReference) -> Bool {
    components.file(of: reference)?.isMessage(reference.component) ?? false
  }

  package func line(of reference: EventReference) -> Int? {
    let component = component(of: reference)
    return components.file(of: component)?.line(ofComponent: component.component)
  }

  package func calendarZoneName(of reference: EventReference) -> String? {
    let component = component(of: reference)
    return components.file(of: component)?.zoneName(ofCalendarOf: component.component)
  }

  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    let component = component(of: reference)
    return components.file(of: component)?.attachmentBytes(of: component, number: number)
  }

  package func details(of reference: EventReference) -> EventDetails {
    guard let derivation = derived[reference]?.derivation else {
      return components.file(of: reference)?.details(of: reference) ?? EventDetails()
    }
    var details =
      derivation.isMade(for: reference)
      ? self.details(of: derivation.base)
      : components.file(of: reference)?.details(of: reference) ?? EventDetails()
    if let series = derivation.completedBy { details.takePeople(of: self.details(of: series)) }
    details.take(answers: derivation.answers)
    if let completed = derivation.completed {
      details.completed = completed
      details.percentComplete = 100
    }
    return details
  }

  /// The text of the component of an event, as its source has it.
  package func sourceText(of reference: EventReference) -> [UInt8]? {
    let component = component(of: reference)
    return components.file(of: component)?.withComponent(component.component) { Array($0) }
  }

  /// The text that an event has with what messages changed.
  package func text(of reference: EventReference) -> [UInt8]? {
    guard var text = sourceText(of: reference) else { return nil }
    guard let derived = derived[reference] else { return text }
    let derivation = derived.derivation
    if derivation.isMade(for: reference) {
      if let series = derivation.completedBy, let base = bases[series],
        let seriesText = self.text(of: series)
      {
        text = CancellationBase(series: base, details: details(of: series), text: seriesText)
          .text(of: derived.event, details(of: reference), cancellation: text)
      } else if derivation.isCancelled {
        text = CancelledText.bytes(of: text, title: derived.event.title)
      } else if let series = bases[derivation.base] {
        text = self.text(of: derivation.base) ?? text
        let lines = OverrideText(series: series, text: text).lines(of: derived.event)
        text = OverrideText.bytes(lines, series: text)
      }
    } else if derivation.isCancelled {
      text = CancelledText.bytes(of: text)
    }
    if !derivation.answers.isEmpty { text = ComponentText(text).answered(derivation.answers) }
    return derivation.completed.map { CompletedText.bytes(of: text, at: $0) } ?? text
  }
}

extension CalendarFiles: ComponentReading {
  package func content(of event: Event) -> EventContent {
    let component = component(of: event.reference)
    return components.file(of: component)?.content(of: event, component: component.component)
      ?? EventContent(event, meaning: 0, lasting: 0, text: 0)
  }

  package func fileName(of component: EventReference) -> String {
    let reference = self.component(of: component)
    let path = documents[reference] ?? fileIndex(of: reference).map { names[$0] } ?? ""
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  package func attendees(of component: EventReference) -> [Attendee] {
    components.file(of: component)?.details(of: component).attendees ?? []
  }

  package func size(of component: EventReference) -> Int {
    components.file(of: component)?.withComponent(component.component, \.count) ?? 0
  }

  package func copiedSize(of component: EventReference) -> Int {
    components.file(of: component)?.withComponent(component.component) {
      ComponentText(Array($0)).copiedSize
    } ?? 0
  }
}

/// Finds the file of a component. Files have consecutive numbers, or, if a store keeps their
/// components, any numbers.
private struct FileComponents: Sendable {
  private let files: [CalendarFile]
  /// By component, if several files have numbers that are not consecutive.
  private let places: [EventReference: Int]

  init(_ files: [CalendarFile]) {
    self.files = files
    var places: [EventReference: Int] = [:]
    if files.count < 2 {
      self.places = places
      return
    }
    for (place, file) in files.enumerated() {
      for number in file.numbers ?? [] {
        places[EventReference(source: file.source, component: number)] = place
      }
    }
    self.places = places
  }

  func fileIndex(of component: EventReference) -> Int? {
    if !places.isEmpty { return places[component] }
    if let only = files.first, files.count == 1, only.numbers != nil {
      let isIn =
        only.source == component.source && only.ordinal(ofComponent: component.component) != nil
      return isIn ? 0 : nil
    }
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      let file = files[middle]
      let isAfter =
        file.source == component.source
        ? file.firstComponent > component.component : file.source > component.source
      if isAfter { high = middle } else { low = middle + 1 }
    }
    return low > 0 && files[low - 1].source == component.source ? low - 1 : nil
  }

  func file(of component: EventReference) -> CalendarFile? {
    fileIndex(of: component).map { files[$0] }
  }
}
