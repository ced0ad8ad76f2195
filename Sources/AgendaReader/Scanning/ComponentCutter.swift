internal import AgendaCore
internal import CivilTime
internal import ICalendar

/// Cuts a source, or one part of it, into components in one pass, and checks each.
///
/// A `BEGIN` of an event, a task, a journal, a VTIMEZONE or a VCALENDAR always begins a new
/// component, even if another one is open. So a lost `END` never affects the next component, and a
/// source can be cut before any such line and scanned in parts.
struct ComponentCutter {
  /// The part of the source to scan.
  struct Part {
    var range: Range<Int>
    /// The other parts begin within a VCALENDAR, with one of its components.
    var isFirst: Bool
    var isLast: Bool
  }

  private enum Open {
    case nothing
    case component(ComponentKind)
    case other
  }

  let bytes: Bytes
  let part: Part
  private var result = ScanResult()
  private var cursor: LineCursor
  private var slots = ComponentSlots()
  private var screen = DetailScreen()
  private var decoder: PlacementDecoder
  /// The end of an open component of another kind, if it was searched for.
  private var openEnd = 0
  /// The number of times that this END was missing. Each search reads the rest of the calendar.
  private var missingEnds = 0
  /// Real calendars lose a few at the most.
  private static let mostMissingEnds = 16
  /// For names of components that are still in use when another component is decoded.
  private let nameRoom = UnfoldingBuffer()
  private var open = Open.nothing
  private var nesting = Nesting()
  private var openStart = 0
  private var openLine = 0
  private var openName: (text: String, digest: UInt64) = ("", 0)
  private var calendar = 0
  /// The meaning of `calendar`; `nil` before its first component, and after another property of it.
  private var meaning: CalendarMeaning?
  private var isInCalendar: Bool
  private var isUTF8: Bool
  /// Whether the calendar's last own line was a text, to which a stray line can belong.
  private var isAfterText = false

  init(_ bytes: Bytes, _ part: Part) {
    self.bytes = bytes
    self.part = part
    cursor = LineCursor(bytes, from: part.range.lowerBound, to: part.range.upperBound)
    decoder = PlacementDecoder(bytes: bytes, keepsValues: false)
    isInCalendar = !part.isFirst
    isUTF8 = bytes.part(part.range.lowerBound, part.range.upperBound).isUTF8
  }

  /// The pass itself.
  mutating func scan() -> ScanResult {
    while let line = cursor.next() { read(line) }
    finishPart()
    result.lineCount = cursor.line - 1
    result.zones = decoder.zones
    result.endsInCalendar = isInCalendar
    return result
  }

  private mutating func read(_ line: ContentLine) {
    if !isUTF8 { checkEncoding(line) }
    let (name, nameEnd) = decoder.room.name(of: line, in: bytes)
    switch name {
    case .begin: begin(nameRoom.componentName(line, nameEnd: nameEnd, in: bytes), line)
    case .end: end(nameRoom.componentName(line, nameEnd: nameEnd, in: bytes), line)
    default:
      switch open {
      case .component:
        if nesting.isEmpty {
          let name = name.unlessProse(line, nameEnd: nameEnd, bytes)
          slots.read(name, line, nameEnd: nameEnd, bytes: bytes)
        }
        screen.read(
          name, line, nameEnd: nameEnd, isNested: !nesting.isEmpty, bytes: bytes)
      case .other: break
      case .nothing: readCalendarProperty(name, line, nameEnd)
      }
    }
  }

  private mutating func checkEncoding(_ line: ContentLine) {
    guard !bytes.part(line.start, line.end).isUTF8 else { return }
    if line.isFolded {
      // A fold may be within a character.
      let slot = PropertySlot(line: line, nameEnd: line.start)
      guard !decoder.room.view(slot, of: bytes).bytes.isUTF8 else { return }
    }
    result.addNotUTF8([line.line], count: 1)
  }
}

// MARK: Begin and end

extension ComponentCutter {
  private mutating func begin(_ name: Bytes, _ line: ContentLine) {
    isAfterText = false
    if let kind = ComponentKind(name) {
      if belongsToOther(line) {
        nesting.begin(name)
        return
      }
      close(before: line)
      result.hasCalendar = true
      slots.removeAll()
      screen = DetailScreen()
      nesting.removeAll()
      openStart = line.start
      openLine = line.line
      open = .component(kind)
      if kind == .journal { result.journalCount += 1 } else { result.componentCount += 1 }
      if !isInCalendar, result.outside == nil { result.outside = (line.line, kind) }
    } else if name.isName("VCALENDAR") {
      close(before: line)
      beginCalendar(line)
    } else if name.isName("VTIMEZONE") {
      close(before: line)
      beginOther(name, line)
    } else {
      switch open {
      case .nothing: beginOther(name, line)
      case .component, .other: nesting.begin(name)
      }
    }
  }

