package import CivilTime

/// How a rule and the DTSTART next to it have to match.
extension Rule {
  /// The first date of the rule that is not before a start, in the form of the start; `nil` if the
  /// rule has none. RFC 5545 3.8.5.3 leaves open what a DTSTART outside of its rule means. `every other
  /// friday` begins on the next Friday, whatever week that is in.
  package func firstMatch(from start: EventTime, viewer: Zone) -> EventTime? {
    let rule = frequency < .daily ? self : inEachPeriod
    var dates = RuleExpansion(rule, start: start, viewer: viewer, givesStart: false).makeIterator()
    return dates.next().map(start.at)
  }
}

extension Rule.Until {
  /// The same end in the form that RFC 5545 3.3.10 requires next to this DTSTART: a date for a series
  /// of whole days, a time on the clock for a floating one, otherwise a moment in UTC.
  ///
  /// A date that becomes a time is the last second of that day, so `20270503` in Berlin becomes
  /// `20270503T215959Z`.
  package func matching(_ start: EventTime, viewer: Zone) -> Rule.Until {
    switch (self, start) {
    case (.date, .date), (.local, .floating), (.utc, .zoned), (.utc, .utc): self
    case (.local(let civil), .date), (.utc(let civil), .date): .date(civil.date)
    case (.date(let date), .floating): .local(Self.end(of: date))
    case (.utc(let civil), .floating): .local(viewer.civil(at: Instant(utc: civil)))
    case (.date(let date), .zoned(_, let zone)): .utc(zone.instant(of: Self.end(of: date)).utc)
    case (.local(let civil), .zoned(_, let zone)): .utc(zone.instant(of: civil).utc)
    case (.date(let date), .utc): .utc(Self.end(of: date))
    case (.local(let civil), .utc): .utc(civil)
    }
  }

  private static func end(of date: CivilDate) -> CivilDateTime {
    CivilDateTime(date, TimeOfDay(hour: 23, minute: 59, second: 59) ?? .midnight)
  }
}
