internal import AgendaStore

/// What becomes of a document that the server has in another version than the store knew.
struct ObjectDecision {
  /// What the document becomes.
  enum Content {
    /// It stays as it is.
    case same
    case text([UInt8])
    case removed
  }

  var content = Content.same
  /// What is known of the server's object from now on; `nil` if it has none. The revision is set when the
  /// document is stored.
  var object: ServerObjectRow?
  /// Whether the document is then equal to the server's object. Otherwise it waits to be sent again.
  var isSettled = true
  /// The user's own version, if it cannot be merged.
  var conflict: (base: [UInt8]?, mine: [UInt8]?)?
  /// Whether an earlier request turned out to be done.
  var wasSent = false

  /// - Parameters:
  ///   - name: The name of the document.
  ///   - known: What the store knew of the server's object.
  ///   - present: The text of the document; `nil` if it was removed.
  ///   - isWaiting: Whether the document differs from what the server had.
  ///   - theirs: What the server has now; `nil` if nothing.
  init(
    _ name: String, known: ServerObjectRow?, present: [UInt8]?, isWaiting: Bool,
    theirs: (text: [UInt8], tag: String?)?
  ) {
    var object = ServerObjectRow(name: name)
    object.entityTag = theirs?.tag
    guard let theirs else {
      decide(goneAtServer: known, present: present, isWaiting: isWaiting)
      return
    }
    self.object = object
    guard isWaiting else {
      if let present, ObjectText.areEqual(present, theirs.text) {
        self.object?.revision = known?.revision
        self.object?.base = known?.base
      } else {
        content = .text(theirs.text)
      }
      return
    }
    let sent = known?.sent.flatMap { $0.isEmpty ? nil : $0 }
    // The server has what an earlier run sent, whose answer was lost.
    var base = known?.base
    if let sent, ObjectMerge.hasTaken(sent, base: base, theirs: theirs.text) {
      base = theirs.text
      wasSent = true
      // Lines that the server added to what it got are no change of this side.
      if let present, ObjectText.areEqual(present, sent) {
        if ObjectText.areEqual(present, theirs.text) {
          settle(with: theirs.text)
        } else {
          content = .text(theirs.text)
        }
        return
      }
    }
    guard let mine = present else {
      if let base, ObjectText.areEqual(base, theirs.text) {
        wait(for: theirs.text)
      } else {
        content = .text(theirs.text)
        conflict = (base, nil)
      }
      return
    }
    if ObjectText.areEqual(mine, theirs.text) {
      settle(with: theirs.text)
      return
    }
    if let base, ObjectText.areEqual(base, theirs.text) {
      wait(for: theirs.text)
      return
    }
    guard let base,
      case .merged(let text) = ObjectMerge.merge(base: base, mine: mine, theirs: theirs.text)
    else {
      content = .text(theirs.text)
      conflict = (base, mine)
      return
    }
    if ObjectText.areEqual(text, theirs.text) {
      content = .text(theirs.text)
    } else {
      if !ObjectText.areEqual(text, mine) { content = .text(text) }
      wait(for: theirs.text)
    }
  }

  private mutating func decide(
    goneAtServer known: ServerObjectRow?, present: [UInt8]?, isWaiting: Bool
  ) {
    guard isWaiting else {
      content = .removed
      return
    }
    guard let mine = present else { return }
    guard let known, known.isOnServer else {
      // It was never there, and is still to be sent.
      object = known
      isSettled = false
      return
    }
    content = .removed
    if let base = known.base, ObjectText.areEqual(base, mine) { return }
    conflict = (known.base, mine)
  }

  /// The server has the own version. Its text shows later that an `undo` of the change is to be sent.
  private mutating func settle(with theirs: [UInt8]) { object?.base = theirs }

  /// The own version is still to be sent.
  private mutating func wait(for theirs: [UInt8]) {
    object?.base = theirs
    isSettled = false
  }
}
