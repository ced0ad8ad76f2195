package import CivilTime
internal import Recurrence

/// The occurrences that a listing of a window shows.
package struct Listing {
  /// In no particular order.
  package var occurrences: [Occurrence]
  /// The days that it lists. If `isCut`, they are fewer than those of the window.
  package var window: DateWindow
  /// What each series lacks, by its position.
  package var findings: [(series: Int, finding: Finding)] = []
  /// The window has more entries than a listing shows.
  package var cut: Finding?
}

extension Selection {
  /// The most entries of a listing. An entry of several days counts on each of them: a daily event
  /// that lasts for years has as many entries as the square of its days. `EntryWeight` counts long
  /// texts.
  package static let mostEntries = 1_000_000

  /// The matching occurrences of some series in a window.
  ///
  /// If they have more than `mostEntries` entries, the listing ends with the last day before which
  /// all of them fit. If those of the first day do not fit, it has the first entries of that day.
  package func listing(
    of series: [Series], in window: DateWindow, atMost limit: Int? = nil,
    details: @escaping (EventReference) -> EventDetails
  ) -> Listing {
    let gathering = Gathering(
      selection: self, window: window, limit: limit ?? mostEntries, details: details)
    var listing = gathering.listing(of: series)
    listing.occurrences.gatherByTime(in: listing.window)
    return listing
  }

  /// The same if all series are complete and have at most `limit` entries together, otherwise `nil`.
  package func allOccurrences(
    of series: [Series], in window: DateWindow, atMost limit: Int,
    details: @escaping (EventReference) -> EventDetails
  ) -> [Occurrence]? {
    let gathering = Gathering(selection: self, window: window, limit: limit, details: details)
    let (listing, complete, _) = gathering.occurrences(
      of: series, in: window, until: window.end)
    guard complete == series.count, listing.findings.isEmpty else { return nil }
    var found = listing.occurrences
    found.gatherByTime(in: window)
    return found
  }
}

/// Goes through the occurrences of series in a window, and counts their entries.
private struct Gathering {
  let selection: Selection
  let window: DateWindow
  let limit: Int
  let details: (EventReference) -> EventDetails

  func listing(of series: [Series]) -> Listing {
    let complete: Int
    let isText: Bool
    do {
      let (listing, count, isHeavy) = occurrences(of: series, in: window, until: window.end)
      if count == series.count { return listing }
      (complete, isText) = (count, isHeavy)
      // Its memory is free from here on.
    }
    // Usually all series are alike. What is counted beyond the end is in vain.
    let guess = 2 * dayCount * Self.secondsPerDay * (complete + 1) / series.count
    var seconds =
      guess < Self.secondsPerDay ? secondsOfFirstDay(of: series, guess: guess) : .max
    if seconds >= Self.secondsPerDay {
      let days = days(of: series, guess: guess / Self.secondsPerDay)
      if days > 0, let window = window.first(days: days) {
        var listing = occurrences(of: series, in: window, until: window.end).listing
        let last = window.dayAfterLast.adding(days: -1) ?? window.firstDay
        listing.cut =
          isText
          ? .tooMuchText(day: last, isFirst: false)
          : .tooManyEntries(limit: limit, day: last, isFirst: false)
        return listing
      }
      seconds = secondsOfFirstDay(of: series, guess: guess)
    }
    let firstDay = window.first(days: 1) ?? window
    var listing = occurrences(
      of: series, in: firstDay, until: start.adding(seconds: max(1, seconds))
    ).listing
    let day = window.firstDay
    listing.cut =
      isText
      ? .tooMuchText(day: day, isFirst: true)
      : .tooManyEntries(limit: limit, day: day, isFirst: true)
    return listing
  }

  /// What is over does not use up the limit.
  private var start: Instant {
    max(window.start, selection.notOverAt.map { min($0, window.end) } ?? window.start)
  }

  /// The occurrences before a moment, as long as they have few enough entries, and the number of
  /// series that are complete. `isHeavy` is whether most of what was counted is the texts of entries.
  func occurrences(
    of series: [Series], in window: DateWindow, until end: Instant
  ) -> (listing: Listing, complete: Int, isHeavy: Bool) {
    var listing = Listing(occurrences: [], window: window)
    var entries = 0
    var plain = 0
    var excludedLeft = Self.mostExcluded
    for (index, one) in series.enumerated() {
      let finding = forEach(of: one, in: window, until: end, &excludedLeft) {
        occurrence, days, weight in
        entries += days * weight
        plain += days
        guard entries <= limit else { return false }
        listing.occurrences.append(occurrence)
        return true
      }
      if entries > limit { return (listing, index, plain < entries / 2) }
      if let finding { listing.findings.append((index, finding)) }
    }
    return (listing, series.count, false)
  }

  /// The number of days of a window on which an occurrence is listed.
  private func days(of occurrence: Occurrence, in window: DateWindow) -> Int {
    let days = slots(of: occurrence, from: window.start, length: Self.secondsPerDay)
    let last = Int(window.dayAfterLast.dayNumber - window.firstDay.dayNumber) - 1
    return max(1, min(days.upperBound, last) - days.lowerBound + 1)
  }

  // MARK: The end of a listing that is too long

  private static let secondsPerDay = TimeOfDay.secondsPerCivilDay

