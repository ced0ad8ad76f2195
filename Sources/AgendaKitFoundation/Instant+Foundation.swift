public import AgendaKit
public import Foundation

// Moments, spans and zones of Foundation and of AgendaKit. AgendaKit reads zones from the system's
// database, so a zone is always looked up by its name.

extension Instant {
  /// The same moment, without its fraction of a second.
  public init(_ date: Date) {
    self.init(secondsSinceEpoch: Int(date.timeIntervalSince1970.rounded(.down)))
  }

  /// The present moment.
  public static var now: Instant { Instant(Date()) }
}

extension Date {
  /// The same moment.
  public init(_ instant: Instant) {
    self.init(timeIntervalSince1970: TimeInterval(instant.secondsSinceEpoch))
  }
}

extension DateInterval {
  /// From the start of the first day to the end of the last.
  public init(_ window: DateWindow) {
    self.init(start: Date(window.start), end: Date(window.end))
  }

  /// From begin to finish. Of an all-day occurrence these are the viewer's days.
  public init(_ occurrence: Occurrence) {
    self.init(start: Date(occurrence.begin), end: Date(occurrence.finish))
  }
}

extension TimeZone {
  /// `nil` if Foundation does not know the zone.
  public init?(_ zone: Zone) { self.init(identifier: zone.name) }
}

extension ZoneDatabase {
  /// The zone with the same name.
  public func zone(_ timeZone: TimeZone) throws(ZoneError) -> Zone {
    try loadZone(named: timeZone.identifier)
  }
}

extension LocaleData {
  /// The language and conventions of a locale, for example `de_DE`.
  public init(_ locale: Locale) throws(LocaleError) {
    try self.init(locale.identifier)
  }
}

extension CivilDate {
  /// The present day in the system's zone.
  public static var today: CivilDate {
    let calendar = Foundation.Calendar(identifier: .gregorian)
    let parts = calendar.dateComponents([.year, .month, .day], from: Date())
    return CivilDate(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
      ?? .first
  }
}
