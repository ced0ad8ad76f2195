public import AgendaCore
public import AgendaSources
public import CivilTime

extension Calendars {
  /// The alarms that go off in a span of time, sorted by their moments. It looks at about 400,000
  /// alarms, of which one with long texts counts as several. If there are more, no event has more than an
  /// equal share of them.
  ///
  /// - Parameters:
  ///   - span: When the alarms go off.
  ///   - selection: Which events are included.
  ///   - zone: The zone of dates and floating times.
  ///   - seconds: How long before its start a timed event without alarms has one; `nil` for none.
  ///   - reportProblem: Called for each event whose alarms are not complete.
  /// - Returns: The alarms.
  /// - Throws: An error if the store can't be read.
  public func alarms(
    in span: Range<Instant>, of selection: Selection = Selection(), zone: Zone,
    defaultBefore seconds: Int? = nil, reportProblem: (SourceFinding) -> Void = { _ in }
  ) throws(CalendarError) -> [DueAlarm] {
    try CalendarError.catching {
      let (own, problems) = try foundAlarms(in: span, of: selection, zone: zone)
      problems.forEach(reportProblem)
      guard let seconds else { return own }
      let others = try defaultAlarms(secondsBefore: seconds, in: span, of: selection, zone: zone)
      return (own + others).sorted { $0.isBefore($1) }
    }
  }

  /// The alarms that timed events without any would have so many seconds before their starts, if they go
  /// off in a span of time.
  private func defaultAlarms(
    secondsBefore seconds: Int, in span: Range<Instant>, of selection: Selection, zone: Zone
  ) throws -> [DueAlarm] {
    let (first, last) = (
      span.lowerBound.adding(seconds: seconds), span.upperBound.adding(seconds: seconds)
    )
    guard
      let end = zone.civil(at: last).date.adding(days: 1),
      let window = DateWindow(
        firstDay: zone.civil(at: first).date, dayAfterLast: end, zone: zone)
    else { return [] }
    let alarm = Alarm(
      action: "display", trigger: .fromStart(EventDuration(days: 0, seconds: -seconds)))
    // An event is looked at once, and not for each of its occurrences.
    var areSilent: [EventReference: Bool] = [:]
    func isSilent(_ event: EventReference) -> Bool {
      if let isSilent = areSilent[event] { return isSilent }
      let isSilent = source.details(of: event).soundingAlarms().isEmpty
      areSilent[event] = isSilent
      return isSilent
    }
    return try occurrences(in: window, of: selection).filter {
      $0.event.kind == .event && $0.allDay == nil && $0.event.status != .cancelled
        && (first..<last).contains($0.begin) && isSilent($0.event.reference)
    }.map {
      DueAlarm(
        occurrence: $0, alarm: alarm, moment: $0.begin.adding(seconds: -seconds), repetition: 0)
    }
  }

  /// So many alarms of occurrences are looked at, with their repetitions, whether they go off in the
  /// span or not.
  static let mostAlarms = 400_000

  /// Every event may have so many.
  fileprivate static let fewAlarms = 10

  /// The alarms in a span, with a finding for each event that is cut. `mostAlarms` can be less in tests.
  func foundAlarms(
    in span: Range<Instant>, of selection: Selection, zone: Zone,
    atMost mostAlarms: Int = mostAlarms
  ) throws -> (alarms: [DueAlarm], findings: [SourceFinding]) {
    let query = SeriesQuery(.alarms, in: span, viewer: zone, of: selection)
    let searches = try source.series(query).map {
      AlarmSearch(series: $0, span: span, selection: selection, zone: zone, source: source)
    }
    var (found, findings) = gathered(searches) { mostAlarms - $0 }
    if found == nil {
      let share = max(Self.fewAlarms, mostAlarms / searches.count)
      (found, findings) = gathered(searches, isCut: true) { _ in share }
    }
    return ((found ?? []).sorted { $0.isBefore($1) }, findings)
  }

  /// The alarms of some series; `nil` if they are too many and not to be cut. `limit` gets the number
  /// of alarms that were looked at before.
  private func gathered(
    _ searches: [AlarmSearch], isCut: Bool = false, limit: (Int) -> Int
  ) -> (alarms: [DueAlarm]?, findings: [SourceFinding]) {
    var alarms: [DueAlarm] = []
    var findings: [SourceFinding] = []
    var looks = 0
    for search in searches {
      let limit = limit(looks)
      let result = search.run(atMost: limit) { alarms.append($0) }
      looks += result.looks
      let isTooMuch = result.looks > limit
      if isTooMuch, !isCut { return (nil, []) }
      guard let finding = isTooMuch ? search.isCut : result.finding else { continue }
      findings.append(
        source.sourceFinding(
          finding, of: search.series.master.reference, otherwise: "store"))
    }
    return (alarms, findings)
  }
}

extension EventDetails {
  /// The alarms that go off. `moment` is when the user dismissed those of the series.
  fileprivate func soundingAlarms(dismissed moment: Instant? = nil) -> [Alarm] {
    let last = [alarmsAcknowledged, moment].compactMap(\.self).max()
    return alarms.filter(\.hasKnownAction).map { alarm in
      guard let last else { return alarm }
      var alarm = alarm
      alarm.acknowledged = max(alarm.acknowledged ?? last, last)
      return alarm
    }
  }
}

/// The alarms of one series that go off in a span.
private struct AlarmSearch {
  let series: Series
  let span: Range<Instant>
  let selection: Selection
  let zone: Zone
  let source: any EventSource
  /// The alarms of the master and of each override, read once for all their occurrences.
  private let alarms: [EventReference: [Alarm]]

