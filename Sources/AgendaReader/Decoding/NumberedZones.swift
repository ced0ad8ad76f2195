internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The zones of a source by the numbers that a decoder gave to their names, and the times of a component
/// in these zones.
struct NumberedZones {
  /// `nil` means floating.
  private var zones: [Zone?] = []

  var count: Int { zones.count }

  mutating func append(_ zone: Zone?) { zones.append(zone) }

  /// The zone that a time names, if it is known.
  func zone(of time: LocalTime) -> Zone? {
    let number = Int(time.zone)
    return time.form == .zoned && zones.indices.contains(number) ? zones[number] : nil
  }

  /// A time whose TZID is unknown is floating.
  func time(_ time: LocalTime, floating: Zone?) -> EventTime {
    switch time.form {
    case .date: return .date(time.civil.date)
    case .utc: return .utc(time.civil)
    case .floating, .zoned:
      return (zone(of: time) ?? floating).map { Self.zoned(time.civil, $0) }
        ?? .floating(time.civil)
    }
  }

  private static func zoned(_ civil: CivilDateTime, _ zone: Zone) -> EventTime {
    zone === Zone.utc ? .utc(civil) : .zoned(civil, zone)
  }

  /// The same for one of two times of an event. If only its zone is unknown, it has that of the other one:
  /// otherwise the length of the event would depend on the viewer's zone.
  func time(_ time: LocalTime, near other: LocalTime?, floating: Zone?) -> EventTime {
    guard time.form == .zoned, zone(of: time) == nil, let other else {
      return self.time(time, floating: floating)
    }
    let zone = other.form == .utc ? Zone.utc : zone(of: other)
    return self.time(time, floating: zone ?? floating)
  }

  func extent(
    _ extent: LocalExtent, from start: EventTime?, near written: LocalTime?, floating: Zone?
  ) -> Extent {
    switch extent {
    case .unstated: return .unstated
    case .duration(let duration): return .duration(duration)
    case .end(let end):
      let end = time(end, near: written, floating: floating)
      // With two zones, an end can be before its start although the local times do not show it. For
      // a floating time, this depends on the viewer.
      if let start, let zone = start.zone, let endZone = end.zone, zone != endZone,
        end.instant(for: endZone) < start.instant(for: zone)
      {
        return .unstated
      }
      return .end(end)
    }
  }

  /// The recurrence of a component; all of a series of whole days are dates. `dayZone` is that of the
  /// component.
  func recurrence(
    _ placement: Placement, from start: EventTime?, floating: Zone?, dayZone: Zone?
  ) -> Event.Recurrence? {
    guard placement.recurs else { return nil }
    let recurrence = recurrence(placement, from: start, floating: floating)
    return start?.isDate == true ? recurrence.ofWholeDays(onClockOf: dayZone) : recurrence
  }

  private func recurrence(
    _ placement: Placement, from start: EventTime?, floating: Zone?
  ) -> Event.Recurrence {
    Event.Recurrence(
      rules: placement.rules, exceptionRules: placement.exceptionRules,
      dates: placement.dates.map { date in
        let time = self.date(date.start, of: start, floating: floating)
        return RecurrenceDate(
          start: time,
          extent: date.extent.map {
            extent($0, from: time, near: date.start, floating: time.zone ?? floating)
          })
      },
      exceptionDates: placement.exceptionDates.map { date($0, of: start, floating: floating) })
  }

  /// A date of a series. If its zone is unknown, it is in that of the start.
  private func date(_ time: LocalTime, of start: EventTime?, floating: Zone?) -> EventTime {
    let isUnknown = time.form == .zoned && zone(of: time) == nil
    return self.time(time, floating: (isUnknown ? start?.zone : nil) ?? floating)
  }
}

extension Event.Recurrence {
  /// The recurrence of a series of whole days.
  fileprivate func ofWholeDays(onClockOf dayZone: Zone?) -> Event.Recurrence {
    func date(_ time: EventTime) -> EventTime { .date(time.date(onClockOf: dayZone)) }
    return Event.Recurrence(
      rules: rules.map { $0.ofWholeDays(onClockOf: dayZone) },
      exceptionRules: exceptionRules.map { $0.ofWholeDays(onClockOf: dayZone) },
      dates: dates.map {
        var extent = $0.extent
        if case .end(let end) = extent { extent = .end(date(end)) }
        return RecurrenceDate(start: date($0.start), extent: extent)
      },
      exceptionDates: exceptionDates.map(date))
  }
}
