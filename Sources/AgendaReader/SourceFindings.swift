internal import AgendaCore

/// What is wrong with a source as a whole, beside what is wrong with its components.
enum SourceFindings {
  /// All findings of a source, by line; the file is there to look at its components again.
  static func all(
    _ text: SourceText, _ scan: ScanResult, _ zones: SourceZones, of file: CalendarFile
  ) -> [Finding] {
    var findings = text.findings + scan.findings + zones.findings
    findings += SharedUIDs(of: file).findings + ReversedEnds(of: file).findings
    if let (line, count) = scan.notUTF8 {
      findings.append(
        Finding(
          severity: .warning, line: line,
          message: count == 1
            ? "bytes in this line are not UTF-8"
            : "bytes in this line and \(count - 1) more are not UTF-8",
          action: "read as Windows-1252"))
    }
    let calendars = scan.calendars.compactMap(\.line)
    if calendars.count > 1 {
      findings.append(
        Finding(
          severity: .warning, line: calendars[1], component: "VCALENDAR",
          message: "\(calendars.count) calendars are in one source", action: "read as one"))
    }
    for calendar in scan.calendars where calendar.isAnswer {
      findings.append(
        Finding(
          severity: .note, line: calendar.line, component: "VCALENDAR", property: "METHOD",
          message: "\(calendar.method ?? "") is not a version of an event", action: "ignored"))
    }
    if let (line, kind) = scan.outside {
      findings.append(
        Finding(
          severity: .warning, line: line, component: kind.name,
          message: "is outside any VCALENDAR", action: "read anyway"))
    }
    // Stable, so that the findings of a line keep their order.
    findings = findings.enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element)
    let unlisted = scan.unlistedFindings + max(0, findings.count - ScanResult.mostFindings)
    if unlisted > 0 {
      findings.removeLast(max(0, findings.count - ScanResult.mostFindings))
      findings.append(
        Finding(
          severity: .error, message: "\(unlisted) more problems",
          action: "counted, not listed"))
    }
    return findings
  }
}
