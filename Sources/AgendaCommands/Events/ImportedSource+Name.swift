internal import AgendaStore

extension ImportedSource {
  /// What people call it; never the secret part of a URL.
  var displayName: String {
    switch kind {
    case .file, .folder: location
    case .standardInput: SourceAddress.standardInput.displayName
    case .local: "agenda add"
    case .url: SourceAddress(location).displayName
    }
  }
}