  /// Whether an event, task or journal is part of another component, such as a VPOLL (RFC 9073 and
  /// drafts define more of these). That component must have an END, because a lost END must not
  /// hide all events that follow.
  private mutating func belongsToOther(_ line: ContentLine) -> Bool {
    let withoutEvents = ["VTIMEZONE", "VFREEBUSY", "VALARM", "STANDARD", "DAYLIGHT"]
    guard case .other = open, !withoutEvents.contains(openName.text) else { return false }
    if line.start < openEnd { return true }
    guard missingEnds < Self.mostMissingEnds else { return false }
    var ahead = LineCursor(bytes, from: line.end, to: bytes.count)
    let room = UnfoldingBuffer()
    while let next = ahead.next() {
      let (name, nameEnd) = room.name(of: next, in: bytes)
      guard name == .end || name == .begin else { continue }
      let component = room.componentName(next, nameEnd: nameEnd, in: bytes)
      if component.isName("VCALENDAR") { break }
      if name == .end, Nesting.digest(component) == openName.digest {
        openEnd = next.end
        return true
      }
    }
    missingEnds += 1
    return false
  }

  private mutating func beginCalendar(_ line: ContentLine) {
    if isInCalendar {
      result.add(.unclosedBeforeCalendar.at(line: line.line, component: "VCALENDAR"))
    }
    result.hasCalendar = true
    calendar = result.calendars.count
    meaning = nil
    result.calendars.append(ScannedCalendar(line: line.line))
    isInCalendar = true
  }

  private mutating func beginOther(_ name: Bytes, _ line: ContentLine) {
    openName = (name.part(0, 64).text.uppercased(), Nesting.digest(name))
    if name.isName("VTIMEZONE") || name.isName("VFREEBUSY") { result.hasCalendar = true }
    nesting.removeAll()
    openStart = line.start
    openLine = line.line
    openEnd = 0
    open = .other
  }

  private mutating func end(_ name: Bytes, _ line: ContentLine) {
    isAfterText = false
    switch open {
    case .component(let kind):
      if ComponentKind(name) == kind {
        finish(kind, end: line.end, isWhole: nesting.isEmpty)
        return
      }
      if nesting.end(name) { return }
    case .other:
      if nesting.end(name) { return }
      if Nesting.digest(name) == openName.digest {
        finishOther(end: line.end, isWhole: true)
        return
      }
    case .nothing: break
    }
    if name.isName("VCALENDAR") {
      close(before: line)
      if !isInCalendar { unmatched(name, line) }
      isInCalendar = false
    } else {
      unmatched(name, line)
    }
  }

  private mutating func unmatched(_ name: Bytes, _ line: ContentLine) {
    result.add(.unmatchedEnd(name.text).at(line: line.line, place: 0..<line.end - line.start))
  }

  /// Closes open components before the BEGIN of another one.
  private mutating func close(before line: ContentLine) {
    switch open {
    case .nothing: break
    case .component(let kind): finish(kind, end: line.start, isWhole: false)
    case .other: finishOther(end: line.start, isWhole: false)
    }
  }

  private mutating func finishPart() {
    switch open {
    case .nothing: break
    case .component(let kind):
      if part.isLast {
        reject(kind, .unclosedAtEnd(kind))
        result.isTruncated = true
      } else {
        finish(kind, end: part.range.upperBound, isWhole: false)
      }
    case .other:
      result.isTruncated = part.isLast
      result.endsInOther = true
      finishOther(end: part.range.upperBound, isWhole: false)
    }
    if part.isLast, isInCalendar {
      result.isTruncated = true
      result.add(
        .unclosedCalendar.at(line: max(cursor.line - 1, 1), component: "VCALENDAR"))
    }
  }
}

// MARK: Components

extension ComponentCutter {
  private mutating func reject(_ kind: ComponentKind, _ reason: Finding) {
    countRejected(kind)
    result.add(reason.at(line: openLine, component: kind.name, uid: uidText))
  }

  private mutating func countRejected(_ kind: ComponentKind) {
    if kind == .journal { result.rejectedJournalCount += 1 } else { result.rejectedCount += 1 }
  }

  private var uidText: String? {
    slots.uid.map { decoder.room.text($0, of: bytes) }
  }

