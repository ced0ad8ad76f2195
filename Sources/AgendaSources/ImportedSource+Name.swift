public import AgendaStore
internal import Platform

extension ImportedSource {
  /// The name used in messages, without the secret part of an address.
  public var displayName: String {
    switch kind {
    case .file, .folder: location
    case .standardInput: Source.standardInput.displayName
    case .local: location
    case .decisions: "agenda"
    case .url, .server: Source(location).displayName
    }
  }

  /// Whether a person means it: by its path or address, by the name that lists show, or by the `#1f3a` at
  /// the end of that name. A file or folder need not exist any more.
  package func isNamed(_ name: String) -> Bool {
    if location == name || displayName == name { return true }
    switch kind {
    case .file, .folder: return resolvedPath(ofMissing: name) == location
    case .url, .server: return name.hasPrefix("#") && displayName.hasSuffix(name)
    case .standardInput, .local, .decisions: return false
    }
  }
}
