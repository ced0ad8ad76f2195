/// The findings of an assembly.
extension SeriesAssembly {
  /// A finding about different events with one UID. Its positions are added later.
  static func finding(sharedBy event: Event, count: Int) -> Finding {
    warning(about: event, .sharedUID(count: count, .lines([])), "UID")
  }

  /// A finding about an event that replaces several different events with its UID. Their positions are
  /// added later.
  static func finding(
    _ replacement: ComponentVersions.Replacement, by event: Event
  ) -> Finding {
    warning(
      about: event,
      .replacedEvents(
        count: replacement.replaced.count, byStamp: replacement.isByStamp, .lines([])),
      replacement.isByStamp ? "DTSTAMP" : "SEQUENCE")
  }

  static func finding(atMidnight override: Event, isRead: Bool) -> Finding {
    var finding = warning(about: override, .atMidnight(isRead: isRead), "RECURRENCE-ID")
    if isRead { finding.severity = .note }
    return finding
  }

  static func finding(stale override: Event) -> Finding {
    warning(about: override, .staleOverride, "RECURRENCE-ID")
  }

  static func finding(exhausted work: WorkBudget.Work, _ event: Event) -> Finding {
    warning(about: event, .tooMuchWork(work), "UID")
  }

  private static func warning(
    about event: Event, _ kind: Finding.Kind, _ property: String
  ) -> Finding {
    Finding(
      .warning, kind, component: event.kind.component, uid: event.identity.uid,
      property: property)
  }
}
