internal import AgendaCore

/// Who gets a mail: `ana@example.com` or `Ana Müller <ana@example.com>`.
package struct MailRecipient: Hashable, Sendable {
  /// The name to show; empty if there is none.
  package let name: String
  package let address: MailAddress

  init(_ address: MailAddress) { (name, self.address) = ("", address) }

  /// `nil` if the text has no plain address, alone or in angle brackets at its end.
  package init?(_ text: String) {
    if let address = MailAddress(text) {
      (name, self.address) = ("", address)
      return
    }
    guard text.last == ">", let open = text.lastIndex(of: "<"),
      let address = MailAddress(String(text[text.index(after: open)...].dropLast()))
    else { return nil }
    var name = SafeText.line(text[..<open].split(separator: " ").joined(separator: " "))
    // The name may be quoted already, as in a mail (RFC 5322, 3.2.4).
    if name.count > 1, name.first == "\"", name.last == "\"" {
      name = Self.unquoted(name.dropFirst().dropLast())
    } else if name.contains(where: { ",;:<>@".contains($0) }) {
      // Several addresses, which are separate options.
      return nil
    }
    self.name = name
    self.address = address
  }

  private static func unquoted(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { result.append(character) }
    }
    return result
  }

  /// The name as a quoted text (RFC 5322, 3.2.4).
  var quotedName: String {
    "\"" + name.flatMap { "\"\\".contains($0) ? "\\\($0)" : "\($0)" } + "\""
  }
}
