import AgendaKit

extension CalendarStore {
  /// A store in UTC at a fixed moment, which makes no thumbnails.
  convenience init(
    at path: String, now: Instant = Instant(secondsSinceEpoch: 1_795_000_000), zone: Zone = .utc
  ) {
    var configuration = Configuration(at: path, zone: { zone }, clock: { now })
    configuration.pictureDecoder = nil
    self.init(configuration)
  }
}
