internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import FetchProtocol

/// Sends the changes that wait in a calendar: new and changed objects first, then removals, so that an
/// event that moves to another calendar is always in one of them.
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
    /// The number of removals among them.
    var removed = 0
    /// The documents that the server refused as new objects.
    var refusedNew: Set<String> = []
    /// The paths of objects that the server has in another version, or stored in its own way.
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

  enum Kind { case changes, removals }

  /// Sends those that `isWanted`.
  func send(
    _ kind: Kind, where isWanted: (WaitingDocument) -> Bool = { _ in true }
  ) throws -> Outcome {
    var outcome = Outcome()
    try send(kind, where: isWanted, atOnce: Self.atOnce, &outcome)
    // Some servers lock a whole calendar while they write an object.
    let locked = outcome.locked
    if !locked.isEmpty, outcome.failure == nil {
      outcome.locked = []
      try send(kind, where: { locked.contains($0.name) }, atOnce: 1, &outcome)
    }
    return outcome
  }

  private func send(
    _ kind: Kind, where isWanted: (WaitingDocument) -> Bool, atOnce: Int, _ outcome: inout Outcome
  ) throws {
    let waiting = try store.waitingDocuments(ofSource: source).filter {
      ($0.revision != nil) == (kind == .changes) && isWanted($0)
    }
    var requests: [Request] = []
    for document in waiting {
      guard let request = try request(for: document) else {
        // Without a tag to compare, the server's object has to be compared itself.
        outcome.contested.insert(place.path(ofName: document.name))
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
    let condition: ServerRequest.Condition
    if !object.isOnServer {
      condition = .isNew
    } else if let tag = object.scheduleTag {
      condition = .hasScheduleTag(tag)
    } else if let tag = object.entityTag, !tag.hasPrefix("W/") {
      condition = .hasTag(tag)
    } else if compared.contains(object.name) {
      condition = .exists
    } else {
      return nil
    }
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

  private func take(
    _ answer: ServerAnswer.Outcome, of request: Request, _ outcome: inout Outcome,
    _ done: inout [ServerObjectRow], _ gone: inout [String]
  ) throws {
    var object = request.object
    let path = place.path(ofName: object.name)
    switch answer {
    case .written(let written):
      outcome.sent += 1
      guard let text = request.text else {
        outcome.removed += 1
        gone.append(object.name)
        return
      }
      object.entityTag = written.tag
      object.scheduleTag = written.scheduleTag
      object.revision = request.waiting.revision
      object.base = text
      object.sent = nil
      done.append(object)
      if let name = written.path.flatMap(place.name(ofPath:)) {
        try store.update(objects: done, forgetting: gone, source: source)
        (done, gone) = ([], [])
        try store.rename(document: object.name, to: name, source: source)
        outcome.contested.insert(place.path(ofName: name))
      } else if written.tag == nil {
        // What the server has stored can differ.
        outcome.contested.insert(path)
      }
    case .refusedByCondition: outcome.contested.insert(path)
    case .failed(let failure):
      guard let status = failure.status, ![401, 407, 429, 503].contains(status) else {
        outcome.failure = outcome.failure ?? failure
        return
      }
      // The object that should be there is gone.
      if status == 404 || status == 410, object.isOnServer {
        outcome.contested.insert(path)
        return
      }
      if status == 423 { outcome.locked.insert(object.name) }
      if [403, 409].contains(status), !object.isOnServer { outcome.refusedNew.insert(object.name) }
      object.failure = failure.reason
      // Only an error of the server leaves it open whether the request was done.
      if (400...499).contains(status) { object.sent = nil }
      done.append(object)
    case .calendars, .changes, .objects:
      outcome.failure = outcome.failure ?? FetchFailure("agenda-fetch gave another answer")
    }
  }
}
