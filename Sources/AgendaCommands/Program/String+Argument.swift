extension String {
  /// As a person types it in a command line: in quotes if a shell would not read it as one word.
  var asArgument: String {
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
        || Character(Unicode.Scalar(byte)).isNumber || "-_./:@+,=%".utf8.contains(byte)
    }
    if isPlain, !isEmpty { return self }
    let escaped = flatMap { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }
    return "\"\(String(escaped))\""
  }
}
