extension EventVersion {
  /// Whether a message with this version is older than the version of an event: by SEQUENCE, or of equal
  /// ones by the stamp. Without one of the stamps, nothing shows that it is older.
  func isOlder(than event: EventVersion) -> Bool {
    if sequence != event.sequence { return sequence < event.sequence }
    guard let modified, let other = event.modified else { return false }
    return modified < other
  }
}
