internal import AgendaCore
internal import CivilTime
internal import Recurrence

extension Row {
  /// The columns of `component` from `kind` to `modified`.
  init(
    _ event: Event, frame: Int, span: EventSpan?, pattern: OccurrencePattern, replaces: Int?,
    uidDigest: Int
  ) {
    self.init(
      columns: 37,
      bytes: event.identity.uid.utf8.count + event.title.utf8.count
        + (event.location?.utf8.count ?? 0) + 32)
    add(StoredEnum.number(of: event.kind, in: StoredEnum.kinds))
    add(frame == 0 ? nil : frame)
    add(span?.spanClass)
    add(span?.begin)
    add(span?.end)
    add(pattern.week)
    add(pattern.dates)
    add(pattern.rhythm)
    add(replaces)
    add(uidDigest)
    add(event.identity.uid)
    add(event.identity.recurrenceID)
    add(event.identity.includesFollowing ? 1 : Int?.none)
    add(event.start)
    add(event.extent)
    add(event.due)
    if let recurrence = event.recurrence {
      // A master without any rule or date is a master nevertheless: an empty text, not NULL.
      add(StoredRecurrence.text(recurrence.rules) ?? "")
      add(StoredRecurrence.text(recurrence.exceptionRules))
      add(blob: StoredRecurrence.bytes(recurrence.dates))
      add(blob: StoredRecurrence.bytes(recurrence.exceptionDates))
    } else {
      for _ in 0..<4 { add(Int?.none) }
    }
    add(event.title)
    add(event.location)
    add(event.status.map { StoredEnum.number(of: $0, in: StoredEnum.statuses) })
    add(blob: StoredList.bytes(event.categories))
    add(event.isTransparent ? 1 : Int?.none)
    add(event.color)
    add(event.version.sequence == 0 ? nil : event.version.sequence)
    add(event.version.modified?.secondsSinceEpoch)
  }

  /// Where `modified` stands: it can come from the DTSTAMP, so it makes no other content.
  static let modifiedColumn = 35
}

/// The cases of an enum as a column holds them: by their place in a list that only grows at its
/// end.
enum StoredEnum {
  static let kinds: [Event.Kind] = [.event, .task, .journal]
  static let statuses: [Event.Status] = [
    .tentative, .confirmed, .cancelled, .needsAction, .inProcess, .completed, .draft, .final,
  ]

  static func number<Value: Equatable>(of value: Value, in list: [Value]) -> Int {
    list.firstIndex(of: value) ?? -1
  }

  static func value<Value>(_ number: Int, in list: [Value]) -> Value? {
    list.indices.contains(number) ? list[number] : nil
  }
}

/// A list in one column.
enum StoredList {
  static func bytes(ofLists lists: [[UInt8]]) -> [UInt8] {
    var writer = PackedBytesWriter()
    for list in lists { writer.add(list) }
    return writer.bytes
  }

  static func lists(_ bytes: [UInt8]) -> [[UInt8]] {
    var reader = PackedBytesReader(bytes)
    var lists: [[UInt8]] = []
    while !reader.isAtEnd, let list = reader.list() { lists.append(list) }
    return lists
  }

  static func bytes(_ texts: [String]) -> [UInt8]? {
    guard !texts.isEmpty else { return nil }
    var writer = PackedBytesWriter()
    for text in texts { writer.add(text) }
    return writer.bytes
  }

  static func texts(_ bytes: [UInt8]?) -> [String]? {
    guard let bytes else { return [] }
    var reader = PackedBytesReader(bytes)
    var texts: [String] = []
    while !reader.isAtEnd {
      guard let text = reader.text() else { return nil }
      texts.append(text)
    }
    return texts
  }
}

extension Event {
  /// The zones that its times are written in.
  var zones: [Zone] {
    var zones: [Zone] = []
    func take(_ time: EventTime?) {
      guard case .zoned(_, let zone) = time, !zones.contains(zone) else { return }
      zones.append(zone)
    }
    take(start)
    take(due)
    take(identity.recurrenceID)
    if case .end(let time) = extent { take(time) }
    if let recurrence {
      for time in recurrence.exceptionDates { take(time) }
      for date in recurrence.dates {
        take(date.start)
        if case .end(let time) = date.extent { take(time) }
      }
    }
    return zones
  }
}
