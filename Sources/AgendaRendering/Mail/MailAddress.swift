/// An address to which a mail can be sent: `ana@example.com`.
///
/// Only plain ASCII addresses are allowed (RFC 5322, 3.4.1, with a dot-atom on both sides), so that
/// no address can end a header field or begin another one.
public struct MailAddress: Hashable, Sendable {
  public let text: String

  /// `nil` if the text is not a plain address.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    // RFC 5321, 4.5.3.1, limits the length of both parts.
    guard parts.count == 2, parts[0].utf8.count <= 64, parts[1].utf8.count <= 255,
      parts.allSatisfy(Self.isDotAtom)
    else { return nil }
    self.text = text
  }

  private static func isDotAtom(_ part: Substring) -> Bool {
    part.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.utf8.allSatisfy(isAtomCharacter)
    }
  }

  private static func isAtomCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
  }
}
