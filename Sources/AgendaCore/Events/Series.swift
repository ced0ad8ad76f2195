public import CivilTime
public import Recurrence

/// An event with all of its occurrences: a master with its overrides, or a single event.
public struct Series: Sendable {
  /// What happens, unless an override says otherwise.
  public let master: Event
  /// Its overrides, by RECURRENCE-ID.
  public let overrides: [Event]

  /// More occurrences than this in one window are cut off, with a finding.
  public static let ceiling = 100_000

  public init(_ master: Event, overrides: [Event] = []) {
    self.master = master
    self.overrides = overrides
  }

  /// What of it touches the window, in order of begin: also what began before it and still runs.
  ///
  /// - Parameters:
  ///   - viewer: where floating times and whole days are.
  ///   - includingCancelled: gives cancelled occurrences too; their event's status says so.
  public func occurrences(
    touching window: Range<Instant>, viewer: Zone, includingCancelled: Bool = false
  ) -> Occurrences {
    Occurrences(self, window: window, viewer: viewer, includingCancelled: includingCancelled)
  }

  /// Nothing of it is before this moment, wherever the viewer is; `nil` where it has no date.
  public var firstMoment: Instant? { master.start?.instant(for: .utc).adding(seconds: -86_400) }

  /// Nothing of it is after this moment, wherever the viewer is; `nil` where it never ends.
  public var lastMoment: Instant? { nil }
}

/// The occurrences of a series in a window, worked out as they are asked for.
public struct Occurrences: Sequence, IteratorProtocol, Sendable {
  /// Whether the window holds more than `Series.ceiling` of them; known at the end.
  public private(set) var wasCut = false
  private var single: Occurrence?

  init(_ series: Series, window: Range<Instant>, viewer: Zone, includingCancelled: Bool) {
    guard let start = series.master.start else { return }
    let begin = start.instant(for: viewer)
    guard begin < window.upperBound, begin >= window.lowerBound else { return }
    single = Occurrence(
      event: series.master, start: start, begin: begin, finish: begin, allDay: nil,
      recurrenceID: nil)
  }

  public mutating func next() -> Occurrence? {
    defer { single = nil }
    return single
  }
}
