/// How far an import or a refresh is.
public enum SourceProgress: Hashable, Sendable {
  /// How many components of a source have been imported.
  case importing(source: String, done: Int, count: Int)
  /// How many addresses have answered, and one that has not.
  case fetching(done: Int, count: Int, waitingFor: String?)
}