  init(
    series: Series, span: Range<Instant>, selection: Selection, zone: Zone,
    source: any EventSource
  ) {
    self.series = series
    self.span = span
    self.selection = selection
    self.zone = zone
    self.source = source
    let details = ([series.master] + series.overrides).map {
      ($0.reference, source.details(of: $0.reference))
    }
    let dismissed = details.first?.1.alarmsAcknowledged
    alarms = Dictionary(
      details.map { ($0, $1.soundingAlarms(dismissed: dismissed)) },
      uniquingKeysWith: { first, _ in first })
  }

  var isCut: Finding {
    .tooManyAlarms(limit: Calendars.mostAlarms).about(series.master, "VALARM")
  }

  /// Gives the alarms as long as no more than `limit` are looked at. Returns how many that were, more
  /// than `limit` if there are more, and why occurrences are missing.
  func run(
    atMost limit: Int, _ body: (DueAlarm) -> Void
  ) -> (looks: Int, finding: Finding?) {
    var looks = 0
    var given = 0
    let finding = findMoving(atMost: limit, &looks, &given, body)
    if looks <= limit { findFixed(atMost: limit, &looks, &given, body) }
    return (looks, finding)
  }

  /// Alarms that are some time before or after their occurrence.
  private func findMoving(
    atMost limit: Int, _ looks: inout Int, _ given: inout Int, _ body: (DueAlarm) -> Void
  ) -> Finding? {
    guard let reach = DueAlarm.reach(of: alarms.values.joined()) else { return nil }
    let window =
      span.lowerBound.adding(
        seconds: -reach.after)..<span.upperBound.adding(seconds: reach.before)
    let moving = alarms.mapValues { alarms in
      alarms.filter { DueAlarm.span(ofFixed: $0) == nil }
    }
    var occurrences = occurrences(touching: window, atMost: limit)
    var admitted = SeriesSelection(selection, details: source.details)
    var found = 0
    while let occurrence = occurrences.next() {
      found += 1
      looks += 1
      guard looks <= limit else { return nil }
      guard admitted.admits(occurrence) else { continue }
      find(
        moving[occurrence.event.reference] ?? [], of: occurrence, atMost: limit, &looks, &given,
        body)
      guard looks <= limit else { return nil }
    }
    looks += max(0, occurrences.steps - found)
    if occurrences.wasCutByLimit { looks = max(looks, limit + 1) }
    return occurrences.wasCut ? occurrences.finding : nil
  }

  /// Alarms at a fixed moment, which is independent of the time of the event. Each goes off once
  /// for the series.
  private func findFixed(
    atMost limit: Int, _ looks: inout Int, _ given: inout Int, _ body: (DueAlarm) -> Void
  ) {
    var remaining = alarms.mapValues { alarms in
      alarms.filter { alarm in
        DueAlarm.span(ofFixed: alarm).map {
          $0.lowerBound < span.upperBound && $0.upperBound >= span.lowerBound
        } ?? false
      }
    }.filter { !$0.value.isEmpty }
    guard !remaining.isEmpty else { return }
    var listed: Set<Alarm> = []
    var admitted = SeriesSelection(selection, details: source.details)
    for occurrence in occurrences(
      touching: zone.startOfDay(.first)..<zone.startOfDay(.afterLast),
      atMost: limit)
    {
      looks += 1
      guard looks <= limit else { return }
      guard remaining[occurrence.event.reference] != nil,
        admitted.admits(occurrence),
        let own = remaining.removeValue(forKey: occurrence.event.reference)
      else { continue }
      find(
        own.filter { listed.insert($0).inserted }, of: occurrence, atMost: limit, &looks, &given,
        body)
      if remaining.isEmpty { return }
    }
  }

  private func occurrences(touching window: Range<Instant>, atMost limit: Int) -> Occurrences {
    series.occurrences(
      touching: window, viewer: zone, includingCancelled: selection.includesCancelled,
      atMost: limit)
  }

  private func find(
    _ alarms: [Alarm], of occurrence: Occurrence, atMost limit: Int, _ looks: inout Int,
    _ given: inout Int, _ body: (DueAlarm) -> Void
  ) {
    for alarm in alarms {
      let weight = Self.weight(of: alarm, occurrence.event)
      // Each event has a few, however long its texts are.
      let most = max((limit - looks) / weight, Calendars.fewAlarms - given)
      let before = given
      let looked = DueAlarm.forEach(alarm, of: occurrence, in: span, viewer: zone, atMost: most) {
        given += 1
        body($0)
      }
      looks += looked
      if given > Calendars.fewAlarms { looks += (given - before) * (weight - 1) }
      if looked > most { looks = max(looks, limit + 1) }
      guard looks <= limit else { return }
    }
  }

  /// An alarm with long texts counts as several, as an entry of a listing does.
  private static func weight(of alarm: Alarm, _ event: Event) -> Int {
    let texts = [event.title, event.location, event.identity.uid, alarm.description]
    return 1 + texts.reduce(0) { $0 + EntrySize.length($1) } / EntrySize.bytesOfOne
  }
}

extension DueAlarm {
  /// By moment, then by event, so that files and the store list the same.
  fileprivate func isBefore(_ other: DueAlarm) -> Bool {
    if moment != other.moment { return moment < other.moment }
    if occurrence.begin != other.occurrence.begin {
      return occurrence.begin < other.occurrence.begin
    }
    return names < other.names
  }

  private var names: (String, String, String, Int) {
    (occurrence.event.title, occurrence.event.identity.uid, alarm.action, repetition)
  }
}
