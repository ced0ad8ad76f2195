internal import CivilTime
internal import Recurrence

/// An `EventTime` in three columns: its form, its date and time of day, and its zone.
struct StoredTime: Hashable {
  enum Form: Int {
    case date, floating, zoned, utc
  }

  var form: Form
  /// Days since 1970 for a date, otherwise seconds of civil time.
  var time: Int
  /// `StoredZone.id`, for zoned times.
  var zone: Int?

  init(_ time: EventTime) {
    switch time {
    case .date(let date):
      form = .date
      self.time = Int(date.dayNumber)
    case .floating(let civil):
      form = .floating
      self.time = civil.civilSeconds
    case .zoned(let civil, let zone):
      form = .zoned
      self.time = civil.civilSeconds
      self.zone = StoredZone.id(of: zone)
    case .utc(let civil):
      form = .utc
      self.time = civil.civilSeconds
    }
  }

  init?(form: Int, time: Int, zone: Int?) {
    guard let form = Form(rawValue: form) else { return nil }
    self.form = form
    self.time = time
    self.zone = zone
  }

  /// `nil` if the columns contain something that agenda doesn't write.
  func eventTime(_ zones: (Int) -> Zone?) -> EventTime? {
    switch form {
    case .date: return CivilDate(dayNumber: time).map { .date($0) }
    case .floating: return CivilDateTime(civilSeconds: time).map { .floating($0) }
    case .utc: return CivilDateTime(civilSeconds: time).map { .utc($0) }
    case .zoned:
      guard let civil = CivilDateTime(civilSeconds: time) else { return nil }
      // The system no longer has this zone, so the time is read in the viewer's zone.
      guard let zone = zone.flatMap(zones) else { return .floating(civil) }
      return .zoned(civil, zone)
    }
  }

  /// Its moment, with dates and floating times read as UTC: exact to a day for any viewer.
  var roughMoment: Int {
    form == .date ? time * secondsOfDay : time
  }
}

/// This is for spans that are exact to a day. Nothing that is shown is computed with it.
let secondsOfDay = 24 * 60 * 60

extension Row {
  /// The names of the columns of a time.
  typealias TimeColumns = (form: StaticString, time: StaticString, zone: StaticString)

  mutating func add(_ columns: TimeColumns, _ time: EventTime?) {
    let stored = time.map { StoredTime($0) }
    add(columns.form, stored?.form.rawValue)
    add(columns.time, stored?.time)
    add(columns.zone, stored?.zone)
  }

  mutating func add(_ columns: TimeColumns, _ extent: Extent) {
    switch extent {
    case .unstated: add(columns, EventTime?.none)
    case .end(let time): add(columns, time)
    case .duration(let duration):
      add(columns.form, StoredExtent.duration)
      add(columns.time, duration.days)
      add(columns.zone, duration.seconds)
    }
  }
}

/// An `Extent` in the columns of a time. The form is NULL if the event has neither end nor duration.
/// A duration has its own form; its days and seconds are in the other two columns.
enum StoredExtent {
  static let duration = 4

  static func extent(
    form: Int?, value: Int, zone: Int?, _ zones: (Int) -> Zone?
  ) -> Extent? {
    guard let form else { return .unstated }
    if form == duration { return .duration(EventDuration(days: value, seconds: zone ?? 0)) }
    return StoredTime(form: form, time: value, zone: zone)?.eventTime(zones).map { .end($0) }
  }
}

private let (noExtent, endExtent, durationExtent) = (0, 1, 2)

extension PackedBytesWriter {
  mutating func add(_ time: EventTime) {
    let stored = StoredTime(time)
    add(stored.form.rawValue)
    add(stored.time)
    if stored.form == .zoned { add(stored.zone ?? 0) }
  }

  mutating func add(_ time: EventTime?) {
    add(time == nil ? 0 : 1)
    if let time { add(time) }
  }

  mutating func add(_ extent: Extent) {
    switch extent {
    case .unstated: add(noExtent)
    case .end(let time):
      add(endExtent)
      add(time)
    case .duration(let duration):
      add(durationExtent)
      add(duration.days)
      add(duration.seconds)
    }
  }
}

extension PackedBytesReader {
  mutating func time(_ zones: (Int) -> Zone?) -> EventTime? {
    guard let form = number(), let time = number() else { return nil }
    let zone = form == StoredTime.Form.zoned.rawValue ? number() : nil
    return StoredTime(form: form, time: time, zone: zone)?.eventTime(zones)
  }

  /// The outer optional is `nil` if the bytes are damaged, the inner one if no time was written.
  mutating func optionalTime(_ zones: (Int) -> Zone?) -> EventTime?? {
    switch number() {
    case 0: .some(nil)
    case 1: time(zones).map { .some($0) }
    default: nil
    }
  }

  mutating func extent(_ zones: (Int) -> Zone?) -> Extent? {
    switch number() {
    case noExtent: return .unstated
    case endExtent: return time(zones).map { .end($0) }
    case durationExtent:
      guard let days = number(), let seconds = number() else { return nil }
      return .duration(EventDuration(days: days, seconds: seconds))
    default: return nil
    }
  }
}
