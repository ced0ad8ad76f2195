internal import AgendaKit
internal import CommandLineOptions

/// Why an edit is impossible, with the options that caused it and those that help.
extension InvalidEdit {
  /// `--until: the event ends before it begins`
  var message: String { option.map { "\($0.spelling): \(wording)" } ?? wording }

  /// The option whose value is wrong; `nil` if it is the event that does not allow the edit.
  var option: Option? {
    switch reason {
    case .status: Options.eventStatus
    case .lengthInHours, .lengthWithoutStart(isEnd: false, isDue: _): Options.forLength
    case .endWithTime, .endBeforeStart, .clockBeforeStart,
      .lengthWithoutStart(isEnd: true, isDue: _):
      Options.until
    case .dueOfEvent, .notDue, .dueOfSeries, .dueOfAlarm: Options.due
    case .repetitionWithoutDate, .exceptionWithoutOccurrence, .repetitionWithinDay:
      Options.repeatRule
    default: nil
    }
  }

  /// Whether the sentence begins with an option that cannot be used, whatever its value.
  var beginsWithOption: Bool {
    switch reason {
    case .repetitionOfOneOccurrence, .textOfFollowing: true
    default: false
    }
  }

  /// The message without the option that it is about.
  var wording: String {
    switch reason {
    case .cancelledTask: "\(self); open it again with agenda edit --status needs-action"
    case .sharedUID, .changesOther: "\(self), and run agenda refresh"
    case .seriesAlsoIn, .exceptionRule: "\(self): choose --only"
    case .seriesIn: "\(self): cancel it with agenda edit --status cancelled"
    case .repetitionOfOneOccurrence:
      "--repeat changes the whole series: choose --all or --following"
    case .textOfFollowing:
      "--editor changes one occurrence or the whole series: choose --only or --all"
    case .partOfSeriesToOtherCalendar: "\(self): choose --all"
    case .overrideOfFollowing: "\(self): use --editor --all"
    case .dateBeforeFirst, .dateWithLength, .ruleCannotBegin:
      "\(self): choose --only or --all"
    case .ruleNamesTimes, .ruleNamesDays: "\(self): set --repeat too"
    case .lengthWithoutStart(isEnd: _, let isDue):
      "\(self); \(isDue ? "set when it is due with --due" : "set its start with --at")"
    case .dueOfEvent: "\(self); --until sets its end"
    case .dueOfSeries: "\(self): add --repeat \"\""
    case .dueOfAlarm: "\(self): add --alarm \"\" to remove the alarms"
    case .repetitionWithoutDate(let kind):
      "\(self): add \(kind == .task ? "--due or --at" : "--at")"
    case .repetitionWithinDay: "\(self): set its first time with --at"
    case .seriesInUnnamedZone: "\(self): add --in-zone"
    default: "\(self)"
    }
  }
}

extension CommandError {
  /// An edit that an event does not allow is a usage error. Its message begins with the option, or
  /// with the entry.
  init(_ edit: InvalidEdit, of entry: EntryReference?) {
    if let option = edit.option {
      self = .wrongValue(option, edit.wording)
    } else if let entry, !edit.beginsWithOption {
      self = .wrongUsage("\(entry): \(edit.wording)")
    } else {
      self = .wrongUsage(edit.wording)
    }
  }
}
