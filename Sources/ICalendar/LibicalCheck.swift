/// Finds out what programs built on libical 3 (GNOME Calendar, Evolution, KOrganizer) would refuse,
/// lose or change in a component. Each thread needs its own.
package struct LibicalCheck: ~Copyable {
  /// A content line that such programs read differently.
  package struct Problem {
    package let line: ContentLine
    /// In capitals.
    package let property: String
    package let change: Change
  }

  /// What programs built on libical make of a property.
  package enum Change {
    /// They read only so many parameters.
    case losesParameters(limit: Int)
    /// They leave the property out.
    case isRefused
    /// They read a backslash that does not begin an escape as a space.
    case losesBackslash
    /// They accept a text that is not a date.
    case acceptsInvalidTime(String)
    /// They read the value as another one.
    case reads(String)
    /// They read only the first values.
    case losesValues(read: Int, count: Int)
    case ignoresValue
    case ignoresKeyword(parameter: String, String)
  }

  private var parser: LibicalLineParser
  private let isTime: (Bytes) -> Bool
  private let room = UnfoldingBuffer()
  /// The names of the open components.
  private var open: [[UInt8]] = []

  /// Limits for one component: hostile input costs libical much memory for every bad line.
  private static let mostProblems = 100
  private static let mostLines = 10_000
  /// libical needs up to 40 bytes for each byte of a list of dates.
  static let mostBytes = 1 << 20

  /// `isTime` decides whether a text is a date or date-time with every part in range; libical also
  /// accepts 30 February.
  package init?(isTime: @escaping (Bytes) -> Bool) {
    guard let parser = LibicalLineParser() else { return nil }
    self.parser = parser
    self.isTime = isTime
  }

  /// The problems of a component, which runs from its BEGIN to its END.
  package mutating func problems(
    of component: Range<Int>, firstLine: Int, in bytes: Bytes
  ) -> [Problem] {
    var problems: [Problem] = []
    var cursor = LineCursor(
      bytes, from: component.lowerBound, to: component.upperBound, line: firstLine)
    var lines = 0
    var size = 0
    while lines < Self.mostLines, problems.count < Self.mostProblems, let line = cursor.next() {
      lines += 1
      let (name, nameEnd) = room.name(of: line, in: bytes)
      let slot = PropertySlot(line: line, nameEnd: nameEnd)
      switch name {
      case .begin:
        guard open.count < Nesting.most else { return closed(problems) }
        begin(Array(room.componentName(line, nameEnd: nameEnd, in: bytes)))
      case .end: end(Array(room.componentName(line, nameEnd: nameEnd, in: bytes)))
      case .stray: break
      default:
        let view = room.view(slot, of: bytes)
        guard !open.isEmpty, !view.value.trimmed.isEmpty,
          view.bytes.count <= LibicalLineParser.longestLine
        else { continue }
        size += view.bytes.count
        guard size <= Self.mostBytes else { return closed(problems) }
        if let change = change(name, view) {
          problems.append(
            Problem(line: line, property: view.name.text.uppercased(), change: change))
        }
      }
    }
    return closed(problems)
  }

  private mutating func begin(_ name: [UInt8]) {
    open.append(name)
    add("BEGIN:", name)
  }

  /// Ends the innermost component with that name and everything open inside it. An END without a
  /// BEGIN is left out, because libical prints it to standard error.
  private mutating func end(_ name: [UInt8]) {
    let digest = name.withUnsafeBufferPointer(Nesting.digest)
    guard
      let level = open.lastIndex(where: { $0.withUnsafeBufferPointer(Nesting.digest) == digest })
    else { return }
    while open.count > level { add("END:", open.removeLast()) }
  }

  private mutating func closed(_ problems: [Problem]) -> [Problem] {
    while let name = open.popLast() { add("END:", name) }
    return problems
  }

  private mutating func add(_ keyword: String, _ name: [UInt8]) {
    let line = Array(keyword.utf8) + name
    _ = line.withUnsafeBufferPointer { parser.accepts($0) }
  }
}

// MARK: Properties

