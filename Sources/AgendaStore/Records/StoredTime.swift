internal import CivilTime
internal import Recurrence

/// An `EventTime` as three columns: which of its four cases, what the clock showed, in which zone.
struct StoredTime: Hashable {
  enum Form: Int {
    case date, floating, zoned, utc
  }

  var form: Form
  /// Days since 1970 for a date, else seconds of civil time.
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

  /// `nil` where the columns hold nothing that this version wrote.
  func eventTime(_ zones: (Int) -> Zone?) -> EventTime? {
    switch form {
    case .date: return CivilDate(dayNumber: time).map { .date($0) }
    case .floating: return CivilDateTime(civilSeconds: time).map { .floating($0) }
    case .utc: return CivilDateTime(civilSeconds: time).map { .utc($0) }
    case .zoned:
      guard let civil = CivilDateTime(civilSeconds: time) else { return nil }
      // A zone that the system has no more: its clock is read as the viewer's.
      guard let zone = zone.flatMap(zones) else { return .floating(civil) }
      return .zoned(civil, zone)
    }
  }

  /// Its moment, with dates and floating times read as UTC: right to within a day for any viewer.
  var roughMoment: Int {
    form == .date ? time * secondsOfDay : time
  }
}

/// For spans that only need to be right to within a day; nothing shown is computed with it.
let secondsOfDay = 24 * 60 * 60

extension Row {
  mutating func add(_ time: EventTime?) {
    guard let time else {
      for _ in 0..<3 { add(Int?.none) }
      return
    }
    let stored = StoredTime(time)
    add(stored.form.rawValue)
    add(stored.time)
    add(stored.zone)
  }

  mutating func add(_ extent: Extent) {
    switch extent {
    case .unstated:
      for _ in 0..<3 { add(Int?.none) }
    case .end(let time): add(time)
    case .duration(let duration):
      add(StoredExtent.duration)
      add(duration.days)
      add(duration.seconds)
    }
  }
}

/// An `Extent` in the columns of a time: no form where nothing is stated, a form of its own for a
/// duration, whose days and seconds stand in the other two.
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

extension PackedBytesWriter {
  mutating func add(_ time: EventTime) {
    let stored = StoredTime(time)
    add(stored.form.rawValue)
    add(stored.time)
    if stored.form == .zoned { add(stored.zone ?? 0) }
  }
}

extension PackedBytesReader {
  mutating func time(_ zones: (Int) -> Zone?) -> EventTime? {
    guard let form = number(), let time = number() else { return nil }
    let zone = form == StoredTime.Form.zoned.rawValue ? number() : nil
    return StoredTime(form: form, time: time, zone: zone)?.eventTime(zones)
  }
}
