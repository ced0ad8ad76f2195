internal import AgendaCore
internal import AgendaStore

/// Makes the reports of one import or refresh.
final class ImportReporting {
  /// What was reported of the components of several sources.
  private var reported: Set<Set<EventReference>> = []

  private var names: SourceNames

  init(storePath: String) {
    names = SourceNames(storePath: storePath)
  }

  /// The report on a source that was stored, with the problems that its last import did not have.
  func report(
    _ outcome: StoreImport.Outcome, source name: String, at location: String
  ) -> SourceReport {
    names.add(name, for: location)
    var problems: [(finding: SourceFinding, isKnown: Bool)] = outcome.documentProblems.map {
      let file = $0.document.isEmpty ? name : Source.name(ofFile: $0.document, in: name)
      return (SourceFinding(source: file, finding: $0.finding), $0.isKnown)
    }
    for problem in outcome.versionProblems {
      // Another source of this run has the same problem.
      if Set(problem.components.map(\.source)).count > 1,
        !reported.insert(Set(problem.components)).inserted
      {
        continue
      }
      var finding = names.named(problem.finding)
      let place = problem.origin.map(names.place)
      finding.line = place?.line
      problems.append(
        (SourceFinding(source: place?.source ?? name, finding: finding), problem.isKnown))
    }
    let (counts, components) = (outcome.counts, outcome.components)
    var report = SourceReport(
      source: name, calendar: outcome.calendar, previousCalendar: outcome.previousCalendar,
      components: components.components, added: counts.added, updated: counts.updated,
      removed: counts.removed, unchanged: counts.unchanged, superseded: counts.superseded,
      rejected: components.rejected, journals: components.journals,
      freeBusy: components.freeBusy, problems: problems.map(\.finding).sortedByLine.grouped)
    report.calendars = outcome.calendars
    report.newProblems = problems.filter { !$0.isKnown }.map(\.finding).sortedByLine.grouped
    return report
  }

  /// Adds problems that no component has.
  func add(_ findings: [Finding], to report: inout SourceReport) {
    guard !findings.isEmpty else { return }
    let problems = findings.map { SourceFinding(source: report.source, finding: $0) }
    report.problems = (report.problems + problems).grouped
    report.newProblems = (report.newProblems + problems).grouped
  }
}
