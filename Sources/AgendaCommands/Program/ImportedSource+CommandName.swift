internal import AgendaKit

extension ImportedSource {
  /// The name in lists: the local calendar comes from a command.
  var commandName: String { kind == .local ? Self.nameOfLocal : displayName }

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
