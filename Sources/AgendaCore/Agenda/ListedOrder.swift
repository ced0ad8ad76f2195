internal import CivilTime

/// The order of the occurrences of an agenda.
enum ListedOrder {
  /// The occurrences that touch the window, by the day of the window on which they are listed.
  static func byListedDay(
    _ occurrences: [Occurrence], _ days: OccurrenceDays, in window: DateWindow, timedFirst: Bool
  ) -> [Int32] {
    var grouping = Grouping(
      order: byTime(occurrences, in: window, spans: days.spans, timedFirst: timedFirst), key: .day)
    grouping.groupByDay(days.spans, in: window, missing: days.missing, once: true)
    return grouping.sections().places
  }

  /// The occurrences that touch the window: all-day first, then by start, end, title and UID.
  static func byTime(
    _ occurrences: [Occurrence], in window: DateWindow, spans: [DaySpan], timedFirst: Bool
  ) -> [Int32] {
    struct Record {
      let begin: Int
      let finish: Int
      let index: Int32
      let isTimed: Bool
    }
    func sort(
      _ records: UnsafeMutableBufferPointer<Record>,
      _ occurrences: UnsafeBufferPointer<Occurrence>
    ) {
      var records = records
      records.sort { left, right in
        if left.begin != right.begin { return left.begin < right.begin }
        if left.finish != right.finish { return left.finish < right.finish }
        let (one, two) = (Int(left.index), Int(right.index))
        return NameOrder.precedes(occurrences[one], occurrences[two]) ?? (left.index < right.index)
      }
    }
    var records: [Record] = []
    records.reserveCapacity(occurrences.count)
    for index in occurrences.indices {
      let listing = occurrences[index].listing
      let touches =
        if listing == .undated {
          true
        } else if !spans[index].isTimed || listing != .onItsDays {
          spans[index].last >= window.firstDay.dayNumber
            && spans[index].first < window.dayAfterLast.dayNumber
        } else {
          window.touches(occurrences[index].begin, occurrences[index].finish)
        }
      guard touches else { continue }
      let isTimed = spans[index].isTimed
      var (begin, finish) = (
        occurrences[index].begin.secondsSinceEpoch, occurrences[index].finish.secondsSinceEpoch
      )
      if listing == .undated {
        begin = .max
      } else if !isTimed {
        // An overdue task keeps its own date here, and so comes first.
        let first = occurrences[index].allDay?.lowerBound.dayNumber ?? spans[index].first
        (begin, finish) = (Int(first), Int(spans[index].last))
      }
      records.append(
        Record(begin: begin, finish: finish, index: Int32(index), isTimed: isTimed))
    }
    let parts = TimeParts(of: window, moments: records.count)
    occurrences.withUnsafeBufferPointer { occurrences in
      records.withUnsafeMutableBufferPointer { records in
        // The days of all-day entries are not moments: these entries are one more part.
        let ends = TimeParts.gather(records, into: parts.count + 1) {
          if timedFirst { return $0.isTimed ? parts.number(of: $0.begin) : parts.count }
          return $0.isTimed ? 1 + parts.number(of: $0.begin) : 0
        }
        var start = 0
        for end in ends {
          sort(UnsafeMutableBufferPointer(rebasing: records[start..<end]), occurrences)
          start = end
        }
      }
    }
    return records.map(\.index)
  }
}
