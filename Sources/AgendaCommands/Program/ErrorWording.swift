internal import AgendaCore
internal import AgendaKit

/// The errors of the library in the words of the command line. The library says what is wrong; only the
/// commands know the option or the command that leads on.
enum ErrorWording {
  static func text(of error: any Error) -> String {
    switch error {
    case let error as ReplyError: text(of: error)
    case let error as StoreError: text(of: error)
    case let error as WritingError: text(of: error)
    case let error as CalendarError: text(of: error)
    default: "\(error)"
    }
  }

  private static func text(of error: CalendarError) -> String {
    if let origin = error.origin { return text(of: origin) }
    if case .partOfSource(_, let location) = error {
      return "\(error); to remove all of them, run agenda remove --source \(location.asArgument)"
    }
    return "\(error)"
  }

  private static func text(of error: ReplyError) -> String {
    switch error {
    case .noMailAddress: "\(error); without --mail, agenda prints the reply alone"
    case .notInvited(let addresses, let invited):
      "\(addresses.joined(separator: ", ")) is not invited; choose one with --as: "
        + invited.joined(separator: ", ")
    case .ambiguous(let invited):
      "choose who answers with --as: \(invited.joined(separator: ", "))"
    case .noOrganizer, .isOrganizer, .isCancelled, .noAttendees: "\(error)"
    }
  }

  private static func text(of error: StoreError) -> String {
    switch error {
    case .unknown: "\(error); agenda calendars lists what is in the store"
    case .damagedContent: "\(error); see agenda doctor"
    case .older: "\(error); run any agenda command once as its owner"
    case .needsRecovery: "\(error); run any agenda command as its owner"
    case .retired(let path):
      "\(path) was written by an early version of agenda and can no longer be read; move it away "
        + "and import your calendars again with `agenda import SOURCE`; it was left as it is"
    case .missing, .wrongKind, .foreign, .newer, .damaged, .busy, .readOnly, .noSpace, .noMemory,
      .system,
      .failed, .nothingToUndo, .nothingToRedo, .historyChanged:
      "\(error)"
    }
  }

  private static func text(of error: WritingError) -> String {
    switch error {
    case .needsScope: "this is a series: choose --only, --following or --all"
    case .invalid(let edit): edit.message
    case .conflict, .missing: "\(error); run agenda refresh first"
    case .changedSinceWritten:
      "\(error); agenda changes shows the previous values, and agenda edit sets them"
    case .writtenButNotStored: "\(error): run agenda refresh"
    case .unknownCalendar(let name, _):
      "\(error)"
        + (name.contains("/")
          ? "; agenda import FOLDER makes a folder with .ics files a calendar"
          : "; agenda calendars new \(name.asArgument) begins it")
    case .ownCalendar(let name): "\(error); --into \(name.asArgument) copies the events"
    case .notOwn(_, let folders, _):
      folders.isEmpty ? "\(error); agenda calendars new NAME begins one of your own" : "\(error)"
    case .openConflict: "\(error); agenda resolve settles it"
    case .foreign, .readOnly, .changedWhileEdited, .invalidLine, .damaged, .unwritable,
      .changedSinceUndone,
      .unusableName:
      "\(error)"
    }
  }

  static func text(of problem: Diagnosis.Problem) -> String {
    switch problem {
    case .store(.searchIndex): "\(problem); agenda doctor --rebuild makes it again"
    case .store(.times): "\(problem); agenda doctor --rebuild makes them again"
    case .damagedStore(let path):
      "the store is damaged; save its events with agenda export -o FILE, move \(path) away "
        + "and import your calendars and FILE again"
    case .error(let error): text(of: error)
    case .noZoneRules, .store(.other): "\(problem)"
    }
  }

  /// What was done about a problem of a source, and how to have it done in another way.
  static func action(of finding: Finding) -> String {
    switch finding.code {
    case "part-of-folder": "not imported; agenda refresh imports the whole folder"
    case "name-in-use": "\(finding.action); --calendar gives it another name"
    case "same-events":
      "\(finding.action); agenda remove --source \((finding.listedValues.first ?? "").asArgument) removes the others"
    case "same-calendar":
      "\(finding.action); if its server has moved, run agenda remove --calendar \((finding.listedValues.first ?? "").asArgument) first"
    case "new-on-server": "agenda import --only NAME with the address of the account adds one"
    case "move-waits": "\(finding.action); agenda refresh sends both parts together"
    case "open-conflicts": "agenda resolve lists both versions"
    case "read-only-on-server": "\(finding.action); agenda undo takes it back"
    default: finding.action
    }
  }
}
