/// Why a text is not a condition.
public struct ConditionError: Error, Hashable, CustomStringConvertible {
  /// What is wrong with the text.
  public enum Problem: Hashable, Sendable {
    case unknownField(String)
    /// Any other problem, in words.
    case other(String)
  }

  /// Where the problem is, in characters from 1.
  public let column: Int
  public let problem: Problem

  public var description: String {
    switch problem {
    case .unknownField(let name): "column \(column): unknown field \"\(name)\""
    case .other(let message): "column \(column): \(message)"
    }
  }
}
