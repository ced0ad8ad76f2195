/// Why bytes are not a usable TZif file (RFC 8536).
public enum ZoneFileError: Error, Hashable, Sendable {
  /// It does not begin with `TZif`.
  case notTZif
  case tooLong(Int)
  /// It ends before what its header announces.
  case truncated(expected: Int, found: Int)
  case noLocalTimeType
  case offsetOutOfRange(Int)
  case badTypeIndex(Int)
  case badAbbreviationIndex(Int)
  /// Transition times do not ascend.
  case unsorted(at: Int)
  case badFooter(ZoneFooterError)
}

extension ZoneFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notTZif: "not a TZif file"
    case .tooLong(let count): "\(count) bytes are too many for a TZif file"
    case .truncated(let expected, let found):
      "cut off: \(expected) bytes expected, got \(found)"
    case .noLocalTimeType: "no local time type"
    case .offsetOutOfRange(let offset): "an offset of \(offset) seconds"
    case .badTypeIndex(let index): "local time type \(index) is missing"
    case .badAbbreviationIndex(let index): "abbreviation \(index) is missing"
    case .unsorted(let index): "transition \(index) is not after the one before it"
    case .badFooter(let error): "footer: \(error)"
    }
  }
}