  /// The component is complete, or ends because another one begins. In both cases its properties
  /// are complete.
  private mutating func finish(_ kind: ComponentKind, end: Int, isWhole: Bool) {
    open = .nothing
    if nesting.isTooDeep {
      reject(kind, .tooDeep(limit: Nesting.most, kind))
      return
    }
    let meaning = self.meaning ?? CalendarMeaning(result.calendars[calendar])
    self.meaning = meaning
    decoder.findings.isNeeded = !result.isFull
    let placement = decoder.placement(
      of: slots, kind: kind, calendar: calendar,
      meaning: meaning, line: openLine)
    for finding in decoder.findings.all { result.add(finding) }
    result.unlistedFindings += decoder.findings.unmadeCount
    guard let placement else {
      result.rejected.append(
        RejectedComponent(range: openStart..<max(openStart, end), line: openLine, kind: kind))
      countRejected(kind)
      return
    }
    if !isWhole {
      let finding = nesting.isEmpty ? Finding.unclosed : .unclosedInner
      result.add(finding.at(line: openLine, component: kind.name, uid: uidText))
    }
    if let stray = slots.stray {
      result.add(
        .strayLine(isText: stray.isText).at(
          line: stray.line.line, place: 0..<stray.line.end - stray.line.start,
          component: kind.name, uid: uidText))
    }
    append(kind, placement, end: end)
  }

  private mutating func append(_ kind: ComponentKind, _ placement: Placement, end: Int) {
    let days = placement.days
    screen.finish(length: end - openStart, lines: cursor.line - openLine)
    result.stubs.append(
      ComponentStub(
        start: openStart, length: Int32(clamping: end - openStart),
        line: Int32(clamping: openLine), uidDigest: slots.uidDigest(in: bytes, decoder.room),
        sequence: placement.sequence,
        firstDay: days.lowerBound, lastDay: days.upperBound,
        calendar: Int32(clamping: calendar), kind: kind,
        isOverride: placement.recurrenceID != nil,
        replacesMidnight: placement.replacesMidnight, mayEndEarly: placement.mayEndEarly,
        ruleWork: Int32(clamping: placement.ruleWork),
        mayHaveProblems: screen.mayHaveProblems || placement.mayEndBeforeStart
          || placement.isRecurring && placement.recurrenceID != nil
          || placement.hasExceptionAtMidnight
          || !placement.isRecurring && !slots.exceptionDates.isEmpty))
  }

  private mutating func finishOther(end: Int, isWhole: Bool) {
    open = .nothing
    result.others.append(
      OtherComponent(
        range: openStart..<max(openStart, end), line: openLine, calendar: calendar,
        name: openName.text, isWhole: isWhole))
    if !isWhole {
      result.add(.unclosed.at(line: openLine, component: openName.text))
    }
  }
}

// MARK: The calendar's own properties

extension ComponentCutter {
  private mutating func readCalendarProperty(
    _ name: PropertyName, _ line: ContentLine, _ nameEnd: Int
  ) {
    guard isInCalendar else { return }
    guard name != .stray else {
      readStray(line)
      return
    }
    isAfterText = name.isOtherText
    meaning = nil
    result.calendars[calendar].properties.append(line.start..<line.end)
    let slot = PropertySlot(line: line, nameEnd: nameEnd)
    let (room, bytes) = (decoder.room, bytes)
    func text() -> String? {
      let text = room.text(slot, of: bytes).trimmed
      return text.isEmpty ? nil : text
    }
    switch name {
    case .calendarName: take(\.wideName, text)
    case .name: take(\.properName, text)
    case .color: take(\.properColor, text)
    case .appleColor: take(\.appleColor, text)
    case .method:
      take(\.method) {
        let method = PropertyValue.string(room.view(slot, of: bytes).value, .method).uppercased()
        return method.isEmpty ? nil : method
      }
    case .version: take(\.version, text)
    case .producer: take(\.producer, text)
    case .oldZone:
      if result.calendars[calendar].oldZone == nil {
        result.calendars[calendar].oldZone = text().map { ($0, line.line) }
      }
    case .oldDaylight:
      if let text = text(), result.calendars[calendar].oldDaylight.count < VCalendarZone.mostPeriods
      {
        result.calendars[calendar].oldDaylight.append((text, line.line))
      }
    case .calendarZone:
      if result.calendars[calendar].zoneName == nil {
        result.calendars[calendar].zoneName = text().map { ($0, line.line) }
      }
    default: break
    }
  }

  /// If a property that may occur once is repeated, the first one counts.
  private mutating func take(
    _ property: WritableKeyPath<ScannedCalendar, String?>, _ text: () -> String?
  ) {
    if result.calendars[calendar][keyPath: property] == nil {
      result.calendars[calendar][keyPath: property] = text()
    }
  }

  private mutating func readStray(_ line: ContentLine) {
    guard !isAfterText, !bytes.part(line.start, line.end).trimmed.isEmpty else { return }
    isAfterText = true
    result.add(
      .strayLine(isText: false).at(
        line: line.line, place: 0..<line.end - line.start, component: "VCALENDAR"))
  }
}
