internal import AgendaCore

/// The problems of a source as a whole, in addition to those of its components.
enum SourceFindings {
  /// All findings of a source, by line. The file is needed to look at its components again.
  static func all(
    _ text: SourceText, _ scan: ScanResult, _ zones: SourceZones, of file: CalendarFile
  ) -> [Finding] {
    var findings = text.findings + scan.findings + zones.findings
    findings += ReversedEnds(of: file).findings
    findings += file.detailFindings() + file.freeBusyFindings()
    findings += costlyRules(of: file)
    if let line = scan.notUTF8.lines.first {
      var finding = Finding.linesNotUTF8.at(line: line)
      finding.laterLines = Array(scan.notUTF8.lines.dropFirst())
      finding.count = scan.notUTF8.count
      findings.append(finding)
    }
    let calendars = scan.calendars.compactMap(\.line)
    if calendars.count > 1, file.calendarNames == nil {
      // A message can hold several, and an export has several with one name.
      let isUsual =
        scan.calendars.contains { $0.method != nil }
        || scan.calendars.allSatisfy { $0.name != nil || $0.line == nil }
      findings.append(
        .severalCalendars(calendars.count, isUsual ? .note : .warning).at(
          line: calendars[1], component: "VCALENDAR"))
    }
    for calendar in scan.calendars where calendar.isVersion1 {
      findings.append(
        .vCalendar1.at(line: calendar.line, component: "VCALENDAR", property: "VERSION"))
    }
    for calendar in scan.calendars where calendar.isAnswer && !calendar.isReply {
      findings.append(
        .ignoredMethod(calendar.method ?? "").at(
          line: calendar.line, component: "VCALENDAR", property: "METHOD"))
    }
    if let (line, kind) = scan.outside {
      findings.append(.outsideCalendar.at(line: line, component: kind.name))
    }
    findings = findings.sortedByLine.grouped
    let unlisted = scan.unlistedFindings + max(0, findings.count - ScanResult.mostFindings)
    if unlisted > 0 {
      findings.removeLast(max(0, findings.count - ScanResult.mostFindings))
      findings.append(.moreProblems(unlisted))
    }
    return findings
  }

  private static func costlyRules(of file: CalendarFile) -> [Finding] {
    return file.stubs.dropFirst(file.firstWithoutCostlyRules).filter { $0.ruleWork > 0 }.map {
      .costlyRules($0.kind).at(
        line: Int($0.line), component: $0.kind.name, property: "RRULE")
    }.grouped
  }
}
