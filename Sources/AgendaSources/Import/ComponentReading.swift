internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import ICalendar

/// A component of a file for an import.
enum ReadComponent: Sendable {
  /// The store has the same text with the same lines around it, so it was not decoded.
  case known(digest: Int)
  case new(NewComponent)
}

struct NewComponent: Sendable {
  let record: ComponentRecord
  /// The numbers of its attachments that are pictures.
  let pictures: [Int]
}

/// The components of a file in the form that the store keeps. Any thread can use it.
struct ComponentReading: Sendable {
  let file: CalendarFile
  let key: StoreKey
  /// By VCALENDAR, the numbers of their contexts.
  let contexts: [Int]
  /// The digests that the store has for each context.
  let known: [Int: Set<Int>]

  /// The components with these ordinals, in their order.
  func components(_ ordinals: Range<Int>) -> [ReadComponent] {
    var components: [ReadComponent] = []
    components.reserveCapacity(ordinals.count)
    guard !known.isEmpty else {
      decode(ordinals) { components.append(.new($0)) }
      return components
    }
    var firstUnknown = ordinals.lowerBound
    for ordinal in ordinals {
      guard let digest = digest(of: ordinal), let calendar = file.calendar(ofComponent: ordinal),
        known[contexts[calendar]]?.contains(digest) == true
      else { continue }
      decode(firstUnknown..<ordinal) { components.append(.new($0)) }
      firstUnknown = ordinal + 1
      components.append(.known(digest: digest))
    }
    decode(firstUnknown..<ordinals.upperBound) { components.append(.new($0)) }
    return components
  }

  /// A component, whether the store has it or not.
  func component(_ ordinal: Int) -> NewComponent? {
    var found: NewComponent?
    decode(ordinal..<ordinal + 1) { found = $0 }
    return found
  }

  private func digest(of ordinal: Int) -> Int? {
    file.withComponent(file.number(ofComponent: ordinal)) {
      ComponentDigest(of: $0, key: key).value
    }
  }

  private func decode(_ ordinals: Range<Int>, _ body: (NewComponent) -> Void) {
    guard !ordinals.isEmpty else { return }
    file.forEachEventWithDetails(in: ordinals, timesOnly: true) {
      event, details, bytes, attachmentBytes in
      let number = event.reference.component
      let isMessage = file.isMessage(number)
      let kind = ComponentKind(event.kind, isMessage: isMessage)
      let record = ComponentRecord(
        kind: kind, uid: Store.uidDigest(of: event.identity.uid, kind, key: key),
        digest: ComponentDigest(of: bytes, key: key).value,
        index: ComponentIndex.columns(of: event, details),
        omitsCostlyRules: file.omitsCostlyRules(ofComponent: number), text: Array(bytes), key: key)
      let pictures = details.attachments.filter { attachment in
        attachment.canBePicture
          && attachmentBytes(attachment.number).flatMap { PictureFormat(firstBytesOf: $0) } != nil
      }.map(\.number)
      body(NewComponent(record: record, pictures: pictures))
    }
  }
}
