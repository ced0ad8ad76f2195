/// What a writing command did, or would do: the beginning of its report.
enum WritingVerb {
  case added, changed, completed, removed

  func text(isDryRun: Bool) -> String {
    switch self {
    case .added: isDryRun ? "would add" : "added"
    case .changed: isDryRun ? "would change" : "changed"
    case .completed: isDryRun ? "would complete" : "done:"
    case .removed: isDryRun ? "would remove" : "removed"
    }
  }
}
