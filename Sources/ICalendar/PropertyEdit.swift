/// The lines that a component has of one property after an edit.
package struct PropertyEdit: Hashable, Sendable {
  /// In capitals.
  package let name: String
  /// Content lines without folds; none removes the property.
  package let lines: [[UInt8]]

  /// `nil` if a line belongs to another property or contains a control character: it would become
  /// two lines (RFC 5545 3.1).
  package init?(_ name: String, lines: [[UInt8]]) {
    let head = Array(name.uppercased().utf8)
    let areValid = lines.allSatisfy { line in
      line.starts(with: head) && line.count > head.count
        && (line[head.count] == UInt8(ascii: ":") || line[head.count] == UInt8(ascii: ";"))
        && line.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }
    guard !head.isEmpty, areValid else { return nil }
    self.name = name.uppercased()
    self.lines = lines
  }

  /// A property whose value is text (RFC 5545 3.3.11); no text removes it.
  package init?(_ name: String, text: String?) {
    let head = Array("\(name.uppercased()):".utf8)
    self.init(name, lines: text.map { [head + PropertyValue.escaped($0)] } ?? [])
  }

  /// Whether it decides when or whether the event takes place, so that invited people must be
  /// informed (RFC 5545 3.8.7.4).
  var concernsInvitedPeople: Bool { Self.namesOfConcern.contains(name) }

  static let namesOfConcern = [
    "DTSTART", "DTEND", "DURATION", "DUE", "RRULE", "EXRULE", "RDATE", "EXDATE", "STATUS",
  ]
}

extension ComponentText {
  /// The component after some edits. Lines that stay the same keep their bytes and their place;
  /// changed ones take the place of the old ones, and new ones end the component's own properties.
  ///
  /// Lines without a name continue the text before them, and go when it goes.
  package func applying(_ edits: [PropertyEdit]) -> [UInt8] {
    edits.reduce(self) { text, edit in
      text.splice(for: edit).map { ComponentText($0.applied(to: text.bytes)) } ?? text
    }.bytes
  }

  /// The same as a new revision of the component, with LAST-MODIFIED and DTSTAMP. SEQUENCE grows by
  /// 1 if people are invited and the time, the rule or the status changed. Edits that change nothing
  /// leave every byte as it is.
  ///
  /// `stamp` is the moment of the edit, such as `20261122T093000Z`. `raisesSequence` is false for
  /// changes that are not the organizer's, such as an answer. With `hasCopies`, SEQUENCE grows also if
  /// no people are invited.
  package func revised(
    _ edits: [PropertyEdit], stamp: String, raisesSequence: Bool = true, hasCopies: Bool = false,
    above least: Int = 0
  ) -> [UInt8] {
    let changes = edits.filter { splice(for: $0) != nil }
    guard !changes.isEmpty else { return bytes }
    var revision = ["LAST-MODIFIED", "DTSTAMP"].compactMap { PropertyEdit($0, text: stamp) }
    if raisesSequence, hasCopies || !own("ATTENDEE").isEmpty,
      changes.contains(where: \.concernsInvitedPeople),
      let edit = PropertyEdit("SEQUENCE", text: "\(Self.next(max(sequence, least)))")
    {
      revision.append(edit)
    }
    return applying(changes + revision)
  }

  /// This component as a new revision of `old`, for changes that no `PropertyEdit` describes. The
  /// same bytes as `old` stay as they are.
  package func revised(
    from old: ComponentText, stamp: String, hasCopies: Bool = false, above least: Int = 0
  ) -> [UInt8] {
    guard bytes != old.bytes else { return bytes }
    var revision = ["LAST-MODIFIED", "DTSTAMP"].compactMap { PropertyEdit($0, text: stamp) }
    let isOfConcern = PropertyEdit.namesOfConcern.contains { name in
      properties(named: name).map(\.content) != old.properties(named: name).map(\.content)
    }
    if hasCopies || !own("ATTENDEE").isEmpty, isOfConcern,
      let edit = PropertyEdit("SEQUENCE", text: "\(Self.next(max(sequence, old.sequence, least)))")
    {
      revision.append(edit)
    }
    return applying(revision)
  }

