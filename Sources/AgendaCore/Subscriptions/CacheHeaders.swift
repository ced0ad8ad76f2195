package import CivilTime

/// The header fields of an answer that limit when to fetch again, as the server wrote them.
package struct CacheHeaders: Equatable, Sendable {
  package var cacheControl: String?
  package var age: String?
  package var date: String?
  package var retryAfter: String?

  package init(
    cacheControl: String? = nil, age: String? = nil, date: String? = nil, retryAfter: String? = nil
  ) {
    self.cacheControl = cacheControl
    self.age = age
    self.date = date
    self.retryAfter = retryAfter
  }

  /// The seconds for which the answer stays current: `max-age` minus the time that it already spent
  /// in caches (RFC 9111, sections 4.2 and 5.2.2). 0 without these fields.
  package var freshness: Int {
    var maxAge = 0
    for directive in (cacheControl ?? "").split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
      switch parts.first?.lowercased() {
      case "no-cache", "no-store": return 0
      case "max-age":
        maxAge = parts.count > 1 ? Self.seconds(parts[1].filter { $0 != "\"" }) ?? 0 : 0
      default: break
      }
    }
    return max(0, maxAge - (age.flatMap(Self.seconds) ?? 0))
  }

  /// `Retry-After` in seconds from `now` (RFC 9110, section 10.2.3). A date is compared with the
  /// server's own clock, if the answer has it.
  package func retryDelay(at now: Instant) -> Int? {
    guard let retryAfter else { return nil }
    if let seconds = Self.seconds(Self.trimmed(retryAfter[...])) { return seconds }
    guard let end = HTTPDate(retryAfter, now: now)?.instant else { return nil }
    let start = date.flatMap { HTTPDate($0, now: now) }?.instant ?? now
    return max(0, end.secondsSinceEpoch - start.secondsSinceEpoch)
  }

  /// A number that is too large counts as a year.
  private static func seconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let year = 366 * 24 * 60 * 60
    return min(Int(text) ?? year, year)
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}

/// A date in a header field, in one of the three forms that recipients must accept (RFC 9110, section
/// 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994`.
struct HTTPDate {
  let instant: Instant

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// A year of two digits is the last one that is not more than 50 years after `now`.
  init?(_ text: String, now: Instant) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "-" }).map(String.init)
    guard let first = words.first else { return nil }
    let day, month, year, clock: String
    if first.hasSuffix(",") {
      guard words.count == 6, words[5] == "GMT" else { return nil }
      (day, month, year, clock) = (words[1], words[2], words[3], words[4])
    } else {
      guard words.count == 5 else { return nil }
      (day, month, clock, year) = (words[2], words[1], words[3], words[4])
    }
    guard let day = Int(day), let month = Self.months.firstIndex(of: month.lowercased()),
      let year = Self.year(year, now: now.utc.date.year),
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = Int(parts[0]), let minute = Int(parts[1]),
      let second = Int(parts[2]),
      let time = TimeOfDay(hour: hour, minute: minute, second: min(second, 59))
    else { return nil }
    instant = Instant(utc: CivilDateTime(date, time))
  }

  private static func year(_ text: String, now: Int) -> Int? {
    guard let number = Int(text), text.utf8.count == 2 else { return Int(text) }
    let year = now / 100 * 100 + number
    if year > now + 50 { return year - 100 }
    return year + 100 <= now + 50 ? year + 100 : year
  }
}
