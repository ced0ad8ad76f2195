/// The mail address of an ATTENDEE or ORGANIZER.
package enum PersonAddress {
  /// The address in the value, else in the EMAIL parameter (RFC 7986 6.2): Apple's calendars name
  /// people by a path or a `urn:uuid:`. `nil` if there is none.
  package static func mail(value: String, email: String?) -> String? {
    let value = value.trimmed
    if let address = value.dropping("MAILTO:") { return decoded(address).trimmed }
    if let email { return email.trimmed }
    return value.utf8.contains(0x40) && !value.utf8.contains(0x3A) ? value : nil
  }

  /// The address of a `mailto:` without the header fields that can follow it, and with `%2B` as `+`
  /// (RFC 6068 section 2). A space or a control character stays encoded: a line break would end the
  /// field of a mail.
  private static func decoded(_ text: String) -> String {
    // An import reads thousands of addresses, and almost all of them are plain.
    var text = text
    let isPlain = text.withUTF8 {
      !$0.contains(UInt8(ascii: "%")) && !$0.contains(UInt8(ascii: "?"))
    }
    if isPlain { return text }
    var bytes: [UInt8] = []
    var rest = text.utf8.prefix { $0 != UInt8(ascii: "?") }
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(QuotedPrintable.hexadecimal)
      let encoded = digits.reduce(0) { $0 << 4 | $1 }
      guard byte == UInt8(ascii: "%"), digits.count == 2, encoded > 0x20, encoded != 0x7F else {
        bytes.append(byte)
        continue
      }
      bytes.append(encoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}

extension PropertyLine {
  /// What identifies the person of an ATTENDEE or ORGANIZER, in lower case: the mail address of the
  /// value, or else all of it.
  package var address: String { String(decoding: value, as: UTF8.self).mailAddress }

  package func isAddress(_ other: String) -> Bool { address == other.mailAddress }

  /// The mail address of an ATTENDEE or ORGANIZER, in lower case.
  package var mail: String? {
    PersonAddress.mail(value: String(decoding: value, as: UTF8.self), email: self["EMAIL"])?
      .mailAddress
  }
}

extension String {
  /// An address without `mailto:`, in lower case.
  package var mailAddress: String {
    (PersonAddress.mail(value: self, email: nil) ?? self).lowercased()
  }
}
