internal import AgendaKit

/// The errors of the library in the words of the command line. The library says what is wrong; only the
/// commands know the option or the command that leads on.
enum ErrorWording {
  static func text(of error: any Error) -> String {
    switch error {
    case let error as ReplyError: text(of: error)
    case let error as StoreError: text(of: error)
    case let error as WritingError: text(of: error)
    default: "\(error)"
    }
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
    guard case .unknown = error else { return "\(error)" }
    return "\(error); agenda calendars lists what is in the store"
  }

  private static func text(of error: WritingError) -> String {
    switch error {
    case .needsScope: "this is a series: choose --only, --following or --all"
    case .invalid(let edit): edit.message
    case .conflict, .missing: "\(error); run agenda refresh first"
    case .changedSinceWritten:
      "\(error); agenda changes shows the previous values, and agenda edit sets them"
    case .writtenButNotStored: "\(error): run agenda refresh"
    case .unknownCalendar(_, let known):
      "\(error)" + (known.count > WritingError.mostNames ? ", which agenda calendars lists" : "")
        + ", and agenda import FOLDER adds one"
    case .foreign, .changedWhileEdited, .invalidLine, .damaged, .unwritable, .changedSinceUndone,
      .noFolder:
      "\(error)"
    }
  }
}
