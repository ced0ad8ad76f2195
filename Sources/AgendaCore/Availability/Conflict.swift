public import CivilTime

/// Two timed occurrences that overlap.
public struct Conflict: Sendable {
  /// The occurrence that begins first.
  public let first: Occurrence
  /// The occurrence that begins while the first one is going on.
  public let second: Occurrence

  /// The moment at which the overlap begins.
  public var begin: Instant { max(first.begin, second.begin) }
  /// The moment at which the overlap ends.
  public var finish: Instant { min(first.finish, second.finish) }

  /// The largest number of pairs. If all occurrences overlap, the number of pairs grows with the
  /// square of their number.
  public static let ceiling = 10_000

  /// All pairs that overlap, sorted by the begin of the overlap, and whether there are more pairs than
  /// `ceiling`. Whole-day occurrences never conflict.
  public static func all(among occurrences: [Occurrence]) -> (pairs: [Conflict], wasCut: Bool) {
    let timed = occurrences.filter { $0.takesTime && $0.allDay == nil }
      .sorted { ($0.begin, $0.finish, $0.event.title) < ($1.begin, $1.finish, $1.event.title) }
    var pairs: [Conflict] = []
    var running: [Occurrence] = []
    for occurrence in timed {
      running.removeAll { $0.finish <= occurrence.begin }
      for other in running {
        guard pairs.count < ceiling else { return (pairs, true) }
        pairs.append(Conflict(first: other, second: occurrence))
      }
      running.append(occurrence)
    }
    return (pairs, false)
  }
}
