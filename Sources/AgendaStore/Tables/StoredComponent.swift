/// A component as its source wrote it: a version of an event, task or journal, or a message about one.
package struct StoredComponent: Sendable {
  package var id: Int
  package var source: Int
  package var document: Int
  package var context: Int
  package var kind: ComponentKind
  /// `Store.uidDigest` of its kind and UID.
  package var uid: Int
  /// Whether the reader ignores the costly rules of the component, because its source has too many.
  package var omitsCostlyRules: Bool
  /// From its BEGIN to its END line, in UTF-8.
  package var text: [UInt8]
}

/// What a component is. Messages do not count as events.
package enum ComponentKind: Int, Hashable, Sendable, CaseIterable {
  case event, task, journal
  /// A cancellation, an answer or another message about an event, task or journal (RFC 5546).
  case eventMessage, taskMessage, journalMessage

  /// The same without the distinction of messages: what the UID belongs to.
  package var subject: ComponentKind {
    switch self {
    case .event, .eventMessage: .event
    case .task, .taskMessage: .task
    case .journal, .journalMessage: .journal
    }
  }

  package var message: ComponentKind {
    switch self {
    case .event, .eventMessage: .eventMessage
    case .task, .taskMessage: .taskMessage
    case .journal, .journalMessage: .journalMessage
    }
  }

  package var isMessage: Bool { self != subject }
}

/// A present component without its text, for an import that compares it with what a source has now.
package struct KnownComponent: Hashable, Sendable {
  package var id: Int
  package var digest: Int
  package var context: Int
  package var uid: Int
  package var kind: ComponentKind
}

/// The lines of a VCALENDAR around its components that decide what these mean: METHOD, VERSION, the
/// lines about zones, and its VTIMEZONEs. Equal ones are one row.
package struct StoredContext: Hashable, Sendable {
  /// The name of its calendar, if its file has several calendars.
  package var calendarName: String?
  /// Whether it is a VCALENDAR. Otherwise its components are outside of any.
  package var isCalendar: Bool
  /// The lines and components, as they follow BEGIN:VCALENDAR.
  package var text: [UInt8]

  package init(calendarName: String? = nil, isCalendar: Bool = true, text: [UInt8]) {
    self.calendarName = calendarName
    self.isCalendar = isCalendar
    self.text = text
  }
}

/// A component in the form in which the store keeps it. Any thread can make one, and SQLite writes its
/// rows unchanged. It is a class because an import passes it from one thread to another, and a copy
/// would count a reference for each field.
package final class ComponentRecord: Sendable {
  package let kind: ComponentKind
  package let uid: Int
  /// The digest of its text, which recognises an unchanged component.
  package let digest: Int
  /// The columns of `component` from `kind` to `omits_rules`.
  let columns: Row
  let text: LongBytes

  /// `text` is the component from its BEGIN to its END line, `digest` that of what it says.
  package init(
    kind: ComponentKind, uid: Int, digest: Int, index: IndexColumns, omitsCostlyRules: Bool = false,
    text: [UInt8], key: StoreKey
  ) {
    self.kind = kind
    self.uid = uid
    self.digest = digest
    var row = Row(columns: 12, key: key)
    row.add("kind", kind.rawValue)
    row.add("uid", uid)
    row.add("digest", digest)
    row.add(index)
    row.add("omits_rules", omitsCostlyRules ? 1 : nil)
    columns = row
    self.text = LongBytes(text, key: key)
  }

  /// The bytes of its text.
  package var bytes: [UInt8] { text.bytes }
}

extension Row {
  mutating func add(_ index: IndexColumns) {
    add("span_class", index.span?.spanClass)
    add("span_begin", index.span?.begin)
    add("span_end", index.span?.end)
    add("touched_days", index.touchedDays)
    add("alarm_class", index.alarms?.spanClass)
    add("alarm_begin", index.alarms?.begin)
    add("alarm_end", index.alarms?.end)
    add("version_rank", index.rank.number)
  }
}
