/// The progress of an import or a refresh.
public enum SourceProgress: Hashable, Sendable {
  /// `done` of `count` events of a source are imported.
  case importing(source: String, done: Int, count: Int)
  /// `done` of `count` addresses have answered. `waitingFor` is one that has not answered yet.
  case fetching(done: Int, count: Int, waitingFor: String?)
}
