internal import AgendaKit

extension ImportedSource {
  /// The name in lists: the first own calendar comes from a command.
  var commandName: String { location == Self.local.location ? Self.nameOfLocal : displayName }

  private static let nameOfLocal = "agenda add"

  /// The name that the library knows for a name in lists.
  static func libraryName(of name: String) -> String {
    switch name {
    case nameOfLocal: local.displayName
    case "-": Source.standardInput.displayName
    default: name
    }
  }
}
