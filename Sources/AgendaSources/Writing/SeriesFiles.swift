internal import AgendaCore
internal import AgendaStore
internal import ICalendar

/// The files of a folder with components of one event. Most events are in one file, but other
/// programs can write an override into a separate one.
struct SeriesFiles {
  struct Part {
    let name: String
    let text: CalendarText
    /// `nil` in the local calendar.
    let bytes: [UInt8]?
    /// With the numbers that they have in this file.
    let members: [SeriesEditor.Member]
  }

  /// The file of the chosen occurrence comes first.
  let parts: [Part]

  /// No file has so many components.
  private static let stride = 1 << 32

  /// The components of all files, with a different number each.
  var members: [SeriesEditor.Member] {
    parts.enumerated().flatMap { index, part in
      part.members.map { member in
        SeriesEditor.Member(
          number: member.number + (member.isInFile ? 1 : -1) * index * Self.stride,
          event: member.event, text: member.text.bytes, isFromMessages: member.isFromMessages)
      }
    }
  }

  /// The part with the rule of the series.
  var master: Int {
    parts.firstIndex { part in
      part.members.contains { $0.event.identity.recurrenceID == nil }
    } ?? 0
  }

  /// The changes of one file, with its own numbers. New components go to the file of the master.
  func changes(_ all: ComponentChanges, in part: Int) -> ComponentChanges {
    var changes = ComponentChanges()
    for (number, text) in all.replaced where Int(number.magnitude) / Self.stride == part {
      changes.replaced[number % Self.stride] = text
    }
    if part == master { changes.added = all.added }
    return changes
  }
}

extension EventWriter {
  /// The files with components of an event. If several events have its UID, only its own file, and
  /// the names of the others that have a part of it.
  func files(
    of occurrence: Occurrence, in place: FolderPlace?, _ folders: [String: FolderWriter],
    file name: String
  ) throws -> (files: SeriesFiles, others: [String]) {
    var parts = [try present(occurrence, in: place, folders, file: name)]
    guard let place else { return (SeriesFiles(parts: parts), []) }
    let all = try store.siblings(of: occurrence.event.reference, inAllDocuments: true)
    let isShared = all.haveSharedUID
    let own = isShared ? all.series(with: occurrence.event.reference) : nil
    var others: [(name: String, event: Event)] = []
    for event in own.map({ [$0.master] + $0.overrides }) ?? all.map(\.event) {
      guard let other = try store.origin(of: event.reference)?.document, other != name,
        !others.contains(where: { $0.name == other })
      else { continue }
      others.append((other, event))
    }
    if isShared { return (SeriesFiles(parts: parts), others.map(\.name)) }
    for other in others {
      var occurrence = occurrence
      occurrence.event = other.event
      parts.append(try present(occurrence, in: place, folders, file: other.name))
    }
    return (SeriesFiles(parts: parts), [])
  }
}

extension [SiblingComponent] {
  /// Whether they are different events with one UID. An older version of an event does not count.
  var haveSharedUID: Bool { eventCount > 1 }

  /// The number of different events.
  var eventCount: Int { series.count { $0.master.identity.recurrenceID == nil } }

  /// The event that has a component.
  func series(with reference: EventReference) -> Series? {
    series.first { ([$0.master] + $0.overrides).contains { $0.reference == reference } }
  }

  /// Without those that newer versions replace.
  var newest: [SiblingComponent] {
    let superseded = assembly.superseded
    return filter { !superseded.contains($0.event.reference) }
  }

  private var series: [Series] { assembly.series }

  private var assembly: SeriesAssembly {
    let texts = Dictionary(
      map { ($0.event.reference, $0.text) }, uniquingKeysWith: { first, _ in first })
    return SeriesAssembly(map(\.event)) { EventContent($0, text: texts[$0.reference] ?? []) }
  }
}
