internal import AgendaCore
internal import AgendaReader
internal import AgendaStore

/// A source that agenda writes to.
enum EditTarget {
  case folder(FolderPlace)
  /// A calendar on a server: the change is in the store at once, and waits to be sent.
  case server(ServerPlace)
  /// A calendar of the user's own, which only the store has.
  case own(ImportedSource)
  /// The user's decisions about events of other sources.
  case decisions

  /// The path of a folder.
  var path: String? { if case .folder(let place) = self { place.path } else { nil } }

  var location: String {
    switch self {
    case .folder(let place): place.path
    case .server(let place): place.address
    case .own(let source): source.location
    case .decisions: ImportedSource.decisions.location
    }
  }

  /// The source if the store does not have it yet.
  var newSource: ImportedSource? {
    switch self {
    case .folder(let place): place.newSource
    case .server: nil
    case .own(let source): source
    case .decisions: .decisions
    }
  }
}

/// A folder that is a calendar.
struct FolderPlace {
  let path: String
  let calendar: String
  var encoding: String?
  /// The folder as a source, if this change begins a calendar there.
  var newSource: ImportedSource?

  init(_ source: ImportedSource) {
    path = source.location
    calendar = source.calendar
    encoding = source.encoding
  }
}

/// A document before and after an edit; `nil` means no document.
struct DocumentChange {
  let target: EditTarget
  /// The name of a file; of a document that only the store has, a UID or the location of a source.
  let name: String
  let old: [UInt8]?
  let new: [UInt8]?
}

/// The command that makes an edit, by its name for people.
package enum EditCommand: String, Sendable {
  case add, edit, done, remove, reply, resolve, `import`
}

/// Everything that one edit changes.
struct PlannedEdit {
  let command: EditCommand
  /// In the order in which files are written.
  var changes: [DocumentChange] = []
  /// The locked folders by their paths.
  var folders: [String: FolderWriter] = [:]
  /// The permissions of new files; `nil` for the usual ones.
  var permissions: UInt32?
  /// What was wrong with the documents before.
  var known = KnownFindings()
  /// The event that is reported.
  var kind: Event.Kind
  var uid: String
  /// The UID of a series that another one continues.
  var splitUID: String?
  /// What other programs changed in the documents, apart from the event. It is stored first, as an
  /// import, so that `undo` of the edit keeps it.
  var unread: [DocumentChange] = []
  /// The number of a conflict with a server that the edit settles.
  var settledConflict: Int?
  /// The changes that are reported; `nil` for all.
  var reported: [DocumentChange]?
  var result = WriteResult()

  init(_ command: EditCommand, kind: Event.Kind, uid: String) {
    self.command = command
    self.kind = kind
    self.uid = uid
  }
}
