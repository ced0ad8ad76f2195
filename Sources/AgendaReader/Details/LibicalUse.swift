/// Which properties of an event's details libical reads.
package enum LibicalUse {
  /// None, as where it is not installed.
  case never
  /// Those that our own code does not understand.
  case whereNeeded
  /// All that it can: what our own code reads is held against that.
  case always

  /// Whether the system has libical 3.
  package static var isPossible: Bool { LibicalLibrary.loaded != nil }
}