  /// The text with alarms before its END, and without those that it had if `removingOthers`.
  /// `alarms` are whole components as content lines without folds.
  package func adding(alarms: [[[UInt8]]], removingOthers: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var isInAlarm = false
    let end = lines.last { $0.depth == 1 && $0.isProperty("END") }
    for line in lines {
      if line.depth == 2, line.isProperty("BEGIN") {
        isInAlarm = String(decoding: line.content, as: UTF8.self).uppercased() == "BEGIN:VALARM"
      }
      if line.range == end?.range {
        for line in alarms.joined() { result += FileLines.folded(line, lineEnd: lineEnd) }
      }
      if !(isInAlarm && removingOthers && line.depth >= 2) { result += bytes[line.range] }
      if line.depth == 2, line.isProperty("END") { isInAlarm = false }
    }
    return result
  }

  /// SEQUENCE, or 0. Some programs write numbers above the range of RFC 5545 3.3.8, such as the time
  /// in milliseconds.
  private var sequence: Int {
    guard let line = own("SEQUENCE").last?.content else { return 0 }
    let digits = line.drop { $0 != UInt8(ascii: ":") }.dropFirst().filter { !$0.isBlank }
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }

  /// Guests ignore an update whose SEQUENCE is smaller than before (RFC 5546 2.1.5).
  private static func next(_ sequence: Int) -> Int { sequence == .max ? sequence : sequence + 1 }

  private struct Splice {
    /// Ascending and apart from each other.
    var removed: [Range<Int>]
    var position: Int
    var added: [UInt8]

    func applied(to bytes: [UInt8]) -> [UInt8] {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count + added.count)
      var from = 0
      for range in removed where range.upperBound <= position {
        result += bytes[from..<range.lowerBound]
        from = range.upperBound
      }
      result += bytes[from..<position]
      result += added
      from = position
      for range in removed where range.lowerBound >= position {
        result += bytes[from..<range.lowerBound]
        from = range.upperBound
      }
      return result + bytes[from...]
    }
  }

  /// `nil` if the edit changes nothing.
  private func splice(for edit: PropertyEdit) -> Splice? {
    let old = properties(named: edit.name)
    var kept = zip(old, edit.lines).prefix { $0.content == $1 }.count
    let keptAtEnd = zip(old.dropFirst(kept).reversed(), edit.lines.dropFirst(kept).reversed())
      .prefix { $0.content == $1 }.count
    let removed = old[kept..<(old.count - keptAtEnd)]
    let added = edit.lines[kept..<(edit.lines.count - keptAtEnd)]
    guard !removed.isEmpty || !added.isEmpty else { return nil }
    kept = min(kept, old.count)
    let position =
      removed.first?.range.lowerBound
      ?? (kept > 0 ? old[kept - 1].range.upperBound : nil)
      ?? old.first?.range.lowerBound ?? endOfOwnProperties
    return Splice(
      removed: removed.map(\.range), position: position,
      added: added.flatMap { FileLines.folded($0, lineEnd: lineEnd) })
  }

  /// The component's own properties of that name, each with the lines that continue it.
  private func properties(named name: String) -> [(range: Range<Int>, content: [UInt8])] {
    var found: [(range: Range<Int>, content: [UInt8])] = []
    var isOpen = false
    for line in lines {
      if line.depth != 1 {
        isOpen = false
      } else if line.continuesText {
        guard isOpen, let last = found.indices.last else { continue }
        found[last] = (
          found[last].range.lowerBound..<line.range.upperBound,
          found[last].content + [UInt8(ascii: "\n")] + line.content
        )
      } else {
        isOpen = line.isProperty(named: name)
        if isOpen { found.append((line.range, line.content)) }
      }
    }
    return found
  }

  /// Where the first component within this one begins, otherwise where this one ends.
  private var endOfOwnProperties: Int {
    let inner = lines.first { $0.depth > 1 }
    return (inner ?? lines.last { $0.isProperty(named: "END") })?.range.lowerBound ?? bytes.count
  }

  /// CRLF, LF or CR, as at the end of the component's first line.
  package var lineEnd: [UInt8] {
    guard let first = lines.first else { return Array("\r\n".utf8) }
    let end = bytes[first.range].suffix(2).filter { $0 == 0x0D || $0 == 0x0A }
    return end.isEmpty ? Array("\r\n".utf8) : end
  }
}

extension ComponentText.Line {
  /// Whether it has no name of a property, so that it belongs to the text before it.
  fileprivate var continuesText: Bool { content.isStray }

  /// Whether it is a content line of that property, also in other letter case or with a blank
  /// before its colon.
  fileprivate func isProperty(named name: String) -> Bool {
    var head = content.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    while head.last?.isBlank == true { head.removeLast() }
    return head.count < content.count
      && head.elementsEqual(name.utf8) { $0 == $1 || $0.isLetter && $0 & 0xdf == $1 }
  }
}
