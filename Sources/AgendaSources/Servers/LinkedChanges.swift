internal import AgendaCore
internal import AgendaStore

/// The changes that wait for servers and are parts of one change: an event that leaves a calendar and
/// arrives in another one, and a series that ends where a new one goes on.
///
/// The new object is sent first, and the old one leaves or ends after it, so that a server never lacks an
/// event or a day. Neither is sent as long as the old one is in conflict.
struct LinkedChanges {
  /// A document of a calendar.
  struct Part: Hashable {
    let source: Int
    let name: String
  }

  struct Link {
    /// The document that the server does not have yet.
    let new: Part
    /// The document that leaves or ends when the server has the new one.
    let old: Part
    /// Whether the old document is in conflict with the server's.
    let isInConflict: Bool
    /// Whether the event leaves the old document; otherwise a series ends there.
    let isMove: Bool
  }

  private(set) var all: [Link] = []
  private var byNew: [Part: [Link]] = [:]
  private var byOld: [Part: [Link]] = [:]

  init(_ reader: StoreReader) throws(StoreError) {
    let store = reader.store
    var waiting: [(source: Int, document: WaitingDocument)] = []
    for source in try store.serverCalendars().keys.sorted() {
      waiting += try store.waitingDocuments(ofSource: source).map { (source, $0) }
    }
    guard waiting.contains(where: { $0.document.isNew }) else { return }
    let splits = try store.splits(from: 0, before: .max)
    let conflicts = try reader.openConflicts()
    guard
      !splits.isEmpty || !conflicts.isEmpty || waiting.contains(where: { $0.document.isRemoved })
    else { return }
    var new: [(part: Part, uid: String, kind: String)] = []
    var old: [(part: Part, text: [UInt8], isRemoved: Bool, isInConflict: Bool)] = []
    for (source, waiting) in waiting {
      let part = Part(source: source, name: waiting.name)
      var text = waiting.object?.base
      if waiting.isNew, let document = try store.document(source: source, name: waiting.name) {
        let own = try StoredText(store: store).document(document, keepsEmpty: false)
        for key in ObjectText(own).order.prefix(1) { new.append((part, key.uid, key.kind)) }
        // A series can be split again before it is sent.
        text = own
      }
      if let text { old.append((part, text, waiting.isRemoved, false)) }
    }
    for conflict in conflicts {
      guard let text = conflict.base ?? conflict.mine else { continue }
      let part = Part(source: conflict.source, name: conflict.name)
      old.append((part, text, conflict.mine == nil, true))
    }
    var successors: [Int: Set<Int>] = [:]
    for split in splits {
      successors[split.old, default: []].insert(split.new)
    }
    func digest(_ uid: String, _ kind: String) -> Int {
      store.uidDigest(of: uid, kind == "VTODO" ? .task : .event)
    }
    var arrivals: [Int: [Part]] = [:]
    for one in new { arrivals[digest(one.uid, one.kind), default: []].append(one.part) }
    for one in old {
      guard let key = ObjectText(one.text).order.first else { continue }
      let own = digest(key.uid, key.kind)
      let moves = one.isRemoved ? arrivals[own] ?? [] : []
      var parts = moves.filter { $0.source != one.part.source }.map { (part: $0, isMove: true) }
      for uid in successors[own] ?? [] { parts += (arrivals[uid] ?? []).map { ($0, false) } }
      for (part, isMove) in parts where part != one.part {
        let link = Link(
          new: part, old: one.part, isInConflict: one.isInConflict, isMove: isMove)
        all.append(link)
        byNew[part, default: []].append(link)
        byOld[one.part, default: []].append(link)
      }
    }
  }

  func links(toNew part: Part) -> [Link] { byNew[part] ?? [] }
  func links(toOld part: Part) -> [Link] { byOld[part] ?? [] }

  /// The names of the documents of a calendar that are parts of such a change.
  func names(ofSource source: Int) -> Set<String> {
    Set((Array(byNew.keys) + byOld.keys).filter { $0.source == source }.map(\.name))
  }

  /// Whether a document has to wait for another one. `ready` are the calendars that take part in this run,
  /// and whose state on the server is known.
  func hold(_ part: Part, ready: Set<Int>) -> Bool {
    if byOld[part] != nil { return true }
    return links(toNew: part).contains { $0.isInConflict || !ready.contains($0.old.source) }
  }
}
