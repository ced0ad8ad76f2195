internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import FetchProtocol

/// Receives what changed in one calendar of a server, and stores it in one transaction.
struct ServerReceiving {
  let importer: ServerImporter
  let conversation: ServerConversation
  let calendar: ServerCalendar
  let place: ServerPlace
  /// `nil` if the store does not have it yet.
  let source: StoredSource?

  private var store: Store { importer.store }
  private var isDryRun: Bool { importer.options.isDryRun }

  struct Result {
    var outcome: StoreImport.Outcome?
    var received = 0
    /// Objects that an earlier run had sent without getting the answer.
    var sent = 0
    /// The documents that wait to be sent again.
    var unsettled: Set<String> = []
  }

  /// An object, and what its text says, which is read while others are on their way.
  private struct Received {
    let object: ServerObject
    let content: ReadSource.Content
    /// The name of the calendar for which it was read.
    let calendar: String
  }

  private struct Decided {
    let name: String
    let decision: ObjectDecision
  }

  /// The store changed while the answers arrived.
  private struct Outdated: Error {}

  /// `contested` are the paths of objects that must be compared in any case.
  func run(contested: Set<String>, isFirstRound: Bool) throws -> Result {
    var row = try source.flatMap { try store.serverCalendars()[$0.id] }
    let isKnownState = row.map { Self.isKnown(calendar, $0) } ?? false
    var changes = ObjectChanges(isComplete: false, token: row?.syncToken, objects: [])
    if isFirstRound, !isKnownState {
      changes = try self.changes(since: row)
    }
    var new = row ?? ServerCalendarRow(account: importer.account.row.id)
    new.account = importer.account.row.id
    if isFirstRound {
      new.syncToken = changes.usesTokens ? changes.token : nil
      if !isKnownState { new.collectionTag = calendar.collectionTag }
      new.usesTokens = changes.usesTokens
      new.isWritable = calendar.isWritable
      new.components = calendar.components.joined(separator: " ")
      new.place = calendar.order
      new.title = calendar.name
    }
    var paths = contested.sorted()
    var gone: Set<String> = []
    if !changes.objects.isEmpty || changes.isComplete {
      try compare(changes, &paths, &gone)
    }
    let objects = paths.isEmpty ? [:] : try fetch(paths, calendar: try importedSource(new).calendar)
    let names = Set(paths.compactMap(place.name(ofPath:)))
    let isNewLook =
      source.map {
        !$0.source.hasExplicitName && row?.title != calendar.name
          || calendar.shownColor != nil && $0.source.color != calendar.shownColor
      } ?? true
    for attempt in 1... {
      do {
        return try store(
          objects, of: names, gone: gone, &new, from: row, isNewLook: isNewLook,
          isComplete: changes.isComplete)
      } catch is Outdated where attempt < 10 {
        importer.reader.forgetSources()
        row = try source.flatMap { try store.serverCalendars()[$0.id] }
      }
    }
    return Result()
  }

  /// Whether nothing has changed on the server since the last time.
  static func isKnown(_ calendar: ServerCalendar, _ known: ServerCalendarRow) -> Bool {
    (calendar.token != nil && known.syncToken == calendar.token)
      || (calendar.token == nil && calendar.collectionTag != nil
        && known.collectionTag == calendar.collectionTag)
  }

  /// The request for what has changed.
  static func changes(
    of calendar: ServerCalendar, since row: ServerCalendarRow?
  ) -> ServerRequest.Job {
    .changes(
      calendar: calendar.address, token: row?.syncToken, usesTokens: calendar.usesTokens)
  }

  /// What has to be fetched, and what the server does not have any more.
  private func compare(
    _ changes: ObjectChanges, _ paths: inout [String], _ gone: inout Set<String>
  ) throws {
    let known = try source.map { try store.objectTags(ofSource: $0.id) } ?? [:]
    let contested = Set(paths)
    var listed: Set<String> = []
    for object in changes.objects {
      guard let name = place.name(ofPath: object.path) else { continue }
      if object.isGone {
        if known[name] != nil { gone.insert(name) }
      } else {
        guard listed.insert(name).inserted, !contested.contains(object.path) else { continue }
        if known[name] == nil || object.tag == nil || known[name] != object.tag {
          paths.append(object.path)
        }
      }
    }
    if changes.isComplete {
      for name in known.keys where !listed.contains(name) { gone.insert(name) }
    }
  }

  private func changes(since row: ServerCalendarRow?) throws -> ObjectChanges {
    let job = Self.changes(of: calendar, since: row)
    switch try conversation.answer(job) {
    case .changes(let changes): return changes
    case .failed(let failure): throw failure
    case .calendars, .objects, .written, .refusedByCondition:
      throw FetchFailure("agenda-fetch gave another answer")
    }
  }

