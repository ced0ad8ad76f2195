/// The reason why a text cannot be read as a condition.
public struct ConditionError: Error, Hashable, CustomStringConvertible {
  /// The problem of the text.
  package enum Problem: Hashable, Sendable {
    /// The condition names a field that does not exist.
    case unknownField(String)
    /// Any other problem, in words.
    case other(String)
  }

  /// The position of the problem in the text, in characters from 1.
  public let column: Int
  /// The problem. A command adds the name that is nearest to an unknown one.
  package let problem: Problem

  public var description: String {
    switch problem {
    case .unknownField(let name): "column \(column): unknown field \"\(name)\""
    case .other(let message): "column \(column): \(message)"
    }
  }
}
