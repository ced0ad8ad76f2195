extension String {
  /// Without the white space around it.
  var trimmed: String {
    guard let first, let last, first.isWhitespace || last.isWhitespace else { return self }
    var rest = Substring(self)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
