internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import FetchProtocol

/// Sends the changes that wait in a calendar: new and changed objects first, then removals.
struct ServerSending {
  let store: Store
  let conversation: ServerConversation
  let place: ServerPlace
  let source: Int
  /// The documents whose object was fetched in this run and is what the store knows, so that it can be
  /// written without a tag to compare.
  var compared: Set<String> = []

  /// As many as a server gets at once.
  static let atOnce = 8
  /// After so many answers they are recorded.
  private static let mostUnrecorded = 64

  struct Outcome {
    var sent = 0
    /// The new documents that the server refused because it has another object with their UID.
    var knownUIDs: Set<String> = []
    /// The documents whose objects the server has in another version, or stored in its own way.
    var contested: Set<String> = []
    /// The documents whose objects, or calendar, another request had locked.
    var locked: Set<String> = []
    /// Why nothing else can be sent at present.
    var failure: FetchFailure?
  }

  /// A request, and what is known of its object.
  private struct Request {
    let job: ServerRequest.Job
    var object: ServerObjectRow
    let waiting: WaitingDocument
    let text: [UInt8]?
  }

  /// Sends those whose names are wanted.
  func send(where isWanted: (String) -> Bool) throws -> Outcome {
    var outcome = Outcome()
    try send(where: { !$0.isRemoved && isWanted($0.name) }, atOnce: Self.atOnce, &outcome)
    try send(where: { $0.isRemoved && isWanted($0.name) }, atOnce: Self.atOnce, &outcome)
    // Some servers lock a whole calendar while they write an object.
    let locked = outcome.locked
    if !locked.isEmpty, outcome.failure == nil {
      outcome.locked = []
      try send(where: { locked.contains($0.name) }, atOnce: 1, &outcome)
    }
    return outcome
  }

  private func send(
    where isWanted: (WaitingDocument) -> Bool, atOnce: Int, _ outcome: inout Outcome
  ) throws {
    let waiting = try store.waitingDocuments(ofSource: source).filter(isWanted)
    var requests: [Request] = []
    for document in waiting {
      guard let request = try request(for: document) else {
        // Without a tag to compare, the server's object has to be compared itself.
        outcome.contested.insert(document.name)
        continue
      }
      requests.append(request)
    }
    guard !requests.isEmpty else { return }
    // If this process ends before it has the answers, the next one recognises what was sent.
    try store.update(objects: requests.map(\.object), source: source)
    var done: [ServerObjectRow] = []
    var gone: [String] = []
    defer { try? store.update(objects: done, forgetting: gone, source: source) }
    try conversation.answers(to: requests.map(\.job), atOnce: atOnce) { index, answer in
      let request = requests[index]
      try take(answer, of: request, &outcome, &done, &gone)
      if done.count + gone.count >= Self.mostUnrecorded {
        try store.update(objects: done, forgetting: gone, source: source)
        done = []
        gone = []
      }
    }
    try store.update(objects: done, forgetting: gone, source: source)
    (done, gone) = ([], [])
  }

  private func request(for waiting: WaitingDocument) throws -> Request? {
    var object = waiting.object ?? ServerObjectRow(name: waiting.name)
    let path = place.path(ofName: waiting.name)
    guard let condition = condition(for: object) else { return nil }
    var text: [UInt8]?
    if waiting.revision != nil {
      guard let document = try store.document(source: source, name: waiting.name) else {
        return nil
      }
      text = try StoredText(store: store).document(document, keepsEmpty: false)
    }
    object.failure = nil
    object.sent = text ?? []
    let job: ServerRequest.Job =
      if let text {
        .put(calendar: place.address, path: path, condition, text)
      } else {
        .delete(calendar: place.address, path: path, condition)
      }
    return Request(job: job, object: object, waiting: waiting, text: text)
  }

  /// When an object may be written; `nil` if the server's has to be compared first.
  private func condition(for object: ServerObjectRow) -> ServerRequest.Condition? {
    if !object.isOnServer { return .isNew }
    if let tag = object.entityTag, !tag.hasPrefix("W/") { return .hasTag(tag) }
    return compared.contains(object.name) ? .exists : nil
  }

  /// Makes the object of another calendar of the account, which was received in this run, that of a new
  /// document, so that a server that accepts a UID only once never lacks the event.
  func move(
    _ old: ServerObjectRow, of other: ServerSending, to name: String, _ outcome: inout Outcome
  ) throws {
    let answer = try conversation.answer(
      .move(
        calendar: place.address, path: other.place.path(ofName: old.name),
        other.condition(for: old) ?? .exists, target: place.path(ofName: name)))
    guard case .written = answer else { return }
    var new = ServerObjectRow(name: name)
    new.base = old.base
    try store.update(objects: [new], source: source)
    try store.update(objects: [], forgetting: [old.name], source: other.source)
    outcome.sent += 1
    // The document can have other changes.
    outcome.contested.insert(name)
  }

  private func take(
    _ answer: ServerAnswer.Outcome, of request: Request, _ outcome: inout Outcome,
    _ done: inout [ServerObjectRow], _ gone: inout [String]
  ) throws {
    var object = request.object
    switch answer {
    case .written(let written):
      outcome.sent += 1
      guard let text = request.text else {
        gone.append(object.name)
        return
      }
      object.entityTag = written.tag
      object.revision = request.waiting.revision
      object.base = text
      object.sent = nil
      done.append(object)
      if let name = written.path.flatMap(place.name(ofPath:)) {
        try store.update(objects: done, forgetting: gone, source: source)
        (done, gone) = ([], [])
        try store.rename(document: object.name, to: name, source: source)
        outcome.contested.insert(name)
      } else if written.tag == nil {
        // What the server has stored can differ.
        outcome.contested.insert(object.name)
      }
    case .refusedByCondition: outcome.contested.insert(object.name)
    case .failed(let failure):
      guard let status = failure.status, ![401, 407, 429, 503].contains(status) else {
        outcome.failure = outcome.failure ?? failure
        return
      }
      // The object that should be there is gone.
      if status == 404 || status == 410, object.isOnServer {
        outcome.contested.insert(object.name)
        return
      }
      if status == 423 { outcome.locked.insert(object.name) }
      if failure.isAboutUID { outcome.knownUIDs.insert(object.name) }
      object.failure = failure.reason
      // Only an error of the server leaves it open whether the request was done.
      if (400...499).contains(status) { object.sent = nil }
      done.append(object)
    case .calendars, .changes, .objects:
      outcome.failure = outcome.failure ?? FetchFailure("agenda-fetch gave another answer")
    }
  }
}
