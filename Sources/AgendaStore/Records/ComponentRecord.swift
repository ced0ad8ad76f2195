package import AgendaCore
internal import CivilTime
internal import Recurrence

/// A component as the store keeps it: made from what the reader understood and the bytes it was
/// read from, on whatever thread that happened; writing it is then only handing rows to SQLite.
package struct ComponentRecord: Sendable {
  package let kind: Event.Kind
  let identity: IdentityKey
  let version: EventVersion
  /// The digest of its bytes, by which an unchanged component is known again.
  let digest: ComponentDigest
  /// The same with all that was made of the bytes: two records of the same content show the same.
  let content: Int
  let span: EventSpan?
  let pattern: OccurrencePattern
  let replaces: Int?
  let title: String
  let uid: String
  let zones: [Zone]

  /// The columns of `component` from `kind` to `content`.
  let columns: Row
  let columnsDigest: Int
  let detail: Row
  let detailDigest: Int
  let text: Row
  let textDigest: Int
  let attachments: [AttachmentRecord]

  /// `text` is the component from its BEGIN to its END line, `frame` which VCALENDAR of its document
  /// it stands in. `attachmentBytes` gives the bytes of
  /// the inline attachment of a number.
  package init(
    event: Event, details: EventDetails, text bytes: UnsafeRawBufferPointer,
    digest: ComponentDigest, key: StoreKey, frame: Int = 0,
    attachmentBytes: (Int) -> [UInt8]? = { _ in nil }
  ) {
    kind = event.kind
    version = event.version
    self.digest = digest
    let span = EventSpan(event)
    self.span = span
    let identity = IdentityKey(event, key: key)
    self.identity = identity
    let pattern = OccurrencePattern(event)
    self.pattern = pattern
    let replaces = identity.roughRecurrence
    self.replaces = replaces
    title = event.title
    uid = event.identity.uid

    detail = Row(details)
    detailDigest = detail.digest(key)
    var text = Row(columns: 1, bytes: bytes.count)
    text.add(blob: bytes)
    self.text = text
    textDigest = text.digest(key)
    attachments = details.attachments.map {
      AttachmentRecord($0, bytes: $0.byteCount == nil ? nil : attachmentBytes($0.number))
    }

    var columns = Row(
      event, frame: frame, span: span, pattern: pattern, replaces: replaces, uidDigest: identity.uid
    )
    // What the bytes say beside their DTSTAMP, and what was made of them.
    var content = ContentDigest(key: key.number)
    content.add(digest.value)
    columns.add(to: &content, without: Row.modifiedColumn)
    detail.add(to: &content, without: Row.stampColumn)
    for attachment in attachments { attachment.row.add(to: &content) }
    self.content = content.value
    columns.add(content.value)
    self.columns = columns
    columnsDigest = columns.digest(key)
    zones = event.zones
  }
}

/// What names a component within its source.
struct IdentityKey: Hashable {
  /// A digest of the kind and the UID.
  var uid: Int
  /// What an override replaces, as it is written; `nil` for a master or single event.
  var recurrence: StoredTime?
  /// Where a master starts: what tells events apart whose source gives them the same UID.
  var start: StoredTime?
  private var recurrencePlace: Place?

  /// A moment, or a date or time on no zone's clock.
  private struct Place: Hashable {
    var form: StoredTime.Form
    var moment: Int

    init(_ time: EventTime) {
      let stored = StoredTime(time)
      form = stored.form == .zoned ? .utc : stored.form
      if case .zoned(let civil, let zone) = time {
        moment = zone.instant(of: civil).secondsSinceEpoch
      } else {
        moment = stored.time
      }
    }
  }

  init(_ event: Event, key: StoreKey) {
    var digest = ContentDigest(key: key.number)
    digest.add(StoredEnum.number(of: event.kind, in: StoredEnum.kinds))
    digest.add(event.identity.uid)
    uid = digest.value
    recurrence = event.identity.recurrenceID.map { StoredTime($0) }
    recurrencePlace = event.identity.recurrenceID.map { Place($0) }
    start = recurrence == nil ? event.start.map { StoredTime($0) } : nil
  }

  /// The same occurrence of the same UID, in whatever zone it is written; for masters the start
  /// may differ.
  func isSameOccurrence(as other: IdentityKey) -> Bool {
    uid == other.uid && recurrencePlace == other.recurrencePlace
  }

  /// What is equal for the same occurrence of the same UID.
  var ofOccurrence: IdentityKey {
    var key = self
    key.recurrence = nil
    key.start = nil
    return key
  }

  /// Whether it is no override.
  var isMaster: Bool { recurrencePlace == nil }

  /// The moment that an override replaces, right to within a day for any viewer.
  var roughRecurrence: Int? {
    recurrencePlace.map { $0.form == .date ? $0.moment * secondsOfDay : $0.moment }
  }
}

/// The number that a store mixes into every digest.
package struct StoreKey: Hashable, Sendable {
  package let number: UInt64

  init(number: UInt64) {
    self.number = number
  }

  init(of connection: Connection) throws(StoreError) {
    guard let number = try connection.integer("SELECT key FROM store WHERE id = 1") else {
      throw .damaged(path: connection.path, what: "it has no key")
    }
    self.number = UInt64(bitPattern: Int64(number))
  }
}

extension Row {
  func digest(_ key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    add(to: &digest)
    return digest.value
  }
}
