public import CivilTime

/// The answer to an invitation as a complete message for `sendmail -t` (RFC 6047).
///
/// Mail programs recognise it by `method=REPLY` in its Content-Type.
public struct ReplyMail {
  private let calendar: [UInt8]
  private let sender: String
  private let recipient: MailAddress
  private let subject: String
  private let comment: String?
  private let now: Instant

  /// - Parameters:
  ///   - calendar: the calendar with METHOD:REPLY.
  ///   - sender: the address of the attendee.
  ///   - recipient: the organizer.
  ///   - subject: such as `Accepted: Team meeting`.
  ///   - comment: what the attendee wrote to the organizer.
  ///   - now: the time at which the message is written.
  public init(
    _ calendar: [UInt8], from sender: String, to recipient: MailAddress, subject: String,
    comment: String? = nil, now: Instant
  ) {
    self.calendar = calendar
    self.sender = sender
    self.recipient = recipient
    self.subject = subject
    self.comment = comment
    self.now = now
  }

  public func render(in zone: Zone, to sink: inout ByteSink) {
    let content = calendar.filter { $0 != UInt8(ascii: "\r") }
    var digest = MailDigest()
    for part in [Array(sender.utf8), Array(recipient.text.utf8), content] { digest.add(part) }
    if let address = MailAddress(sender) {
      sink.write(mailField: "From", recipients: [MailRecipient(address)])
    }
    sink.write(mailField: "To", recipients: [MailRecipient(recipient)])
    sink.write(mailField: "Subject", text: subject)
    sink.write("Date: " as StaticString)
    sink.write(mailDate: now, in: zone)
    sink.write("\nMessage-ID: <\(digest.text)@agenda.invalid>\n")
    sink.write(
      """
      MIME-Version: 1.0
      Content-Type: multipart/alternative;
       boundary="=_\(digest.text)"

      --=_\(digest.text)

      """)
    var text = "\(SafeText.line(subject))\n"
    if let comment, !comment.isEmpty {
      text += "\n" + SafeText.lines(comment).map { "\($0)\n" }.joined()
    }
    sink.write(mailPart: Array(text.utf8), type: "text/plain")
    sink.write("\n--=_\(digest.text)\n")
    sink.write(mailPart: content, type: "text/calendar; method=REPLY")
    sink.write("\n--=_\(digest.text)--\n")
  }
}
