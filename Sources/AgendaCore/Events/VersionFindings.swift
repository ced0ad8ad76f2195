/// What is wrong with a component because of the versions that its calendar has: the same for a file,
/// a folder, several sources and the store.
extension SeriesAssembly {
  /// A finding that a file has by itself, as it is for the whole calendar. `nil` if it does not hold
  /// there: another file has a newer version, or has the same problem too, which is then reported
  /// once for all files. The assembly has all components with the UID.
  package func finding(
    _ finding: Finding, of events: [Event], isOfFile: (EventReference) -> Bool
  ) -> Finding? {
    func isSame(_ event: Event) -> Bool {
      event.identity.uid == finding.uid && event.kind.component == finding.component
    }
    if finding.isAboutSharedUID {
      let isOfFileAlone = problems.contains { problem in
        problem.finding.isAboutSharedUID && problem.finding.uid == finding.uid
          && problem.finding.component == finding.component
          && problem.events.allSatisfy(isOfFile)
      }
      return isOfFileAlone ? finding : nil
    }
    if finding.isAboutMissingSeries,
      events.contains(where: { isSame($0) && $0.identity.recurrenceID == nil })
    {
      var corrected = finding
      corrected.kind = .ruleInOverride(hasSeries: true)
      return corrected
    }
    return finding
  }
}
