import ICalendar
import Testing

/// The address of a person (RFC 5545 3.3.3, RFC 6068, RFC 7986 6.2).
@Suite struct PersonAddressTests {
  @Test(
    "the address comes from the value, or else from EMAIL",
    arguments: [
      ("mailto:ana@example.com", nil, "ana@example.com"),
      ("MAILTO: ana@example.com ", "ben@example.com", "ana@example.com"),
      ("urn:uuid:550e8400", "ana@example.com", "ana@example.com"),
      ("/principals/ana@example.com", " ben@example.com ", "ben@example.com"),
      ("ana@example.com", nil, "ana@example.com"),
      ("tel:ana@example.com", nil, nil), ("urn:uuid:550e8400", nil, nil), ("Ana", nil, nil),
      ("mailto:ana%2Bwork@example.com", nil, "ana+work@example.com"),
      ("mailto:ana%C3%A9@example.com", nil, "anaé@example.com"),
      ("mailto:ana@example.com?subject=Hi%20you", nil, "ana@example.com"),
      // What would end the line or split the address stays encoded.
      ("mailto:ana%0Abcc:ben@example.com", nil, "ana%0Abcc:ben@example.com"),
      ("mailto:a%20b%7F@example.com", nil, "a%20b%7F@example.com"),
      ("mailto:50%@example.com", nil, "50%@example.com"),
    ] as [(String, String?, String?)])
  func mail(value: String, email: String?, address: String?) {
    #expect(PersonAddress.mail(value: value, email: email) == address)
  }
}
