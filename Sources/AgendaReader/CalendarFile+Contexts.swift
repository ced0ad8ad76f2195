internal import ICalendar

extension CalendarFile {
  /// The lines and components of a VCALENDAR that decide what its events mean: METHOD, VERSION, the
  /// lines about zones, what its PRODID says about descriptions, and the definitions of its zones,
  /// and of those that its events name.
  package struct Context: Hashable, Sendable {
    /// Whether it is a VCALENDAR. The first one stands for what is outside of any.
    package let isCalendar: Bool
    /// With line ends.
    package let text: [UInt8]

    /// A line that no source writes: the number of the VCALENDAR among those with the same other lines
    /// of a context.
    package static let variantName: StaticString = "X-AGENDA-VCALENDAR"
  }

  /// The contexts of its VCALENDARs, in their order.
  package var contexts: [Context] {
    let definitions = definitions
    // Its components belong to several calendars. The first one has those outside of any.
    let hasOthers =
      !definitions.isEmpty && (calendars.count > 2 || stubs.first?.calendar == 0)
    let named = hasOthers ? zones.namesByCalendar : [:]
    let room = UnfoldingBuffer()
    let properties = calendars.count > 2 ? calendarProperties : []
    var variants: [Context: [[UInt8]: Int]] = [:]
    /// Components belong to the VCALENDAR with their context. So VCALENDARs with other lines than the
    /// first one of a context have one of their own, although the lines that decide are the same.
    func distinct(_ context: Context, _ number: Int) -> Context {
      guard properties.indices.contains(number), context.isCalendar else { return context }
      let known = variants[context] ?? [:]
      let variant = known[properties[number]] ?? known.count
      variants[context, default: [:]][properties[number]] = variant
      if variant == 0 { return context }
      let mark = Array("\(Context.variantName):\(variant + 1)\r\n".utf8)
      return Context(isCalendar: true, text: mark + context.text)
    }
    return calendars.enumerated().map { number, calendar in
      var text: [UInt8] = []
      for range in calendar.properties where decides(range, room) {
        Self.add(self.text.bytes.bytes(range), to: &text)
      }
      if let producer = calendar.producerOfHTML {
        // Without the version of the producer, whose change would change every event.
        text += Array("PRODID:\(producer)\r\n".utf8)
      }
      var defined: Set<String> = []
      func add(_ definition: OtherComponent) {
        Self.add(self.text.bytes.bytes(definition.range), to: &text)
      }
      for definition in definitions where definition.calendar == number {
        add(definition)
        if hasOthers, let name = name(of: definition) { defined.insert(name) }
      }
      guard hasOthers else {
        return distinct(Context(isCalendar: calendar.line != nil, text: text), number)
      }
      // An event can also name a zone that only another VCALENDAR of the file defines.
      var missing = named[number] ?? []
      if let name = calendar.zoneName?.text { missing.insert(name.lowercased()) }
      for definition in definitions where definition.calendar != number {
        guard let name = name(of: definition), missing.contains(name.lowercased()),
          defined.insert(name).inserted
        else { continue }
        add(definition)
      }
      if defined.isEmpty, let only = onlyDefinition(ofCalendar: number),
        let definition = definitions.first(where: { name(of: $0) == only })
      {
        add(definition)
      }
      return distinct(Context(isCalendar: calendar.line != nil, text: text), number)
    }
  }

  private var definitions: [OtherComponent] {
    others.filter { $0.name == "VTIMEZONE" && $0.isWhole }
  }

  /// The TZID of the only definition of a VCALENDAR, or of another one that its events name; without
  /// such a one, that of the only definition of the source. `nil` if there are several.
  func onlyDefinition(ofCalendar number: Int) -> String? {
    let definitions = definitions.compactMap { definition in
      name(of: definition).map { (name: $0, calendar: definition.calendar) }
    }
    guard let first = definitions.first else { return nil }
    if definitions.allSatisfy({ $0.name == first.name }) { return first.name }
    var named = zones.namesByCalendar[number] ?? []
    if let name = calendars[number].zoneName?.text { named.insert(name.lowercased()) }
    let own = Set(
      definitions.filter { $0.calendar == number || named.contains($0.name.lowercased()) }
        .map(\.name))
    return own.count == 1 ? own.first : nil
  }

