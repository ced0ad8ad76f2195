package import CivilTime
internal import Recurrence

extension Selection {
  /// The most entries of an agenda. An entry of several days counts on each of them: a daily event
  /// that lasts for years has as many lines as the square of its days. Excluded occurrences and
  /// duplicates count too, because they take as much time.
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
    let gathering = Gathering(selection: self, window: window, details: details)
    if let all = gathering.all(of: series, atMost: Self.mostEntries, cut: cut) { return all }
    let limit = FairShare.limit(of: Self.mostEntries, among: series.count) { index, limit in
      gathering.forEach(of: series[index], atMost: limit) { _ in }.entries
    }
    var found: [Occurrence] = []
    for series in series {
      let (_, finding) = gathering.forEach(of: series, atMost: limit) { found.append($0) }
      if let finding { cut(series, finding) }
    }
    return found
  }

  /// The same if all series are complete and have at most `limit` entries together, otherwise `nil`.
  package func allOccurrences(
    of series: [Series], in window: DateWindow, atMost limit: Int,
    details: @escaping (EventReference) -> EventDetails
  ) -> [Occurrence]? {
    var isComplete = true
    let gathering = Gathering(selection: self, window: window, details: details)
    let all = gathering.all(of: series, atMost: limit) { _, _ in isComplete = false }
    return isComplete ? all : nil
  }
}

/// Goes through the occurrences of series in a window, and counts their entries.
private struct Gathering {
  let selection: Selection
  let window: DateWindow
  let details: (EventReference) -> EventDetails

  /// `nil` if they have more entries together; `cut` is then not called.
  func all(
    of series: [Series], atMost limit: Int,
    cut: (_ series: Series, _ finding: Finding) -> Void
  ) -> [Occurrence]? {
    var found: [Occurrence] = []
    var incomplete: [(Series, Finding)] = []
    var entries = 0
    for series in series {
      let (more, finding) = forEach(of: series, atMost: limit - entries) { found.append($0) }
      entries += more
      guard entries <= limit else { return nil }
      if let finding { incomplete.append((series, finding)) }
    }
    for (series, finding) in incomplete { cut(series, finding) }
    found.gatherByTime(in: window)
    return found
  }

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
    while let occurrence = occurrences.next() {
      given += 1
      guard admitted.admits(occurrence) else { continue }
      entries += occurrence.dayCount(in: window)
      guard entries <= limit else {
        if isFirst { body(occurrence) }
        return (entries, tooMany("entries in the window", series))
      }
      body(occurrence)
      isFirst = false
    }
    let passedOver = max(0, occurrences.steps - given)
    switch occurrences.cutByLimit {
    case .tooMany?: return (limit + 1, tooMany("entries in the window", series))
    case .some:
      return (limit + 1, tooMany("occurrences are excluded or duplicates", series))
    case nil: return (entries + passedOver, occurrences.finding)
    }
  }

  private func tooMany(_ what: String, _ series: Series) -> Finding {
    Finding(
      severity: .warning, component: series.master.kind.component,
      uid: series.master.identity.uid,
      message: "more than \(Selection.mostEntries) \(what)",
      action: "the rest of this event is not shown")
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
