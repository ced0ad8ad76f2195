package import AgendaCore
internal import CivilTime
internal import Recurrence

/// A component in the form in which the store keeps it, made from the decoded event and its bytes.
/// Any thread can make one, and SQLite writes its rows unchanged. It is a class because an import
/// passes it from one thread to another, and a copy would count a reference for each field.
package final class ComponentRecord: Sendable {
  package let kind: Event.Kind
  let identity: IdentityKey
  let version: EventVersion
  /// The digest of its bytes, which recognises an unchanged component.
  let digest: ComponentDigest
  /// A digest of its bytes and of everything that is shown of it. It differs from `digest` if the
  /// same bytes have another meaning, for example because a VTIMEZONE changed.
  let content: Int
  let zones: [Zone]

  /// The columns of `component` from `kind` to `content`.
  let columns: Row
  let body: Body

  /// What belongs to a component besides its row of `component`.
  enum Body: Sendable {
    case own(OwnBody)
    /// That of its series, with a few differences.
    case ofSeries(OverrideTemplate, OverrideDifference)
  }

  struct OwnBody: Sendable {
    let detail: Row
    let text: Row
    let attachments: [AttachmentRecord]
  }

  /// `text` is the component from its BEGIN to its END line, `calendarObject` the number of its
  /// VCALENDAR within the document. `attachmentBytes` returns the bytes of an inline attachment.
  /// `content` is that of the component in its source, if messages changed it.
  package init(
    event: Event, details: EventDetails, text bytes: UnsafeRawBufferPointer,
    digest: ComponentDigest, key: StoreKey, calendarObject: Int = 0, content known: Int? = nil,
    attachmentBytes: (Int) -> [UInt8]? = { _ in nil }
  ) {
    kind = event.kind
    version = event.version
    zones = event.zones
    self.digest = digest
    let identity = IdentityKey(event, key: key)
    self.identity = identity

    var detail = Row(details, key: key)
    var text = Row(columns: 1, bytes: bytes.count, key: key)
    text.add("bytes", blob: bytes)
    let attachments = details.attachments.map {
      AttachmentRecord($0, bytes: $0.byteCount == nil ? nil : attachmentBytes($0.number))
    }

    let span = EventSpan(event)
    var columns = Row(
      event, calendarObject: calendarObject, span: span,
      alarms: AlarmSpan(details.alarms, of: span), identity: identity, key: key)
    var content = ContentDigest(key: key.number)
    content.add(digest.value)
    content.add(columns.digest.value)
    content.add(detail.digest.value)
    for attachment in attachments {
      content.add(attachment.row(ofComponent: 0, key: key).digest.value)
    }
    self.content = known ?? content.value
    // A change of LAST-MODIFIED or DTSTAMP alone is not a change of the content.
    columns.add("modified", event.version.modified?.secondsSinceEpoch)
    columns.add("content", self.content)
    detail.add("last_modified", details.lastModified?.secondsSinceEpoch)
    detail.add("stamp", details.stamp?.secondsSinceEpoch)
    self.columns = columns
    body = .own(OwnBody(detail: detail, text: text, attachments: attachments))
  }

  /// An override that answers make for one occurrence. `answers` are by address in lower case.
  package init(
    _ override: Event, answers: [String: String], of template: OverrideTemplate, key: StoreKey,
    calendarObject: Int
  ) {
    kind = override.kind
    version = override.version
    zones = override.zones
    let identity = IdentityKey(override, key: key)
    self.identity = identity
    let difference = OverrideDifference(
      lines: template.text.lines(of: override), answers: answers)
    let span = EventSpan(override)
    var columns = Row(
      override, calendarObject: calendarObject, span: span,
      alarms: AlarmSpan(template.alarms, of: span), identity: identity, key: key)
    var content = ContentDigest(key: key.number)
    content.add(template.record.content)
    content.add(columns.digest.value)
    difference.lineBytes.withUnsafeBytes { content.add($0) }
    difference.answerBytes.withUnsafeBytes { content.add($0) }
    self.content = content.value
    digest = ComponentDigest(value: content.value, stamp: template.record.digest.stamp)
    columns.add("modified", override.version.modified?.secondsSinceEpoch)
    columns.add("content", self.content)
    self.columns = columns
    body = .ofSeries(template, difference)
  }
}

/// The identity of a component within its source.
struct IdentityKey: Hashable {
  /// A digest of the kind and the UID.
  var uid: Int
  /// The RECURRENCE-ID of an override, as it is written; `nil` for a master or single event.
  var recurrence: StoredTime?
  /// The start of a master. It distinguishes events with the same UID in one source.
  var start: StoredTime?
  private var recurrencePlace: Place?

  /// A moment, or a date or time without a zone.
  private struct Place: Hashable {
    var form: StoredTime.Form
    var moment: Int
    /// Whether the override has RANGE. Another one can change the first occurrence of the range.
    var includesFollowing: Bool

    init(_ time: EventTime, includesFollowing: Bool) {
      self.includesFollowing = includesFollowing
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
    uid = Self.uidDigest(of: event.identity.uid, event.kind, key: key)
    recurrence = event.identity.recurrenceID.map { StoredTime($0) }
    recurrencePlace = event.identity.recurrenceID.map {
      Place($0, includesFollowing: event.identity.includesFollowing)
    }
    start = recurrence == nil ? event.start.map { StoredTime($0) } : nil
  }

  static func uidDigest(of uid: String, _ kind: Event.Kind, key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(StoredEnum.number(of: kind, in: StoredEnum.kinds))
    digest.add(uid)
    return digest.value
  }

  /// Whether both are the same occurrence of the same UID, in whatever zone it is written. The
  /// starts of masters may differ.
  func isSameOccurrence(as other: IdentityKey) -> Bool {
    uid == other.uid && recurrencePlace == other.recurrencePlace
  }

  /// The key without everything that can differ for the same occurrence of the same UID.
  var ofOccurrence: IdentityKey {
    var key = self
    key.recurrence = nil
    key.start = nil
    return key
  }

  /// The same key with the start.
  var withStart: IdentityKey {
    var key = self
    key.recurrence = nil
    return key
  }

  /// Whether it is not an override.
  var isMaster: Bool { recurrencePlace == nil }

  /// The moment that an override replaces, exact to a day for any viewer.
  var roughRecurrence: Int? {
    recurrencePlace.map { $0.form == .date ? $0.moment * secondsOfDay : $0.moment }
  }
}

/// The random number that a store mixes into every digest, so that an attacker cannot prepare texts
/// whose digests collide.
package struct StoreKey: Hashable, Sendable {
  package let number: UInt64

  init(number: UInt64) {
    self.number = number
  }

  init(of connection: Connection) throws(StoreError) {
    guard let number = try connection.integer("SELECT key FROM store WHERE id = 1") else {
      throw .damaged(path: connection.path, what: "its key is missing")
    }
    self.number = UInt64(bitPattern: Int64(number))
  }
}
