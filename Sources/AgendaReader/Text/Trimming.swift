extension String {
  /// Without the white space around it.
  var trimmed: String {
    // Nearly every text has ASCII at both ends, and no blank there.
    guard let first = utf8.first, let last = utf8.last,
      first.isBlank || last.isBlank || first >= 0x80 || last >= 0x80
    else { return self }
    var rest = Substring(self)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