extension LibicalCheck {
  private mutating func change(_ name: PropertyName, _ view: ContentView) -> Change? {
    var parameters = 0
    var keyword: Change?
    view.forEachParameter { parameter, value in
      parameters += 1
      let parameter = view.bytes.part(parameter.lowerBound, parameter.upperBound).trimmed
      if keyword == nil {
        keyword = Self.unknownKeyword(
          parameter, view.bytes.part(value.lowerBound, value.upperBound))
      }
      return parameters <= LibicalLineParser.mostParameters
    }
    guard parameters <= LibicalLineParser.mostParameters else {
      return .losesParameters(limit: LibicalLineParser.mostParameters)
    }
    guard parser.accepts(view.bytes) else { return .isRefused }
    return changedValue(name, view) ?? keyword
  }

  /// A value that libical accepts but reads differently. libical is asked only if the value looks
  /// unusual, because reading a line twice would take twice as long.
  private func changedValue(_ name: PropertyName, _ view: ContentView) -> Change? {
    guard let type = PropertyTable.row(of: name)?.type else { return nil }
    let value = view.value.trimmed
    switch type {
    case .text:
      if name == .categories { return lost(value, view) }
      // libical keeps the values of X- properties as they are.
      guard !view.name.beginsWithName("X-"), Self.hasUnusualEscape(value),
        view.parameter("ENCODING") == nil,
        let read = LibicalLineParser.values(of: view.bytes).first,
        read != PropertyValue.text(value)
      else { return nil }
      return .losesBackslash
    case .time:
      if let lost = lost(value, view) { return lost }
      guard let wrong = firstInvalidTime(value) else { return nil }
      return .acceptsInvalidTime(wrong)
    case .integer:
      guard value.contains(where: { !$0.isDigit && $0 != 0x2B && $0 != 0x2D }) else {
        return changedNumber(value, view)
      }
      return LibicalLineParser.values(of: view.bytes).first.map { .reads($0) }
    case .coordinates:
      guard
        value.count(where: { $0 == 0x3B }) > 1
          || value.contains(where: { !$0.isDigit && !"+-.;".utf8.contains($0) }),
        let read = LibicalLineParser.values(of: view.bytes).first
      else { return nil }
      return .reads(read)
    case .status, .transparency, .classification, .action, .method:
      return PropertyValue.isKnown(value, type) ? nil : .ignoresValue
    case .duration, .trigger: return changedNumber(value, view)
    case .rule: return changedRule(value, view)
    case .address, .uri, .attachment, .component: return nil
    }
  }

  /// Values of a list beyond the most that libical reads.
  private func lost(_ value: Bytes, _ view: ContentView) -> Change? {
    let count = value.count { $0 == 0x2C } + 1
    guard count > LibicalLineParser.mostValues else { return nil }
    let read = LibicalLineParser.values(of: view.bytes).count
    guard read < count else { return nil }
    return .losesValues(read: read, count: count)
  }

  private func firstInvalidTime(_ value: Bytes) -> String? {
    var start = 0
    while start < value.count {
      let end = value.index(of: 0x2C, from: start, to: value.count)
      let one = value.part(start, end).trimmed
      // libical handles a TZID with a colon without quotes, as Google writes it.
      if one.contains(0x3A) { return nil }
      // A period begins with a time.
      let time = one.part(0, one.index(of: 0x2F, from: 0, to: one.count))
      if !time.isEmpty, !isTime(time) { return time.part(0, 64).text }
      start = end + 1
    }
    return nil
  }

  private static func unknownKeyword(_ parameter: Bytes, _ value: Bytes) -> Change? {
    let name: ParameterName
    switch parameter.count {
    case 4 where parameter.isName("ROLE"): name = .role
    case 8 where parameter.isName("PARTSTAT"): name = .participation
    default: return nil
    }
    guard !ParameterValue.isKnown(value, name) else { return nil }
    return .ignoresKeyword(
      parameter: parameter.text.uppercased(), value.part(0, 64).text)
  }

  private static func hasUnusualEscape(_ value: Bytes) -> Bool {
    var index = value.index(of: 0x5C, from: 0, to: value.count)
    while index < value.count {
      let next = index + 1 < value.count ? value[index + 1] : 0
      if !"nN\\,;".utf8.contains(next) { return true }
      index = value.index(of: 0x5C, from: index + 2, to: value.count)
    }
    return false
  }
}
