public import AgendaStore

extension ImportedSource {
  /// The name used in messages, without the secret part of a URL.
  public var displayName: String {
    switch kind {
    case .file, .folder: location
    case .standardInput: Source.standardInput.displayName
    case .local: "agenda add"
    case .decisions: "agenda"
    case .url: Source(location).displayName
    }
  }
}