  private func name(of definition: OtherComponent) -> String? {
    ZoneDefinitionText.identifier(definition, of: text.bytes.bytes)
  }

  private func decides(_ range: Range<Int>, _ room: UnfoldingBuffer) -> Bool {
    // A fold can be within the name.
    let line = ContentLine(start: range.lowerBound, end: range.upperBound, line: 1, isFolded: true)
    return switch room.name(of: line, in: text.bytes.bytes).0 {
    case .method, .version, .calendarZone, .oldZone, .oldDaylight: true
    default: false
    }
  }

  private static func add(_ bytes: Bytes, to text: inout [UInt8]) {
    text += bytes
    if text.last != 0x0A { text += [0x0D, 0x0A] }
  }
}

/// Components that a store keeps one by one, with the context that they share.
package struct CalendarPieces: Sendable {
  package var context: CalendarFile.Context
  /// The number of each component in references, and its text.
  package var components: [(number: Int, text: [UInt8])]
  /// Whether the costly rules of the components are ignored.
  package var omitsCostlyRules: Bool

  package init(
    context: CalendarFile.Context, components: [(number: Int, text: [UInt8])],
    omitsCostlyRules: Bool = false
  ) {
    self.context = context
    self.components = components
    self.omitsCostlyRules = omitsCostlyRules
  }
}

extension CalendarFile.Context {
  package init(isCalendar: Bool, _ text: [UInt8]) {
    self.isCalendar = isCalendar
    self.text = text
  }
}

extension CalendarReader {
  /// Reads components of a store as one file, whose events have the numbers of the components. What is
  /// wrong with them was found when they were stored, and they were cut then: only the lines around
  /// them are scanned. `nil` if there is no component.
  package func read(_ pieces: CalendarPieces, calendar: String) -> CalendarFile? {
    let (begin, end) = (Array("BEGIN:VCALENDAR\r\n".utf8), Array("END:VCALENDAR\r\n".utf8))
    let isCalendar = pieces.context.isCalendar
    let context = (isCalendar ? begin : []) + pieces.context.text
    let length = pieces.components.reduce(context.count + end.count) { $0 + $1.text.count + 2 }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(pieces.components.count)
    let source = SourceBytes(capacity: length) { room in
      var count = 0
      func add(_ bytes: [UInt8]) {
        guard let start = room.baseAddress else { return }
        bytes.withUnsafeBufferPointer { bytes in
          guard let from = bytes.baseAddress else { return }
          (start + count).update(from: from, count: bytes.count)
        }
        count += bytes.count
      }
      add(context)
      for (_, text) in pieces.components {
        let start = count
        add(text)
        if text.last != 0x0A { add([0x0D, 0x0A]) }
        ranges.append(start..<count)
      }
      if isCalendar { add(end) }
      return count
    }
    guard let text = try? SourceText(source, encoding: .utf8) else { return nil }
    let bytes = text.bytes.bytes
    var cutter = ComponentCutter(
      bytes, .init(range: 0..<context.count, isFirst: true, isLast: false))
    var scan = cutter.scan()
    let ofContext = Int32(clamping: scan.calendars.count - 1)
    var numbers: [Int] = []
    for ((number, _), range) in zip(pieces.components, ranges) {
      guard let kind = ComponentKind(of: range, in: bytes) else { continue }
      numbers.append(number)
      scan.stubs.append(
        ComponentStub(
          stored: range, kind: kind, calendar: ofContext,
          omitsCostlyRules: pieces.omitsCostlyRules))
    }
    guard !scan.stubs.isEmpty else { return nil }
    var options = options
    options.costlyRules = CalendarFile.mostCostlyRules
    return CalendarFile(
      text, scan, zones: SourceZones(scan, of: bytes, names: names, isStored: true), findings: [],
      name: calendar, options: options, numbers: numbers)
  }
}
