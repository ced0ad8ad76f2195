internal import AgendaCore

/// What came of reading or importing a source, in one line for people.
struct ReportText {
  /// How the counts are to be called: an import has done it, a check or a dry run would.
  enum Manner {
    case done, wouldBe
  }

  let manner: Manner

  /// `work.ics: 120 components, calendar work: 117 added, 1 superseded, 2 rejected`
  func summary(_ report: SourceReport) -> String {
    if let error = report.error { return "\(report.source): refused: \(error)" }
    var counts: [String] = []
    for (count, done, wouldBe) in [
      (report.added, "added", "to add"), (report.updated, "updated", "to update"),
      (report.removed, "removed", "to remove"), (report.unchanged, "unchanged", "unchanged"),
      (report.superseded, "superseded", "superseded"), (report.rejected, "rejected", "rejected"),
    ] where count > 0 {
      counts.append("\(count) \(manner == .done ? done : wouldBe)")
    }
    let components = report.components == 1 ? "1 component" : "\(report.components) components"
    var calendar = report.calendar.map { ", calendar \($0)" } ?? ""
    if let former = report.formerCalendar {
      calendar += manner == .done ? " (moved from \(former))" : " (to move from \(former))"
    }
    return
      "\(report.source): \(components)\(calendar): "
      + (counts.isEmpty ? "nothing to do" : counts.joined(separator: ", "))
  }
}
