internal import Recurrence

// Problems of events that depend on other events with the same UID, and on messages about them.

extension Finding {
  /// Different events with one UID. Their positions are added later.
  static func sharedUID(_ event: Event, count: Int) -> Finding {
    var finding = Finding(
      .warning, "shared-uid",
      "\(varying: count) different \(event.kind.plural) have the same UID", "all kept"
    ).about(event, "UID")
    finding.positions.isCut = count > Positions.most
    return finding
  }

  package var isAboutSharedUID: Bool { code == "shared-uid" }

  /// An event that replaces several different events with its UID. Their positions are added later.
  static func replacedEvents(
    _ replacement: ComponentVersions.Replacement, by event: Event
  ) -> Finding {
    let (count, isByStamp) = (replacement.replaced.count, replacement.isByStamp)
    var finding = Finding(
      .warning, "replaced-events",
      """
      is \(isByStamp ? "later" : "higher") than that of \(varying: count) different \
      \(event.kind.plural) with the same UID\(isByStamp ? " and start" : "")
      """,
      "they are not shown"
    ).about(event, isByStamp ? "DTSTAMP" : "SEQUENCE")
    finding.positions.isCut = count > Positions.most
    return finding
  }

  var isAboutReplacedEvents: Bool { code == "replaced-events" }

  /// An override at a midnight that the series does not have. `isRead` if it names the only occurrence of
  /// that date.
  static func overrideAtMidnight(_ override: Event, isRead: Bool) -> Finding {
    atMidnight(isRead: isRead).about(override, "RECURRENCE-ID")
  }

  /// A RECURRENCE-ID or EXDATE.
  package static func atMidnight(isRead: Bool) -> Finding {
    Finding(
      isRead ? .note : .warning, "at-midnight",
      "is midnight, but the series has its occurrence of that date at another time",
      isRead ? "read as that occurrence" : "there are several, so all are shown")
  }

  static func staleOverride(_ override: Event) -> Finding {
    Finding(
      .warning, "stale-override", "a newer version of the series has removed this occurrence",
      "override not shown"
    ).about(override, "RECURRENCE-ID")
  }

  /// So many components have one UID that not all of the work was done.
  static func tooMuchWork(_ work: WorkBudget.Work, _ event: Event) -> Finding {
    let action: Sentence =
      switch work {
      case .ruleChecks: "some overrides are assigned by their dates, without a look at the rules"
      case .comparisons, .answeredOccurrences: "some messages not applied"
      case .cancelledOccurrences:
        "some cancelled occurrences are shown without a check that the series has them"
      case .copies: "some occurrences that messages change are not completed from their series"
      }
    return Finding(
      .warning, "too-much-work", "more components with this UID than can be compared", action
    ).about(event, "UID")
  }

  /// A CANCEL without effect. `isKept` if it cancels the event when that is imported.
  static func cancellation(_ outcome: Message.Outcome, isKept: Bool) -> Finding {
    let message: Sentence =
      switch outcome {
      case .missingEvent: "cancels an event that is missing"
      case .missingOccurrence: "cancels an occurrence that the series does not have"
      case .laterVersion: "cancels an event that has a later version"
      case .tooMany: "too many cancellations of events with this UID"
      case .notInvited, .appliedToListed, .effective: "cancels an event"
      }
    return Finding(
      .warning, "cancellation", message,
      isKept
        ? "nothing cancelled; if the event is imported later, it is cancelled then"
        : "nothing cancelled")
  }

  static func reply(_ outcome: Message.Outcome, isKept: Bool) -> Finding {
    let message: Sentence =
      switch outcome {
      case .effective: "REPLY to an event"
      case .appliedToListed: "REPLY also for a person whom the event does not list"
      case .missingEvent: "REPLY to an event that is missing"
      case .laterVersion: "REPLY to an earlier version of the event"
      case .notInvited: "REPLY from a person whom the event does not list"
      case .missingOccurrence: "REPLY to an occurrence that the series does not have"
      case .tooMany: "too many answers to events or occurrences with this UID"
      }
    let action: Sentence =
      switch outcome {
      case _ where isKept: "kept, in case the event is imported later"
      case .effective: "answer applied"
      case .appliedToListed: "only the answers of the others applied"
      default: "ignored"
      }
    return Finding(.note, "reply", message, action)
  }

  /// The same problem, of a property of an event.
  package func about(_ event: Event, _ property: String, line: Int? = nil) -> Finding {
    at(
      line: line, component: event.kind.component, uid: event.identity.uid, property: property)
  }
}
