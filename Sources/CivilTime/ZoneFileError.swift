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
    case .notTZif: "not a time zone file (TZif)"
    case .tooLong(let count): "too large for a time zone file: \(count) bytes"
    case .truncated(let expected, let found):
      "the file is cut off: expected \(expected) bytes, got \(found)"
    case .noLocalTimeType: "the file contains no offset"
    case .offsetOutOfRange(let offset): "invalid offset: \(offset) seconds"
    case .badTypeIndex(let index): "a clock change refers to offset \(index), which is missing"
    case .badAbbreviationIndex(let index):
      "an offset refers to abbreviation \(index), which is missing"
    case .unsorted(let index): "clock change \(index) is not later than the one before it"
    case .badFooter(let error): "invalid rule at the end of the file: \(error)"
    }
  }
}
