extension Change {
  /// The change that undoing it makes.
  package var inverse: Change {
    var inverse = self
    swap(&inverse.before, &inverse.after)
    swap(&inverse.excluded, &inverse.restored)
    switch kind {
    case .added: inverse.kind = takesPlaceAgain ? .cancelled : .removed
    case .removed, .cancelled: inverse.kind = .added
    case .moved, .changed: break
    }
    return inverse
  }
}