  /// The objects with these paths, by name.
  private func fetch(
    _ paths: [String], calendar: String
  ) throws -> [String: Received] {
    var objects: [String: Received] = [:]
    let reader = reader(calendar)
    let jobs = ServerImporter.objectsPerRequest(paths).map {
      ServerRequest.Job.get(calendar: place.address, paths: $0)
    }
    try conversation.answers(to: jobs, atOnce: ServerImporter.requestsAtOnce) { _, answer in
      switch answer {
      case .objects(let some):
        for object in some {
          guard let name = place.name(ofPath: object.path) else { continue }
          objects[name] = Received(
            object: object, content: read(object.text, reader, calendar), calendar: calendar)
        }
        importer.options.progress(
          .fetching(done: objects.count, count: paths.count, waitingFor: nil))
      case .failed(let failure): throw failure
      case .calendars, .changes, .written, .refusedByCondition:
        throw FetchFailure("agenda-fetch gave another answer")
      }
    }
    return objects
  }

  private func reader(_ calendar: String) -> CalendarReader {
    var options = CalendarReader.Options()
    options.calendar = calendar
    return CalendarReader(zones: importer.options.zones, options: options)
  }

  private func read(
    _ text: [UInt8], _ reader: CalendarReader, _ calendar: String
  ) -> ReadSource.Content {
    do throws(ReaderError) {
      return .file(try reader.read(SourceBytes(text), name: calendar))
    } catch {
      return .unreadable(error)
    }
  }

  // MARK: Storing

