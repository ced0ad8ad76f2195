import Testing

@testable import AgendaReader

/// A value of a mail's header with its parameters, as RFC 2045, 2047, 2231 and 5322 write it.
@Suite struct MailFieldValueTests {
  @Test(
    "a parameter is read",
    arguments: [
      ("text/calendar; name=a.ics", "a.ics"), ("x; NAME=\"a b.ics\" ", "a b.ics"),
      // RFC 5322 3.2.1 and 3.2.2: escapes and comments.
      (#"x; name="a\"b\\.ics""#, #"a"b\.ics"#), (#"x (a; name=no \) ) ; name=yes"#, "yes"),
      ("x; name(y)=a(z)b", "ab"), ("x; name=a (x", "a"),
      // RFC 2231 3 and 4.
      ("x; name*=utf-8'de'M%C3%BCll.ics", "Müll.ics"), ("x; name*0=a; name*1=b.ics", "ab.ics"),
      ("x; name*1=b.ics; name*0*=utf-8''%C3%A4", "äb.ics"),
      // RFC 2047 2, which has no place in a parameter, but is there.
      ("x; name=\"=?utf-8?B?aW52aXRlLmljcw==?=\"", "invite.ics"),
      ("x; name=\"=?utf-8?Q?a_b=2Eics?=\"", "a b.ics"),
      ("x; name=\"=?utf-8?q?a?= =?utf-8?b?Yg==?=\"", "ab"), ("x; name=\"=?utf-8?Q??=\"", ""),
      ("x; name=\"=?broken\"", "=?broken"),
    ])
  func parameter(text: String, value: String) {
    #expect(MailFieldValue(text).parameter("name") == value)
  }

  @Test("the word before the parameters has no comments, and no letter case")
  func word() {
    #expect(MailFieldValue(" Text/Calendar (x) ; a=b").word == "text/calendar")
    #expect(MailFieldValue("").word == "" && MailFieldValue("").parameter("name") == nil)
    #expect(MailFieldValue("x; name; other=1").parameter("other") == "1")
  }
}
