internal import AgendaReader
internal import CivilTime
internal import ICalendar

/// The interval in which a calendar asks to be fetched: REFRESH-INTERVAL (RFC 7986, section 5.7),
/// or X-PUBLISHED-TTL of older programs.
enum PublishedInterval {
  /// In seconds; `nil` if the VCALENDAR's content lines have no valid interval.
  static func seconds(in lines: some Collection<UInt8>) -> Int? {
    var older: Int?
    for line in lines.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // These properties are short, so a folded line is ignored.
      guard line.count < 200 else { continue }
      let text = String(decoding: line, as: UTF8.self)
      guard let colon = text.lastIndex(of: ":") else { continue }
      let name = text.prefix { $0 != ":" && $0 != ";" }.uppercased()
      guard name == "REFRESH-INTERVAL" || name == "X-PUBLISHED-TTL",
        let seconds = duration(text[text.index(after: colon)...])
      else { continue }
      if name == "REFRESH-INTERVAL" { return seconds }
      older = older ?? seconds
    }
    return older
  }

  /// A positive duration with days of 24 hours.
  private static func duration(_ text: Substring) -> Int? {
    let duration = Array(text.utf8).withUnsafeBufferPointer { DurationText($0.trimmed)?.duration }
    guard let duration else { return nil }
    let seconds = duration.days * TimeOfDay.secondsPerCivilDay + duration.seconds
    return seconds > 0 ? seconds : nil
  }
}
