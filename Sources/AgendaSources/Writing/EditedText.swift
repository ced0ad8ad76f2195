internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import ICalendar

/// The components of an event as a person edits them: one line per property, without folds.
struct EditedText {
  struct Line {
    /// The number of the line in the text that the person edited, from 0.
    let number: Int
    let text: String
  }

  /// Without comments, which begin with `#`, and without blank lines.
  var lines: [Line]

  init(_ text: String) {
    var lines: [Line] = []
    let all = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in all.enumerated()
    where !line.hasPrefix("#") && !line.allSatisfy(\.isWhitespace) {
      lines.append(Line(number: number, text: String(line)))
    }
    self.lines = lines
  }

  /// A line of a component for a person to read. A raw newline, which only a damaged text contains,
  /// would begin a new line.
  static func shown(_ content: [UInt8]) -> String {
    String(decoding: content, as: UTF8.self).replacing("\r", with: "").replacing("\n", with: "\\n")
  }

  /// The lines of each component, with BEGIN and END.
  func components() throws(WritingError) -> [[Line]] {
    var components: [[Line]] = []
    var open: [String] = []
    for line in lines {
      let (name, value) = try Self.parts(of: line)
      if name == "BEGIN" {
        if open.isEmpty { components.append([]) }
        open.append(value)
      } else if open.isEmpty {
        let reason =
          components.isEmpty
          ? "expected BEGIN:VEVENT or BEGIN:VTODO"
          : "a property comes before the END of its component, not after it"
        throw .invalidLine(number: line.number, reason: reason)
      }
      components[components.count - 1].append(line)
      if name == "END", let expected = open.popLast(), value != expected {
        throw .invalidLine(number: line.number, reason: "expected END:\(expected)")
      }
    }
    if let missing = open.last, let last = lines.last {
      throw .invalidLine(number: last.number, reason: "END:\(missing) is missing after this line")
    }
    return components
  }

  /// The name of a property and, of BEGIN and END, the value, both in capitals.
  private static func parts(of line: Line) throws(WritingError) -> (name: String, value: String) {
    let name = line.text.prefix { $0 != ":" && $0 != ";" }
    let isName =
      !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard isName, name.count < line.text.count else {
      throw .invalidLine(number: line.number, reason: "expected a property such as SUMMARY:Lunch")
    }
    let value = line.text.dropFirst(name.count + 1).filter { !$0.isWhitespace }
    return (name.uppercased(), value.uppercased())
  }
}

extension SeriesEditor {
  /// The components that a person edits as text: the event, this occurrence, or the whole series.
  private func editable(_ scope: SeriesScope?) throws(WritingError) -> [Member] {
    guard let single else { return [] }
    switch try self.scope(scope) {
    case nil: return [single]
    case .all:
      // A file and the store can have them in different orders.
      func place(_ member: Member) -> Int {
        member.event.identity.recurrenceID?.instant(for: viewer).secondsSinceEpoch ?? .min
      }
      return members.sorted { place($0) < place($1) }
    case .only:
      if let override { return [override] }
      return [try newOverride()]
    case .following:
      throw .invalid(because: .textOfFollowing)
    }
  }

  /// One property per line.
  func editableText(_ scope: SeriesScope?) throws(WritingError) -> String {
    try editable(scope).flatMap { $0.text.lines.map { EditedText.shown($0.content) + "\n" } }
      .joined()
  }

  /// Throws if the event differs from the text that a person received to edit.
  func checkUnchanged(_ received: String, _ scope: SeriesScope?) throws(WritingError) {
    func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
    let present = lines(try editableText(scope))
    let received = lines(received)
    guard present != received else { return }
    // The time of the change explains it less than its other lines.
    let isStamp: (String) -> Bool = {
      $0.hasPrefix("DTSTAMP") || $0.hasPrefix("LAST-MODIFIED") || $0.hasPrefix("SEQUENCE")
    }
    let place =
      zip(present, received).prefix { $0 == $1 || isStamp($0) && isStamp($1) }.count
    throw .changedWhileEdited(
      present: present.indices.contains(place) ? present[place] : nil,
      received: received.indices.contains(place) ? received[place] : nil)
  }

  /// Replaces the lines of the event by those of an edited text. Unchanged lines keep their bytes.
  func rewrite(_ text: EditedText, _ scope: SeriesScope?) throws(WritingError) -> ComponentChanges {
    let members = try editable(scope)
    let components = try text.components()
    guard components.count == members.count else {
      throw .invalidLine(
        number: components.last?.first?.number ?? 0,
        reason: "the text has \(components.count) "
          + "\(components.count == 1 ? "component" : "components"), expected \(members.count)")
    }
    var changes = ComponentChanges()
    for (lines, member) in zip(components, members) {
      let bytes = try rewritten(member, lines)
      guard bytes != member.text.bytes else { continue }
      let new = ComponentText(bytes).revised(
        from: member.text, stamp: stamp, hasCopies: hasCopies)
      if self.members.contains(where: { $0.id == member.id }) {
        changes.replaced[member.id] = new
      } else {
        changes.added.append(new)
      }
    }
    return try movingExceptions(changes).of(self.scope(scope))
  }

  private func rewritten(
    _ member: Member, _ lines: [EditedText.Line]
  ) throws(WritingError) -> [UInt8] {
    let old = member.text.lines.map { EditedText.shown($0.content) }
    try checkIdentity(old, lines)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in lines.map(\.text).difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var kept = old.indices.lazy.filter { !removed.contains($0) }.makeIterator()
    var bytes: [UInt8] = []
    for (offset, line) in lines.enumerated() {
      if inserted.contains(offset) {
        bytes += FileLines.folded(Array(line.text.utf8), lineEnd: member.text.lineEnd)
      } else if let place = kept.next() {
        bytes += member.text.bytes[member.text.lines[place].range]
      }
    }
    return bytes
  }

  /// Throws if the edit changes the properties that identify the event.
  private func checkIdentity(
    _ old: [String], _ lines: [EditedText.Line]
  ) throws(WritingError) {
    func isIdentity(_ line: String) -> Bool {
      let name = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
      return ["UID", "RECURRENCE-ID"].contains(name)
    }
    let new = lines.filter { isIdentity($0.text) }
    guard new.map(\.text) == old.filter(isIdentity), lines.first?.text == old.first,
      lines.last?.text == old.last
    else {
      throw .invalidLine(
        number: (new.first { !old.contains($0.text) } ?? lines.first)?.number ?? 0,
        reason: "BEGIN, END, UID and RECURRENCE-ID cannot change")
    }
  }
}
