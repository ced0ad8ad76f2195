internal import ICalendar
internal import Platform

/// Scans a large source in parts, each on a separate thread, and joins the results. The result is
/// the same as that of one scan from the start to the end.
enum ThreadedScan {

  static func scan(_ text: SourceText, threads: Int, smallestPart: Int) -> ScanResult {
    let bytes = text.bytes.bytes
    let whole = text.start..<bytes.count
    // For a source in a temporary file, each thread has only one small part in memory.
    let wanted =
      text.bytes.isInFile ? max(threads, whole.count / SourceBytes.partLength) : threads
    let parts = cut(bytes, whole, into: min(wanted, whole.count / max(smallestPart, 1)))
    if parts.count > 1, let result = scan(text, parts, threads: max(threads, 1)) { return result }
    return scanWhole(bytes, whole)
  }

  static func scanWhole(_ bytes: Bytes, _ range: Range<Int>) -> ScanResult {
    var cutter = ComponentCutter(bytes, .init(range: range, isFirst: true, isLast: true))
    return cutter.scan()
  }

  /// Positions before a `BEGIN:VEVENT`, near the ends of equal parts.
  static func cut(_ bytes: Bytes, _ whole: Range<Int>, into count: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = whole.lowerBound
    for number in 1..<max(count, 1) {
      let wanted = whole.lowerBound + whole.count / count * number
      guard wanted > start, let border = border(bytes, from: wanted, to: whole.upperBound) else {
        continue
      }
      parts.append(start..<border)
      start = border
    }
    parts.append(start..<whole.upperBound)
    return parts
  }

  private static func border(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
    var index = start
    while index < end {
      let next = bytes.index(of: 0x0A, from: index, to: end) + 1
      if beginsEvent(bytes, at: next, to: end) { return next }
      index = next
    }
    return nil
  }

  /// Whether a line is exactly `BEGIN:VEVENT`. Further characters in the line, or in a fold of it,
  /// would make it another name.
  private static func beginsEvent(_ bytes: Bytes, at start: Int, to end: Int) -> Bool {
    let begin: StaticString = "BEGIN:VEVENT"
    var index = start + begin.utf8CodeUnitCount
    guard index + 2 < end, bytes.hasName(begin, at: start) else { return false }
    while index + 2 < end, bytes[index] == 0x0D { index += 1 }
    guard bytes[index] == 0x0A else { return false }
    return bytes[index + 1] != 0x20 && bytes[index + 1] != 0x09
  }

  /// `nil` if the parts cannot be joined to the result of a single scan. This happens if a part
  /// ends outside of a VCALENDAR or in a component that the next event belongs to, or if a METHOD
  /// changes the meaning of later events.
  private static func scan(
    _ text: SourceText, _ parts: [Range<Int>], threads: Int
  ) -> ScanResult? {
    let source = text.bytes
    let results = stride(from: 0, to: parts.count, by: threads).flatMap { first in
      Workers.results(min(threads, parts.count - first)) { number in
        let number = first + number
        var cutter = ComponentCutter(
          source.bytes,
          .init(
            range: parts[number], isFirst: number == 0, isLast: number == parts.count - 1))
        defer { source.release(parts[number]) }
        return cutter.scan()
      }
    }
    guard results.count == parts.count,
      results.dropLast().allSatisfy({ $0.endsInCalendar && !$0.endsInOther }),
      !results.contains(where: {
        $0.calendars.contains { $0.isMessage || $0.isAddition || $0.isVersion1 }
      })
    else { return nil }
    var whole = results[0]
    whole.stubs.reserveCapacity(results.reduce(0) { $0 + $1.stubs.count })
    for result in results.dropFirst() { whole.append(result) }
    return whole
  }
}

extension ScanResult {
  /// Adds the result of the next part.
  mutating func append(_ next: ScanResult) {
    let lines = lineCount
    let calendarOffset = calendars.count - 1
    // Its calendar 0 is the last calendar of this part.
    func number(_ calendar: Int) -> Int {
      calendar == 0 ? calendarOffset : calendar + calendarOffset
    }
    for var stub in next.stubs {
      stub.line += Int32(clamping: lines)
      stub.calendar = Int32(clamping: number(Int(stub.calendar)))
      stubs.append(stub)
    }
    for var finding in next.findings {
      finding.line = finding.line.map { $0 + lines }
      finding.laterLines = finding.laterLines.map { $0 + lines }
      add(finding)
    }
    unlistedFindings += next.unlistedFindings
    calendars[calendars.count - 1].append(next.calendars[0], afterLines: lines)
    for var calendar in next.calendars.dropFirst() {
      calendar.line = calendar.line.map { $0 + lines }
      calendar.zoneName = calendar.zoneName.map { ($0.text, $0.line + lines) }
      calendars.append(calendar)
    }
    for var other in next.others {
      other.line += lines
      other.calendar = number(other.calendar)
      others.append(other)
    }
    for var component in next.rejected {
      component.line += lines
      rejected.append(component)
    }
    for var entry in next.zones.entries {
      entry.line += lines
      entry.laterLines = entry.laterLines.map { $0 + lines }
      entry.calendar = number(entry.calendar)
      zones.add(entry)
    }
    componentCount += next.componentCount
    rejectedCount += next.rejectedCount
    rejectedJournalCount += next.rejectedJournalCount
    journalCount += next.journalCount
    lineCount += next.lineCount
    addNotUTF8(next.notUTF8.lines.map { $0 + lines }, count: next.notUTF8.count)
    if outside == nil { outside = next.outside.map { ($0.line + lines, $0.kind) } }
    isTruncated = isTruncated || next.isTruncated
    endsInCalendar = next.endsInCalendar
    hasCalendar = hasCalendar || next.hasCalendar
  }
}
