public import AgendaKit
public import Foundation

extension Calendars {
  /// Reads .ics files and folders of them; a folder is one calendar.
  public init(
    contentsOf urls: [URL], zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    try self.init(contentsOf: urls.map(\.path), zones: zones)
  }

  /// Reads the bytes of a calendar in UTF-8, which is called `name` if it does not name itself.
  public init(
    data: Data, name: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    try self.init(text: String(decoding: data, as: UTF8.self), name: name, zones: zones)
  }

  /// The bytes of an inline attachment; `nil` for one that is only a reference.
  public func attachmentData(of event: Event, number: Int) -> Data? {
    attachmentBytes(of: event, number: number).map { Data($0) }
  }
}

extension CalendarStore {
  /// A store at a file URL, in the zone and language of the system. Nothing is opened or created until
  /// you use it.
  public convenience init(at url: URL) {
    self.init(.init(at: url))
  }
}

extension CalendarStore.Configuration {
  /// A store at a file URL, in the zone and language of the system.
  public init(at url: URL) {
    let zones = ZoneDatabase.system(TZDIR: nil)
    self.init(at: url.path, zone: { try zones.zone(TimeZone.current) }, clock: { .now })
    self.zones = zones
    locale = LocaleData.fromEnvironment { ProcessInfo.processInfo.environment[$0] }
  }
}
