/// What identifies a section: the key that its entries have in common.
///
/// The sections of times have keys that sort as the sections do: `2026-11-21`, `2026-W47`, `2026011`
/// (year × 1000 + month) and `2026`. Otherwise the key is the name itself, and empty for entries without
/// one. The sections of a program have its own keys.
public struct SectionID: Hashable, Sendable {
  let key: any Hashable & Sendable

  /// The identifier of the section with a key.
  public init(_ key: some Hashable & Sendable) { self.key = key }

  public static func == (left: SectionID, right: SectionID) -> Bool {
    AnyHashable(left.key) == AnyHashable(right.key)
  }

  public func hash(into hasher: inout Hasher) { AnyHashable(key).hash(into: &hasher) }
}

extension SectionID: CustomStringConvertible {
  /// The text of the key: that of the value in an optional key, and nothing if there is none.
  public var description: String { Self.text(of: key) }

  private static func text(of key: some Any) -> String {
    guard let optional = key as? any OptionalKey else { return "\(key)" }
    return optional.wrapped.map { text(of: $0) } ?? ""
  }
}

/// An optional, whatever type its value has.
private protocol OptionalKey {
  var wrapped: Any? { get }
}

extension Optional: OptionalKey {
  fileprivate var wrapped: Any? { self }
}

extension SectionID: ExpressibleByStringLiteral {
  /// The identifier of a day, a month or a name: `"2026-11-21"`.
  public init(stringLiteral text: String) { self.init(text) }
}
