internal import AgendaCore
internal import CivilTime
internal import Recurrence

extension EntryTime {
  /// Reads a time of JSON: a date, or a moment with an offset.
  init?(_ text: String) {
    if let date = CivilDate(rfc3339: text) {
      self = .date(date)
    } else if let moment = Instant(rfc3339: text) {
      self = .moment(moment)
    } else {
      return nil
    }
  }

  /// The time in the form of its source: in the zone of the event, or floating if the event has
  /// none.
  func eventTime(in zone: Zone?, viewer: Zone) -> EventTime {
    switch self {
    case .date(let date): return .date(date)
    case .moment(let moment):
      guard let zone else { return .floating(viewer.civil(at: moment)) }
      if zone.origin == .utc { return .utc(moment.utc) }
      let civil = zone.civil(at: moment)
      // In a fold the offset can be that of the second hour, but a local time always means the
      // first one.
      return zone.instant(of: civil) == moment ? .zoned(civil, zone) : .utc(moment.utc)
    }
  }
}

extension EventTime {
  /// The form of its source, so that nothing is lost: `2026-11-21`, `2026-11-21T09:00:00` for a
  /// floating time, `2026-11-21T08:00:00Z`, or `2026-11-21T09:00:00+01:00`. The name of a zone
  /// other than `zone` follows in brackets (RFC 9557).
  func text(near zone: Zone?) -> String {
    guard case .zoned(let civil, let own) = self else {
      switch self {
      case .date(let date): return date.description
      case .utc(let civil): return "\(civil)Z"
      case .floating(let civil), .zoned(let civil, _): return civil.description
      }
    }
    let offset = Instant(utc: civil).secondsSinceEpoch - own.instant(of: civil).secondsSinceEpoch
    // RFC 3339 allows no seconds in an offset.
    guard offset % 60 == 0, abs(offset) < 24 * 60 * 60 else { return "\(civil)[\(own.name)]" }
    let minutes = abs(offset) / 60
    let text =
      "\(civil)\(offset < 0 ? "-" : "+")\(padded(minutes / 60, to: 2)):\(padded(minutes % 60, to: 2))"
    return own.name == zone?.name ? text : "\(text)[\(own.name)]"
  }

  /// Reads what `text(near:)` writes; `nil` if it is malformed.
  init?(text: String, near zone: Zone?, zones: ZoneDatabase) {
    if let date = CivilDate(rfc3339: text) {
      self = .date(date)
      return
    }
    let local = String(text.prefix(19))
    var rest = text.dropFirst(19)
    guard let civil = CivilDateTime(rfc3339: local) else { return nil }
    var own = zone
    if rest.last == "]", let bracket = rest.firstIndex(of: "[") {
      let name = String(rest[rest.index(after: bracket)...].dropLast())
      rest = rest[..<bracket]
      own = .named(name, zones, at: local + rest)
      if rest.isEmpty, let own {
        self = .zoned(civil, own)
        return
      }
    }
    if rest.isEmpty {
      self = .floating(civil)
    } else if rest == "Z" {
      self = .utc(civil)
    } else if let own, Instant(rfc3339: local + rest) != nil {
      self = .zoned(civil, own)
    } else {
      return nil
    }
  }
}

extension Zone {
  /// The zone with a name from JSON. If only a calendar file defined the zone, its rules are
  /// unknown, and its clocks keep the offset of `time`, a text with that name.
  static func named(_ name: String, _ zones: ZoneDatabase, at time: String?) -> Zone? {
    (try? LocalZone.resolve(TZ: name, database: zones))
      ?? Zone(name: name, fixedOffset: time.flatMap(offset) ?? 0)
  }

  /// The offset in a time of RFC 3339.
  static func offset(of time: String) -> Int? {
    guard let local = CivilDateTime(rfc3339: String(time.prefix(19))),
      let moment = Instant(rfc3339: time)
    else { return nil }
    return Instant(utc: local).secondsSinceEpoch - moment.secondsSinceEpoch
  }
}
