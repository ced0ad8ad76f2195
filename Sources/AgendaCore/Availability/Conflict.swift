public import CivilTime

/// Two timed entries that take up the same time.
public struct Conflict: Sendable {
  public let first: Occurrence
  public let second: Occurrence

  /// The time that both take up.
  public var begin: Instant { max(first.begin, second.begin) }
  public var finish: Instant { min(first.finish, second.finish) }

  /// More pairs than this are not listed: entries that all overlap make a number of pairs that
  /// grows with its square.
  public static let ceiling = 10_000

  /// Every pair that overlaps, by when the overlap begins. Whole-day entries never conflict.
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
