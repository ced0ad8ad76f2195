internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// What the components mean of which several have the same UID, or for which there are messages: how
/// an export writes them. All others are written as they are.
struct ExportedEvents {
  private let files: CalendarFiles
  private let uids: Set<Int>
  private let zones: ZoneDatabase
  private var shown: [EventReference: Event] = [:]
  private var components: [EventReference: Event] = [:]
  /// The components that are not written.
  private var omitted: Set<EventReference> = []
  /// The overrides that messages make, by the component of their series.
  private var made: [EventReference: [Event]] = [:]
  /// The SEQUENCE of their series, for the overrides that have a lower one.
  private var higherSequences: [EventReference: Int] = [:]
  /// The overrides that another component replaces.
  private(set) var supersededOverrides: Set<Int> = []

  init(_ reader: StoreReader) throws(StoreError) {
    let several = try reader.store.uids(.ofSeveral)
    let excerpt = try reader.excerpt(ofUIDs: several)
    files = excerpt.files
    uids = Set(several)
    zones = reader.zones
    for event in excerpt.events { components[event.reference] = event }
    for series in excerpt.assembly.series {
      for event in [series.master] + series.overrides { shown[event.reference] = event }
      let sequence = series.master.version.sequence
      for override in series.overrides where override.version.sequence < sequence {
        higherSequences[override.reference] = sequence
      }
    }
    omitted = excerpt.assembly.hidden
    omitOlderVersionsOfHidden()
    omitted.formUnion(try versionsReplacedInTheirSource(excerpt.assembly.superseded, reader))
    placeMadeEvents(excerpt.assembly.series)
    for reference in excerpt.assembly.superseded
    where components[reference]?.identity.recurrenceID != nil {
      supersededOverrides.insert(reference.component)
    }
  }

  /// Finds the component after which each event is written that is not written in place of its own
  /// component: messages made it, or it is what a mail adds to another calendar.
  private mutating func placeMadeEvents(_ series: [Series]) {
    func isMade(_ event: Event) -> Bool {
      components[event.reference]?.calendar != event.calendar
    }
    var ofSeries: [SeriesState.SeriesKey: EventReference] = [:]
    for event in shown.values where !isMade(event) && !omitted.contains(event.reference) {
      let key = SeriesState.SeriesKey(event)
      let known = ofSeries[key] ?? event.reference
      ofSeries[key] =
        (known.source, known.component) < (event.reference.source, event.reference.component)
        ? known : event.reference
    }
    for series in series {
      let master = series.master
      let place = isMade(master) ? ofSeries[SeriesState.SeriesKey(master)] : master.reference
      guard let place else { continue }
      let made = ([master] + series.overrides).filter(isMade)
      if !made.isEmpty { self.made[place, default: []] += made }
    }
  }

  /// Without the version that is hidden, an older one would be shown.
  private mutating func omitOlderVersionsOfHidden() {
    var hiddenSeries: Set<SeriesState.SeriesKey> = []
    for reference in omitted {
      guard let event = components[reference], event.identity.recurrenceID == nil else { continue }
      hiddenSeries.insert(SeriesState.SeriesKey(event))
    }
    if hiddenSeries.isEmpty { return }
    hiddenSeries.subtract(shown.values.map { SeriesState.SeriesKey($0) })
    for (reference, event) in components
    where hiddenSeries.contains(SeriesState.SeriesKey(event)) { omitted.insert(reference) }
  }

  /// Those of superseded versions that their own source replaces. Other programs can take an older
  /// version for the present one. What only another source replaces belongs to its source.
  private func versionsReplacedInTheirSource(
    _ superseded: Set<EventReference>, _ reader: StoreReader
  ) throws(StoreError) -> Set<EventReference> {
    var replaced: Set<EventReference> = []
    for (source, references) in Dictionary(grouping: superseded, by: \.source) {
      let uids = Set(
        references.compactMap { components[$0] }.map {
          reader.store.uidDigest(of: $0.identity.uid, ComponentKind($0.kind))
        })
      let own = try reader.store.components(ofUIDs: uids).filter { $0.source == source }
      replaced.formUnion(try reader.files(own).assembly.superseded)
    }
    return replaced.intersection(superseded)
  }

  /// How to write a component, and the overrides that messages make of it; `nil` if it is not written.
  /// An addition (METHOD:ADD) that is not shown has no effect, as other messages.
  func texts(of component: StoredComponent, isAddition: Bool) -> [Text]? {
    if component.kind.isMessage { return nil }
    guard uids.contains(component.uid) else {
      return [Text(reference: component.reference, bytes: component.text, event: nil)]
    }
    let reference = component.reference
    if omitted.contains(reference) { return nil }
    if isAddition, shown[reference] == nil { return nil }
    // What a mail adds to a series of another calendar is written there.
    if let shown = shown[reference], shown.calendar != components[reference]?.calendar {
      return nil
    }
    var texts = [
      text(of: reference, isAddition: isAddition)
        ?? Text(reference: reference, bytes: component.text, event: nil)
    ]
    texts += (made[reference] ?? []).compactMap {
      // A mail adds it if it has a component.
      text(of: $0.reference, isAddition: components[$0.reference] != nil)
    }
    return texts
  }

  /// The text of an event, and the event if it must be decoded to write it.
  struct Text {
    let reference: EventReference
    var bytes: [UInt8]
    /// The event as messages changed it.
    let event: Event?
  }

  private func text(of reference: EventReference, isAddition: Bool) -> Text? {
    guard let event = shown[reference], let bytes = files.text(of: reference) else { return nil }
    var text = Text(reference: reference, bytes: bytes, event: event)
    if let component = components[reference] {
      text.bytes = ComponentText(bytes).changing(component, to: event, zones)
    }
    if isAddition { text.bytes = Self.bytes(text.bytes, withZoneOf: event) }
    // An addition is written as an override. At a time that the series does not have, an override with
    // a lower SEQUENCE would be stale.
    if isAddition, let sequence = higherSequences[reference] {
      let edit = PropertyEdit("SEQUENCE", lines: [Array("SEQUENCE:\(sequence)".utf8)])
      text.bytes = ComponentText(text.bytes).applying([edit].compactMap(\.self))
    }
    return text
  }

  /// The text of an addition with the zone of its local times. Its RECURRENCE-ID would be on the clock of
  /// its series, and it can be written in a VCALENDAR with another X-WR-TIMEZONE.
  private static func bytes(_ text: [UInt8], withZoneOf event: Event) -> [UInt8] {
    let component = ComponentText(text)
    var times: [(StaticString, EventTime?)] = [("DTSTART", event.start), ("DUE", event.due)]
    if case .end(let end) = event.extent, event.kind == .event { times.append(("DTEND", end)) }
    let edits = times.compactMap { name, time -> PropertyEdit? in
      guard let line = component.own(name).first.map({ PropertyLine($0.content) }),
        line["TZID"] == nil, line.value.contains(UInt8(ascii: "T")),
        line.value.last.map({ $0 | 0x20 }) != UInt8(ascii: "z"), case .zoned(_, let zone)? = time,
        let time
      else { return nil }
      // Only its own file knows the name of a zone that it defines.
      let written = zone.origin == .database ? time : .utc(time.instant(for: .utc).utc)
      return PropertyEdit(
        line.name, lines: [TimeLine.line(line.name, written, replacing: line, at: nil).content])
    }
    return edits.isEmpty ? text : component.applying(edits)
  }

  func details(of reference: EventReference) -> EventDetails { files.details(of: reference) }
}

extension StoredComponent {
  var reference: EventReference { EventReference(source: source, component: id) }
}
