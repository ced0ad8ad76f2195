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
      corrected.message = RepeatingOverride.message(hasSeries: true)
      corrected.action = RepeatingOverride.action(hasSeries: true)
      return corrected
    }
    return finding
  }

  /// The words about a component that has both a rule and a RECURRENCE-ID.
  package enum RepeatingOverride {
    package static func message(hasSeries: Bool) -> String {
      hasSeries
        ? "is in an override, which cannot repeat"
        : "is next to RECURRENCE-ID, but the series with this UID is missing"
    }

    package static func action(hasSeries: Bool) -> String {
      hasSeries ? "ignored" : "read as a separate series"
    }
  }
}

extension Finding {
  static let sharedUIDAction = "all kept"
  static let replacedAction = "they are not shown"

  /// Whether it is about different events with one UID.
  package var isAboutSharedUID: Bool { property == "UID" && action == Self.sharedUIDAction }

  /// Whether it is about different events with one UID that a newer one replaces.
  package var isAboutReplacedEvents: Bool {
    (property == "SEQUENCE" || property == "DTSTAMP") && action == Self.replacedAction
  }

  /// Whether it is about an override with a rule whose series is missing. A finding that counts
  /// several problems is not corrected.
  package var isAboutMissingSeries: Bool {
    count == 1 && action == SeriesAssembly.RepeatingOverride.action(hasSeries: false)
  }

  /// Whether another file of the calendar can prove it wrong.
  package var dependsOnVersions: Bool { isAboutSharedUID || isAboutMissingSeries }
}