  private func store(
    _ objects: [String: Received], of names: Set<String>, gone: Set<String>,
    _ row: inout ServerCalendarRow, from oldRow: ServerCalendarRow?, isNewLook: Bool,
    isComplete: Bool
  ) throws -> Result {
    var result = Result()
    if names.isEmpty, gone.isEmpty, !isNewLook, let source {
      try confirm([], [:], row, from: oldRow, source)
      return result
    }
    if !isDryRun { try adoptNames(of: objects.mapValues(\.object)) }
    let stored = try source.map { try store.documents(ofSource: $0.id) } ?? []
    let revisions = Dictionary(
      stored.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var waiting: Set<String> = []
    if let source {
      waiting = Set(try store.waitingDocuments(ofSource: source.id).map(\.name))
    }
    var decided: [Decided] = []
    for name in names.union(gone).sorted() {
      let document = revisions[name]
      var present: [UInt8]?
      if let document {
        present = try StoredText(store: store).document(document, keepsEmpty: false)
      }
      let object = objects[name]?.object
      let decision = ObjectDecision(
        name, known: try source.flatMap { try store.serverObject(source: $0.id, name: name) },
        present: present, isWaiting: waiting.contains(name),
        theirs: object.map { ($0.text, $0.tag, $0.scheduleTag) })
      decided.append(Decided(name: name, decision: decision))
      if case .same = decision.content {} else { result.received += 1 }
      result.sent += decision.wasSent ? 1 : 0
      if !decision.isSettled { result.unsettled.insert(name) }
    }
    if result.received == 0, decided.allSatisfy({ $0.decision.conflict == nil }), !isNewLook,
      let source
    {
      try confirm(decided, revisions, row, from: oldRow, source)
      return result
    }
    result.outcome = try importDocuments(
      decided, objects, stored, revisions, row, isComplete: isComplete)
    return result
  }

  /// If somebody else has created an object with the UID of an event that waits here, both are the same: a
  /// calendar has one object of a UID (RFC 4791, section 5.3.2.1). The event gets the object's name.
  private func adoptNames(of objects: [String: ServerObject]) throws {
    guard let source else { return }
    let new = try store.waitingDocuments(ofSource: source.id).filter {
      $0.revision != nil && $0.object?.isOnServer != true && objects[$0.name] == nil
    }
    for waiting in new {
      guard let document = try store.document(source: source.id, name: waiting.name) else {
        continue
      }
      let text = try StoredText(store: store).document(document, keepsEmpty: false)
      guard let uid = ObjectText(text).order.first?.uid, !uid.isEmpty else { continue }
      let same = objects.first { _, object in
        ObjectText(object.text).order.contains { $0.uid == uid }
      }
      if let name = same?.key {
        try store.rename(document: waiting.name, to: name, source: source.id)
      }
    }
  }

  /// Records what is known of the server, without any change of a document.
  private func confirm(
    _ decided: [Decided], _ documents: [String: StoredDocument],
    _ row: ServerCalendarRow, from oldRow: ServerCalendarRow?, _ source: StoredSource
  ) throws {
    if isDryRun { return }
    var objects: [ServerObjectRow] = []
    var gone: [String] = []
    for one in decided {
      guard var object = one.decision.object else {
        gone.append(one.name)
        continue
      }
      if one.decision.isSettled { object.revision = documents[one.name]?.revision }
      objects.append(object)
    }
    try store.update(objects: objects, forgetting: gone, source: source.id)
    if row != oldRow { try store.update(row, source: source.id) }
    var record =
      (try store.subscriptions())[source.source.location].map(SubscriptionRecord.init)
      ?? SubscriptionRecord()
    record.state.succeeded(at: importer.options.now, caching: CacheHeaders())
    try store.update(subscriptions: [(source.source.location, record.row)])
    if source.lastError != nil { try store.clearError(location: source.source.location) }
  }

  /// The source of the calendar, with its name and colour.
  private func importedSource(_ row: ServerCalendarRow) throws -> ImportedSource {
    let naming = try CalendarNaming(
      store: store, origin: SourceOrigin(Source(calendar.address), calendar: nil), isInRoot: false)
    let known = try store.source(at: calendar.address)
    var imported = ImportedSource(
      kind: .server, location: calendar.address, calendar: "",
      hasExplicitName: known?.source.hasExplicitName ?? false, color: calendar.shownColor)
    imported.calendar =
      known.flatMap { $0.source.hasExplicitName || row.title == nil ? $0.source.calendar : nil }
      ?? naming.name(calendar.title, known: known?.source)
    return imported
  }

  private func importDocuments(
    _ decided: [Decided], _ objects: [String: Received], _ stored: [StoredDocument],
    _ documents: [String: StoredDocument], _ row: ServerCalendarRow, isComplete: Bool
  ) throws -> StoreImport.Outcome {
    let imported = try importedSource(row)
    let reader = reader(imported.calendar)
    var parts: [ReadSource.Document] = []
    let names = Set(decided.map(\.name))
    for document in stored where !names.contains(document.name) {
      parts.append(.unchanged(document))
    }
    let hasOthers = !parts.isEmpty
    for one in decided {
      switch one.decision.content {
      case .same: if let document = documents[one.name] { parts.append(.unchanged(document)) }
      case .removed: continue
      case .text(let text):
        // Merged versions are read here, and all if the calendar has another name than expected.
        let content: ReadSource.Content =
          if let received = objects[one.name], received.object.text == text,
            received.calendar == imported.calendar
          {
            received.content
          } else {
            read(text, reader, imported.calendar)
          }
        parts.append(ReadSource.Document(name: one.name, fingerprint: nil, content: content))
      }
    }
    if hasOthers { parts.sort { $0.name < $1.name } }
    var options = importer.options
    // The server has reported each removal.
    options.allowsShrinking = options.allowsShrinking || !isComplete
    let importing = StoreImport(
      reader: importer.reader, options: options, command: importer.command, encoding: nil)
    var subscription =
      (try store.subscriptions())[calendar.address].map(SubscriptionRecord.init)
      ?? SubscriptionRecord()
    subscription.state.succeeded(at: options.now, caching: CacheHeaders())
    var hooks = StoreImport.Hooks()
    hooks.begin = { _ in
      // Another agenda may have changed a document meanwhile.
      guard let source else { return }
      for name in names
      where try store.document(source: source.id, name: name)?.revision != documents[name]?.revision
      {
        throw Outdated()
      }
    }
    hooks.end = { change, id in
      if isDryRun { return }
      try change.write(row, source: id)
      let revisions = try store.revisions(ofSource: id)
      let conflicts = try store.conflicts().filter { $0.source == id }
      for one in decided {
        // If the server now has the own version, later changes are no conflict with it.
        for conflict in conflicts
        where conflict.name == one.name && one.decision.content.isSame(as: conflict.mine) {
          try change.settle(conflict: conflict.id)
        }
        try record(one.decision, one.name, revisions[one.name], change, source: id)
      }
    }
    return try importing.run(
      imported,
      ReadSource(
        name: calendar.title, color: calendar.shownColor,
        documents: parts, isMail: false),
      root: nil, subscription: subscription.row, severalUIDs: importer.severalUIDs, hooks: hooks
    ) { [progress = options.progress] done, count in
      progress(.importing(source: calendar.title, done: done, count: count))
    }
  }

  private func record(
    _ decision: ObjectDecision, _ name: String, _ revision: Int?, _ change: StoreChange,
    source: Int
  ) throws {
    if var object = decision.object {
      if decision.isSettled { object.revision = revision }
      if case .same = decision.content {
        try change.update(object, source: source)
      } else {
        try change.receive(object, source: source, isNew: self.source == nil)
      }
    } else if try store.serverObject(source: source, name: name) != nil {
      try change.forget(object: name, source: source)
    }
    if let conflict = decision.conflict {
      try change.add(
        conflictAbout: name, source: source, base: conflict.base, mine: conflict.mine)
    }
  }
}

extension ObjectDecision.Content {
  /// Whether a document becomes equal to a version of it; `nil` is one without the document.
  fileprivate func isSame(as version: [UInt8]?) -> Bool {
    switch self {
    case .same: false
    case .removed: version == nil
    case .text(let text): version.map { ObjectText.areEqual($0, text) } ?? false
    }
  }
}

extension ReadSource.Document {
  fileprivate static func unchanged(_ document: StoredDocument) -> Self {
    ReadSource.Document(
      name: document.name, fingerprint: document.fingerprint, digest: document.digest,
      content: .unchanged(document))
  }
}