  private var dayCount: Int { Int(window.dayAfterLast.dayNumber - window.firstDay.dayNumber) }

  /// For how many seconds of the first day all entries fit.
  private func secondsOfFirstDay(of series: [Series], guess: Int) -> Int {
    slots(of: series, from: start, length: 1, most: Self.secondsPerDay, guess: guess)
  }

  /// For how many days of the window all entries fit.
  private func days(of series: [Series], guess: Int) -> Int {
    let length = Self.secondsPerDay
    let slots = slots(
      of: series, from: window.start, length: length, most: dayCount, guess: guess)
    if slots == 0 { return 0 }
    // Not all days are as long as a slot.
    let end = window.zone.day(holding: window.start.adding(seconds: slots * length))
    return min(slots, Int(end.dayNumber - window.firstDay.dayNumber))
  }

  /// For how many slots of a length all entries fit. The first try goes through `guess` of them.
  private func slots(
    of series: [Series], from begin: Instant, length: Int, most: Int, guess: Int
  ) -> Int {
    var slots = min(most, max(1, guess))
    while true {
      var counter = EntryCounter(slots: slots, atMost: limit)
      count(series, from: begin, length: length, &counter)
      if counter.slots < slots || slots == most { return counter.slots }
      slots = min(most, slots * 16)
    }
  }

  /// After so many steps, the number of slots is halved, unless it halved by itself. Otherwise each of
  /// many series could have all of its occurrences just before the end.
  private static let mostSteps = 1_000_000

  private func count(
    _ series: [Series], from begin: Instant, length: Int, _ counter: inout EntryCounter
  ) {
    var steps = 0
    var slotsBefore = counter.slots
    var excludedLeft = Self.mostExcluded
    for one in series where counter.slots > 0 {
      let end = min(begin.adding(seconds: counter.slots * length), window.end)
      _ = forEach(of: one, in: window, until: end, alwaysWeighsAll: true, &excludedLeft) {
        occurrence, _, weight in
        var slots = slots(of: occurrence, from: begin, length: length)
        // Within a day, an entry counts where it begins.
        if length == 1 { slots = slots.lowerBound...slots.lowerBound }
        counter.add(slots, weight: weight)
        steps += 1
        if steps == Self.mostSteps {
          if counter.slots > slotsBefore / 2 { counter.halve() }
          (steps, slotsBefore) = (0, counter.slots)
        }
        return slots.lowerBound < counter.slots
      }
    }
  }

  private func slots(
    of occurrence: Occurrence, from begin: Instant, length: Int
  ) -> ClosedRange<Int> {
    let first = occurrence.begin.secondsSinceEpoch - begin.secondsSinceEpoch
    let last = occurrence.finish.secondsSinceEpoch - begin.secondsSinceEpoch - 1
    let slot = max(0, first) / length
    return slot...max(slot, last / length)
  }

  // MARK: Occurrences

  /// All series of a listing may have so many occurrences together that are excluded or duplicates.
  private static let mostExcluded = 5_000_000
  /// Every series may have so many.
  private static let fewExcluded = 200

  /// Calls `body` with the matching occurrences, the number of their days and the weight of each of
  /// their entries, until it returns `false`. Returns why the series is not complete.
  private func forEach(
    of series: Series, in window: DateWindow, until end: Instant, alwaysWeighsAll: Bool = false,
    _ excludedLeft: inout Int, _ body: (Occurrence, _ days: Int, _ weight: Int) -> Bool
  ) -> Finding? {
    let start = start
    guard start < end else { return nil }
    var admitted = SeriesSelection(selection, details: details)
    var weight = EntryWeight(
      selection, alwaysWeighsAll: alwaysWeighsAll, details: details)
    var occurrences = series.occurrences(
      touching: start..<end, viewer: window.zone,
      includingCancelled: selection.includesCancelled, atMost: .max,
      mostExcluded: max(Self.fewExcluded, excludedLeft))
    var given = 0
    while let occurrence = occurrences.next() {
      given += 1
      guard admitted.admits(occurrence) else { continue }
      let days = days(of: occurrence, in: window)
      guard body(occurrence, days, weight.weight(of: occurrence.event, entries: days)) else {
        return nil
      }
    }
    excludedLeft = max(0, excludedLeft - max(0, occurrences.steps - given))
    return occurrences.finding
  }
}

extension DateWindow {
  /// Its first days.
  fileprivate func first(days: Int) -> DateWindow? {
    guard let end = firstDay.adding(days: days), end < dayAfterLast else { return self }
    return DateWindow(firstDay: firstDay, dayAfterLast: end, zone: zone)
  }
}

extension [Occurrence] {
  /// Moves occurrences that begin at about the same time next to each other.
  ///
  /// An agenda sorts and writes them in the order of time. In the order of the series, a year of
  /// many of them would wait for memory at each occurrence.
  fileprivate mutating func gatherByTime(in window: DateWindow) {
    let parts = TimeParts(of: window, moments: count)
    guard parts.count > 1 else { return }
    withUnsafeMutableBufferPointer { occurrences in
      _ = TimeParts.gather(occurrences, into: parts.count) {
        parts.number(of: $0.begin.secondsSinceEpoch)
      }
    }
  }
}
