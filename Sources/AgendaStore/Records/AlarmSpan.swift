internal import AgendaCore
internal import CivilTime

/// The time in which the alarms of a component can go off, in the form of `EventSpan`.
struct AlarmSpan: Hashable {
  var span: EventSpan
  /// The greatest distance of an alarm from its occurrence; `nil` if an alarm has a fixed time.
  var reach: Int?

  /// `nil` without alarms.
  init?(_ alarms: [Alarm], of event: EventSpan?) {
    let reach = DueAlarm.reach(of: alarms).map { max($0.before, $0.after) }
    var spans = alarms.compactMap(DueAlarm.span(ofFixed:)).map {
      EventSpan(
        begin: $0.lowerBound.secondsSinceEpoch, end: $0.upperBound.secondsSinceEpoch)
    }
    self.reach = spans.isEmpty ? reach : nil
    if let reach, let event {
      spans.append(
        EventSpan(
          begin: event.begin.subtractingOrLeast(reach), end: event.end.addingOrMost(reach)))
    }
    guard let first = spans.first else { return nil }
    span = spans.dropFirst().reduce(first) {
      EventSpan(begin: min($0.begin, $1.begin), end: max($0.end, $1.end))
    }
  }
}

extension Int {
  func subtractingOrLeast(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }

  func addingOrMost(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
