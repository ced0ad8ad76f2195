package import CivilTime
internal import Recurrence

extension Selection {
  /// The most entries of an agenda. An entry of several days counts on each of them: a daily event
  /// that lasts for years has as many lines as the square of its days. Excluded occurrences and
  /// duplicates count too, because they take as much time. `EntryWeight` counts long texts.
  package static let mostEntries = 1_000_000

  /// The matching occurrences of some series in a window, in no particular order.
  ///
  /// They have at most `mostEntries` entries together. If there are more, the series share them
  /// fairly: only those with the most entries are cut, each after the same number. `cut` is called
  /// for each series that is not complete.
  package func occurrences(
    of series: [Series], in window: DateWindow,
    details: @escaping (EventReference) -> EventDetails,
    cut: (_ series: Series, _ finding: Finding) -> Void = { _, _ in }
  ) -> [Occurrence] {
    var gathered = Gathered()
    let gathering = Gathering(selection: self, window: window, details: details)
    // What was found with the last limit is what each series may have: nothing is expanded again.
    _ = FairShare.limit(of: Self.mostEntries, among: series.count) { index, limit in
      gathered.begin(limit)
      return gathered.add(index, series[index], gathering, atMost: limit)
    }
    for (index, finding) in gathered.findings { cut(series[index], finding) }
    gathered.occurrences.gatherByTime(in: window)
    return gathered.occurrences
  }

  /// The same if all series are complete and have at most `limit` entries together, otherwise `nil`.
  package func allOccurrences(
    of series: [Series], in window: DateWindow, atMost limit: Int,
    details: @escaping (EventReference) -> EventDetails
  ) -> [Occurrence]? {
    let gathering = Gathering(selection: self, window: window, details: details)
    var found: [Occurrence] = []
    var entries = 0
    for series in series {
      let (more, finding) = gathering.forEach(of: series, atMost: limit - entries) {
        found.append($0)
      }
      entries += more
      guard entries <= limit, finding == nil else { return nil }
    }
    found.gatherByTime(in: window)
    return found
  }
}

/// What was found of all series, those with more entries than the limit cut after it.
private struct Gathered {
  var occurrences: [Occurrence] = []
  private(set) var findings: [(series: Int, finding: Finding)] = []
  private var limit: Int?
  /// The parts of `occurrences` that belong to series with more entries.
  private var incomplete: [Range<Int>] = []
  private var completeFindings: [(series: Int, finding: Finding)] = []

  /// With a higher limit, series with more entries are gone through again.
  mutating func begin(_ limit: Int) {
    guard limit != self.limit else { return }
    self.limit = limit
    findings = completeFindings
    guard let first = incomplete.first else { return }
    // They move to the end, and are removed there.
    var end = first.lowerBound
    for (position, range) in incomplete.enumerated() {
      let next =
        position + 1 < incomplete.count ? incomplete[position + 1].lowerBound : occurrences.count
      for index in range.upperBound..<next {
        occurrences.swapAt(end, index)
        end += 1
      }
    }
    occurrences.removeSubrange(end...)
    incomplete = []
  }

  /// Adds the occurrences of a series and returns the number of their entries.
  mutating func add(_ index: Int, _ series: Series, _ gathering: Gathering, atMost limit: Int)
    -> Int
  {
    let start = occurrences.count
    let (entries, finding) = gathering.forEach(of: series, atMost: limit) {
      occurrences.append($0)
    }
    if let finding { findings.append((index, finding)) }
    if entries > limit {
      incomplete.append(start..<occurrences.count)
    } else if let finding {
      completeFindings.append((index, finding))
    }
    return entries
  }
}

/// Goes through the occurrences of series in a window, and counts their entries.
private struct Gathering {
  let selection: Selection
  let window: DateWindow
  let details: (EventReference) -> EventDetails

  /// Calls `body` with the matching occurrences, as long as they have at most `limit` entries, and
  /// always with the first one: `Grouping` lists it on as many days as there is room for. Returns
  /// the number of their entries, which is above `limit` if there are more, and the reason if the
  /// series is not complete.
  func forEach(
    of series: Series, atMost limit: Int, _ body: (Occurrence) -> Void
  ) -> (entries: Int, finding: Finding?) {
    var admitted = SeriesSelection(selection, details: details)
    // What is over doesn't use up the limit.
    let start = max(window.start, selection.notOverAt.map { min($0, window.end) } ?? window.start)
    var occurrences = series.occurrences(
      touching: start..<window.end, viewer: window.zone,
      includingCancelled: selection.includesCancelled, atMost: limit)
    var entries = 0
    var given = 0
    var isFirst = true
    var weight = EntryWeight(selection, details: details)
    func tooManyEntries() -> Finding {
      tooMany(
        .tooManyEntries(limit: Selection.mostEntries, hasLongText: weight.hasLongText), series)
    }
    while let occurrence = occurrences.next() {
      given += 1
      guard admitted.admits(occurrence) else { continue }
      entries += occurrence.dayCount(in: window) * weight.weight(of: occurrence.event)
      guard entries <= limit else {
        if isFirst { body(occurrence) }
        return (entries, tooManyEntries())
      }
      body(occurrence)
      isFirst = false
    }
    let passedOver = max(0, occurrences.steps - given)
    switch occurrences.cutByLimit {
    case .tooMany?: return (limit + 1, tooManyEntries())
    case .some:
      return (limit + 1, tooMany(.tooManySkippedEntries(limit: Selection.mostEntries), series))
    case nil: return (entries + passedOver, occurrences.finding)
    }
  }

  private func tooMany(_ kind: Finding.Kind, _ series: Series) -> Finding {
    Finding(
      .warning, kind, component: series.master.kind.component, uid: series.master.identity.uid)
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

extension Occurrence {
  /// The approximate number of days of the window that it touches, at least one.
  fileprivate func dayCount(in window: DateWindow) -> Int {
    let first = max(begin, window.start).secondsSinceEpoch
    let last = min(finish, window.end).secondsSinceEpoch
    return 1 + max(0, last - first - 1) / TimeOfDay.secondsPerCivilDay
  }
}
