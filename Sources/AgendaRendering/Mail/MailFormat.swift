public import AgendaCore
package import CivilTime

/// An agenda as a complete message (RFC 5322) with a text part and an HTML part, for `sendmail -t`.
///
/// `sendmail` adds `From`. Everything except `Date` depends on the content alone, including
/// `Message-ID`: two messages with the same content have the same one.
public struct MailFormat {
  /// Gmail hides everything after 102 kB of a message.
  public static let mostBytes = 90_000
  /// An entry takes more than 150 bytes in both parts together, so no more of them fit.
  private static let mostEntries = mostBytes / 150
  private static let textWidth = 72

  private let wording: DateWording
  private let style: PageStyle
  private let recipients: [MailRecipient]
  private let subject: String?
  private let now: Instant
  private let details: (EventReference) -> EventDetails

  /// - Parameters:
  ///   - wording: the words for dates and times.
  ///   - style: today, and the colours of the calendars.
  ///   - recipients: who gets the message.
  ///   - subject: the subject; without it the subject says what the window holds.
  ///   - now: the time at which the message is written.
  ///   - details: returns the details of an event, for links.
  package init(
    _ wording: DateWording, style: PageStyle = PageStyle(), to recipients: [MailRecipient],
    subject: String? = nil, now: Instant, details: @escaping (EventReference) -> EventDetails
  ) {
    self.wording = wording
    self.style = style
    self.recipients = recipients
    self.subject = subject
    self.now = now
    self.details = details
  }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    sink.write(contentsOf: message(agenda))
  }

  /// The message with as many entries as fit.
  private func message(_ agenda: Agenda) -> [UInt8] {
    let count = agenda.entryCount
    if count <= Self.mostEntries {
      let whole = message(agenda, of: agenda)
      if whole.count <= Self.mostBytes { return whole }
    }
    // `fitting` entries fit, or it is 0; `tooMany` do not fit.
    var fitting = 0
    var tooMany = min(count, Self.mostEntries + 1)
    var best = message(agenda.limited(to: 0), of: agenda)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      let tried = message(agenda.limited(to: middle), of: agenda)
      if tried.count <= Self.mostBytes {
        (fitting, best) = (middle, tried)
      } else {
        tooMany = middle
      }
    }
    return best
  }

  private func message(_ part: Agenda, of agenda: Agenda) -> [UInt8] {
    let hidden = agenda.entryCount - part.entryCount
    let more = hidden > 0 ? wording.count(wording.words.entries.more, hidden) : nil
    let text = ByteSink.bytes { sink in
      if !part.isEmpty || more == nil {
        let style = TextStyle(
          width: Self.textWidth, today: style.today, secondZone: style.secondZone)
        TextFormat(wording, style: style).render(part, to: &sink)
      }
      if let more { sink.write("\n\(more)\n") }
    }
    let page = ByteSink.bytes { sink in
      var page = MailPage(part, wording: wording, style: style, details: details)
      page.write(more: more, to: &sink)
    }
    let subject = subject ?? MailSubject(wording, today: style.today).text(of: agenda)
    var digest = MailDigest()
    for text in [subject] + recipients.map(\.address.text) { digest.add(text.utf8) }
    digest.add(text)
    digest.add(page)
    return ByteSink.bytes { sink in
      sink.write(mailField: "To", recipients: recipients)
      sink.write(mailField: "Subject", text: subject)
      sink.write("Date: " as StaticString)
      sink.write(mailDate: now, in: agenda.window.zone)
      sink.write("\nMessage-ID: <\(digest.text)@agenda.invalid>\n")
      sink.write(
        """
        MIME-Version: 1.0
        Auto-Submitted: auto-generated
        Content-Language: \(wording.locale.languageTag)
        Content-Type: multipart/alternative;
         boundary="=_\(digest.text)"


        """)
      for (type, content) in [("text/plain", text), ("text/html", page)] {
        // Neither of the two encodings can produce `=_`.
        sink.write("--=_\(digest.text)\n")
        sink.write(mailPart: content, type: type)
        sink.write(UInt8(ascii: "\n"))
      }
      sink.write("--=_\(digest.text)--\n")
    }
  }
}

/// The default subject of a mail: `Today: 4 entries, first at 09:30`.
struct MailSubject {
  private let wording: DateWording
  private let today: CivilDate?

  init(_ wording: DateWording, today: CivilDate?) {
    self.wording = wording
    self.today = today
  }

  func text(of agenda: Agenda) -> String {
    let window = agenda.window
    let last = window.dayAfterLast.adding(days: -1) ?? .last
    var text = days(window.firstDay, last)
    if agenda.isEmpty { return wording.noEntries(on: text, leavingOut: agenda.options.omission) }
    text += wording.words.lists.colon
    text += wording.count(wording.words.entries.count, agenda.entryCount)
    if window.firstDay == last, let first = firstTime(of: agenda) {
      text += wording.words.lists.comma + wording.words.entries.firstAt(wording.time(first))
    }
    return text
  }

  private func days(_ first: CivilDate, _ last: CivilDate) -> String {
    let isOfOneYear = [last, today ?? first].allSatisfy { $0.year == first.year }
    func text(_ date: CivilDate) -> String {
      isOfOneYear ? wording.shortDateWithoutYear(date) : wording.shortDate(date)
    }
    if first < last { return "\(text(first)) – \(text(last))" }
    guard let today, let name = wording.relativeDay(first, today: today) else { return text(first) }
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The start of the first timed entry of the day.
  private func firstTime(of agenda: Agenda) -> TimeOfDay? {
    var first: Instant?
    for section in agenda.sections {
      for entry in section.entries where !entry.isAllDay && entry.begin >= agenda.window.start {
        first = min(first ?? entry.begin, entry.begin)
      }
    }
    return first.map { agenda.window.zone.civil(at: $0).time }
  }
}

/// A digest of 128 bits for the identifier of a message: FNV-1a.
struct MailDigest {
  private var state = (high: UInt64(0x6c62_272e_07bb_0142), low: UInt64(0x62b8_2175_6295_c58d))

  /// Adds a part and a byte after it that UTF-8 never contains.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    state.low ^= UInt64(byte)
    // The prime is 2^88 + 0x13b.
    let product = state.low.multipliedFullWidth(by: 0x13b)
    state.high = product.high &+ state.high &* 0x13b &+ state.low << 24
    state.low = product.low
  }

  /// 32 hexadecimal digits.
  var text: String { Self.digits(state.high) + Self.digits(state.low) }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
