internal import Platform

/// Digests of what a component says. The order of properties and parameters, the letter case of
/// their names, quotes, escapes and folds do not change them.
///
/// They leave out what an event has as a value, so that different spellings of it are equal: UID,
/// SEQUENCE, the stamps, and the times from DTSTART to RECURRENCE-ID. They are the same in every
/// process.
package struct ComponentMeaning {
  package private(set) var all: UInt64 = 0
  /// The same without what answers, cancellations and removed occurrences change: STATUS, EXDATE and
  /// the parameters of attendees.
  package private(set) var lasting: UInt64 = 0
  /// The digest of the text, as that of `ComponentContent`.
  package private(set) var text: UInt64 = 0

  package init(_ component: [UInt8]) {
    let room = UnfoldingBuffer()
    component.withUnsafeBufferPointer { bytes in
      var cursor = LineCursor(bytes, from: 0, to: bytes.count)
      // The digests of the lines of each open component. A closed one is a line of its parent.
      var open = [Level()]
      var text = StableDigest()
      while let line = cursor.next() {
        let (name, nameEnd) = room.name(of: line, in: bytes)
        let view = room.view(PropertySlot(line: line, nameEnd: nameEnd), of: bytes)
        if open.count != 2 || name != .dateTimeStamp && name != .lastModified {
          text.add(view.bytes)
          text.add(UInt8(ascii: "\n"))
        }
        switch name {
        case .begin: open.append(Level(name: view.value.trimmed))
        case .end where open.count > 1:
          let closed = open.removeLast()
          open[open.count - 1].all.append(closed.digest(of: closed.all))
          open[open.count - 1].lasting.append(closed.digest(of: closed.lasting))
        case .uid, .sequence, .dateTimeStamp, .lastModified, .start, .finish, .due, .duration,
          .recurrenceID:
          // An alarm has only a DURATION, which belongs to its meaning.
          if open.count > 2 { open[open.count - 1].add(view, name) }
        default: open[open.count - 1].add(view, name)
        }
      }
      // A component that is cut off has no END.
      while open.count > 1 {
        let closed = open.removeLast()
        open[open.count - 1].all.append(closed.digest(of: closed.all))
        open[open.count - 1].lasting.append(closed.digest(of: closed.lasting))
      }
      all = open[0].digest(of: open[0].all)
      lasting = open[0].digest(of: open[0].lasting)
      self.text = text.value
    }
  }

  private struct Level {
    private let name: StableDigest
    var all: [UInt64] = []
    var lasting: [UInt64] = []

    init(name: Bytes = Bytes(start: nil, count: 0)) {
      var digest = StableDigest()
      digest.add(name: name)
      self.name = digest
    }

    func digest(of lines: [UInt64]) -> UInt64 {
      var digest = name
      for line in lines.sorted() { digest.add(Int(truncatingIfNeeded: line)) }
      return digest.value
    }

    mutating func add(_ view: ContentView, _ name: PropertyName) {
      var digest = StableDigest()
      digest.add(name: view.name)
      let bare = digest
      for parameter in ComponentMeaning.parameters(of: view).sorted() {
        digest.add(Int(truncatingIfNeeded: parameter))
      }
      ComponentMeaning.add(view.value, name, to: &digest)
      all.append(digest.value)
      switch name {
      case .status, .exceptionDate: break
      case .attendee:
        var digest = bare
        ComponentMeaning.add(view.value, name, to: &digest)
        lasting.append(digest.value)
      default: lasting.append(digest.value)
      }
    }
  }

  private static func parameters(of view: ContentView) -> [UInt64] {
    var found: [UInt64] = []
    view.forEachParameter { name, value in
      var digest = StableDigest()
      digest.add(name: view.bytes.part(name.lowerBound, name.upperBound))
      digest.add(view.bytes.part(value.lowerBound, value.upperBound))
      found.append(digest.value)
      return true
    }
    return found
  }

  private static func add(_ value: Bytes, _ name: PropertyName, to digest: inout StableDigest) {
    switch name {
    case .summary, .location, .description, .styledDescription, .color, .otherText:
      digest.add(unescaped: value.trimmed)
    case .status, .transparency, .classification, .action:
      digest.add(name: value.trimmed)
    case .rule, .exceptionRule:
      let parts = value.trimmed.split(separator: UInt8(ascii: ";")).map { part in
        var digest = StableDigest()
        digest.add(name: Bytes(rebasing: part))
        return digest.value
      }
      for part in parts.sorted() { digest.add(Int(truncatingIfNeeded: part)) }
    default: digest.add(value.trimmed)
    }
  }
}

extension StableDigest {
  /// Adds a name in capitals, closed by a byte that UTF-8 never has.
  fileprivate mutating func add(name: Bytes) {
    for byte in name {
      add((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte)
    }
    add(0xff as UInt8)
  }

  /// Adds a text without the backslashes of its escapes (RFC 5545 3.3.11).
  fileprivate mutating func add(unescaped text: Bytes) {
    var isEscaped = false
    for byte in text {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "N"): add(UInt8(ascii: "\n"))
        case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"): add(byte)
        default:
          add(UInt8(ascii: "\\"))
          add(byte)
        }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        add(byte)
      }
    }
  }
}
