internal import CivilTime

/// The days of all occurrences in a zone.
struct OccurrenceDays {
  /// Those of each occurrence.
  var spans: [DaySpan] = []
  /// The dates that the zone skipped, during timed occurrences of several days.
  private(set) var missing: [Int32] = []

  init(of occurrences: [Occurrence], zone: Zone) {
    spans.reserveCapacity(occurrences.count)
    var finder = DayFinder(zone: zone)
    var firstOfSeveral = Int32.max
    var lastOfSeveral = Int32.min
    for index in occurrences.indices {
      switch occurrences[index].listing {
      case .onItsDays: break
      case .on(let date):
        let day = date.dayNumber
        spans.append(DaySpan(first: day, last: day, isTimed: occurrences[index].allDay == nil))
        continue
      case .undated:
        spans.append(.undated)
        continue
      }
      if let days = occurrences[index].allDay {
        let first = days.lowerBound.dayNumber
        spans.append(
          DaySpan(
            first: first, last: max(first, days.upperBound.dayNumber - 1), isTimed: false))
        continue
      }
      let begin = occurrences[index].begin
      let finish = occurrences[index].finish
      let first = finder.dayNumber(holding: begin)
      let last = finish > begin ? finder.dayNumber(holding: finish.adding(seconds: -1)) : first
      if last > first {
        firstOfSeveral = min(firstOfSeveral, first)
        lastOfSeveral = max(lastOfSeveral, last)
      }
      spans.append(DaySpan(first: first, last: max(first, last), isTimed: true))
    }
    if firstOfSeveral < lastOfSeveral {
      missing = finder.missingDays(from: firstOfSeveral, through: lastOfSeveral)
    }
  }

  /// The first day of a window that an occurrence touches.
  func firstShown(of occurrence: Int, in window: DateWindow) -> Int32 {
    let span = spans[occurrence]
    var day = max(span.first, window.firstDay.dayNumber)
    guard span.isTimed, !missing.isEmpty else { return day }
    while day < span.last, missing.contains(day) { day += 1 }
    return day
  }

  /// The number of that day among the days of the occurrence, from 1.
  func ordinal(of day: Int32, of occurrence: Int) -> Int {
    spans[occurrence].ordinal(of: day, leavingOut: missing)
  }

  /// How many days an occurrence touches.
  func count(of occurrence: Int) -> Int { ordinal(of: spans[occurrence].last, of: occurrence) }
}
